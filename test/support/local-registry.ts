/** A local registry of npm packages, which writes down each request. It has every package, with the same files. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { create, type WriteEntry } from 'tar';
import { putFiles } from './git-repository.ts';
import { tempFolder } from './temp-folder.ts';

export const VERSION = '9.9.9';
export const BINARY = '#!/bin/sh\n: > "$0.ran"\n';

export interface Published {
  versions: readonly unknown[];
  tags: Record<string, unknown>;
  /** Path inside the package -> text. `(long)` stands for a name that no file system takes. */
  files: Record<string, string>;
  /** Hash of each package; default: the right one. */
  integrity?: string;
  /** Requests that stay without an answer. */
  hangs?: 'versions' | 'packages';
  status?: number;
}

export interface LocalRegistry {
  url: string;
  /** Each request in one line: its path, and all its headers. */
  requests: string[];
  close(): void;
}

const PUBLISHED: Published = {
  versions: [VERSION],
  tags: { latest: VERSION },
  files: { 'bin/bun': BINARY, deno: BINARY, 'README.md': '#' },
};

async function packed(files: Record<string, string>): Promise<Buffer> {
  const folder = tempFolder('package');
  putFiles(join(folder, 'package'), { ...files, 'package.json': '{"name":"p","version":"1.0.0"}' });
  const file = join(folder, 'p.tgz');
  const onWriteEntry = (entry: WriteEntry) => {
    entry.path = entry.path.replace('(long)', 'x'.repeat(300));
  };
  await create({ gzip: true, portable: true, cwd: folder, file, onWriteEntry }, ['package']);
  return readFileSync(file);
}

/** Answers below any path: `<url>/user/` and `<url>/project/` are two registries. */
export async function localRegistry(differences: Partial<Published> = {}): Promise<LocalRegistry> {
  const { versions, tags, files, hangs, status = 200, integrity } = { ...PUBLISHED, ...differences };
  const requests: string[] = [];
  const tarball = await packed(files);
  const hash = integrity ?? `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const server = createServer(({ url = '', headers }, response) => {
    requests.push(`${url} ${JSON.stringify(headers)}`);
    const isPackage = url.endsWith('.tgz');
    if (hangs === (isPackage ? 'packages' : 'versions')) return;
    response.statusCode = status;
    if (isPackage) return void response.end(tarball);
    const [, base = '', name = ''] = /^(\/[a-z]+)\/(.*)$/.exec(decodeURIComponent(url)) ?? [];
    const facts = (version: unknown) => ({
      ...{ name, version },
      dist: { tarball: `${at()}${base}/${name}/-/p-${version}.tgz`, integrity: hash },
    });
    response.setHeader('content-type', 'application/json');
    const entries = versions.map((version) => [String(version), facts(version)]);
    response.end(JSON.stringify({ name, 'dist-tags': tags, versions: Object.fromEntries(entries) }));
  });
  const at = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: at(), requests, close };
}
