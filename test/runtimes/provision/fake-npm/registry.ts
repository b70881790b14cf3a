import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { create } from 'tar';
import type { RunNpm } from '../../../../src/runtimes/provision/npm.ts';
import type { ProvisionOptions } from '../../../../src/runtimes/provision/provision.ts';
import { answer } from './answer.js';

interface Fake {
  registry?: string;
  /** Path of the user's .npmrc. */
  userconfig?: string;
  versions?: string | string[];
  tags?: Record<string, string>;
  error?: Partial<Record<'view' | 'pack', { code: string; summary: string }>>;
  stderr?: Partial<Record<'view' | 'pack', string>>;
  hang?: 'view' | 'pack';
  /** The tarball is a pipe that blocks whoever reads it. */
  blocksUnpacking?: boolean;
  /** Path inside the package -> text. */
  files?: Record<string, string>;
  /** As npm is started, which can be killed. */
  asProcess?: boolean;
  /** What the registry publishes as the hash of each package; null: a sha1. Default: the hash. */
  integrity?: string | null;
}

const BINARY = '#!/bin/sh\necho fake\n';
const NPM = fileURLToPath(new URL('./npm-cli.js', import.meta.url));

const made = mkdtempSync(join(tmpdir(), 'clone-prof-fake-'));
after(() => rmSync(made, { recursive: true, force: true }));
const packages = new Map<string, { tarball: string; integrity: string }>();

/** Packed once in a process: the same files are the same bytes. */
function packed(files: Record<string, string>): { tarball: string; integrity: string } {
  const key = JSON.stringify(files);
  const known = packages.get(key);
  if (known) return known;
  const cwd = join(made, String(packages.size));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, 'package', name)), { recursive: true });
    writeFileSync(join(cwd, 'package', name), text, { mode: 0o644 });
  }
  const tarball = `${cwd}.tgz`;
  create({ gzip: true, portable: true, mtime: new Date(0), cwd, file: tarball, sync: true }, ['package']);
  const hash = createHash('sha512').update(readFileSync(tarball)).digest('base64');
  const one = { tarball, integrity: `sha512-${hash}` };
  packages.set(key, one);
  return one;
}

const FILES = { 'bin/bun': BINARY, 'bin/node': BINARY, deno: BINARY, 'README.md': '#' };

/** Without its process, which each fetch would start four times. */
const inThisProcess: RunNpm = async (_, args, { env }) => {
  const own = args.slice(args.indexOf('--') + 2);
  return { code: 0, stdout: '', stderr: '', ...answer(JSON.parse(env.FAKE_NPM ?? ''), own) };
};

/** An empty cache of its own and an npm that answers as `fake` says; `asked()` lists what it was asked. */
export async function fakeRegistry(t: TestContext, fake: Fake = {}) {
  const cache = await mkdtemp(join(tmpdir(), 'clone-prof-cache-'));
  t.after(() => rm(cache, { recursive: true, force: true }));
  const log = join(cache, 'asked');
  const notes: string[] = [];
  const envFor = (what: Fake) => ({
    ...process.env,
    XDG_CACHE_HOME: cache,
    npm_execpath: NPM,
    FAKE_NPM: JSON.stringify({
      registry: 'https://registry.example/',
      userconfig: '/none',
      versions: ['1.3.14', '1.4.0', '1.4.5', '1.4.6-canary.1'],
      tags: { latest: '1.4.0', next: '1.4.6-canary.1' },
      ...packed(what.files ?? FILES),
      ...what,
      log,
    }),
  });
  const options: ProvisionOptions = {
    ...{ env: envFor(fake), known: {}, onNote: (text: string) => notes.push(text) },
    ...(!fake.asProcess && { runNpm: inThisProcess }),
  };
  const asked = async () => (await readFile(log, 'utf8').catch(() => '')).split('\n').filter(Boolean);
  return {
    cache: join(cache, 'clone-prof'),
    options,
    notes,
    asked,
    but: (what: Fake) => ({ ...options, env: envFor(what) }),
  };
}
