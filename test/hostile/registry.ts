/**
 * A local registry that writes down what it is asked, and has every package in a version that nothing else has, and in one whose
 * hash clone-prof knows.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';

export const VERSION = '9.9.9';
export const KNOWN_VERSION = '1.4.5';

/** A request in one line: its path, and all its headers. */
export interface LocalRegistry {
  url: string;
  requests: string[];
  close(): void;
}

async function tarballOf(name: string): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-package-'));
  try {
    mkdirSync(join(folder, 'package', 'bin'), { recursive: true });
    writeFileSync(join(folder, 'package', 'package.json'), JSON.stringify({ name, version: VERSION }));
    writeFileSync(join(folder, 'package', 'bin', 'bun'), '#!/bin/sh\n: > "$0.ran"\n');
    const file = join(folder, 'p.tgz');
    await create({ gzip: true, cwd: folder, file }, ['package']);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function hashesOf(base: string, tarball: Buffer): { shasum?: string; integrity?: string } {
  if (base === '/bare') return {};
  if (base === '/weak') return { shasum: createHash('sha1').update(tarball).digest('hex') };
  return { integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}` };
}

/** Answers below any path: `<url>/user/` and `<url>/project/` are two registries, `<url>/weak/` and `<url>/bare/` lack a sha512. */
export async function localRegistry(): Promise<LocalRegistry> {
  const requests: string[] = [];
  const tarballs = new Map<string, Promise<Buffer>>();
  const server = createServer(async ({ url = '', headers }, response) => {
    requests.push(`${url} ${JSON.stringify(headers)}`);
    const [, base = '', path = ''] = /^(\/[a-z]+)\/(.*)$/.exec(decodeURIComponent(url)) ?? [];
    const name = path.replace(/\/-\/.*$/, '');
    const made = tarballs.get(name) ?? tarballOf(name);
    tarballs.set(name, made);
    const tarball = await made;
    if (path.endsWith('.tgz')) return void response.end(tarball);
    const dist = { tarball: `${at()}${base}/${name}/-/p-${VERSION}.tgz`, ...hashesOf(base, tarball) };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        name,
        'dist-tags': { latest: VERSION },
        versions: Object.fromEntries(
          [VERSION, KNOWN_VERSION].map((version) => [version, { name, version, dist }]),
        ),
      }),
    );
  });
  const at = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: at(), requests, close: () => server.close() };
}

/** Its answers never end: those below `<url>/drip/` come in small pieces, others as fast as they are read. */
export async function endlessRegistry(): Promise<Omit<LocalRegistry, 'requests'>> {
  const piece = Buffer.alloc(65_536, 'x');
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json');
    response.write('{"name":"');
    if (url.startsWith('/drip')) {
      const timer = setInterval(() => response.write('x'), 200);
      return void response.on('close', () => clearInterval(timer));
    }
    const more = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', more);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}
