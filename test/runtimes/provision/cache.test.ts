import assert from 'node:assert/strict';
import { readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { cacheFolder } from '../../../src/runtimes/provision/cache.ts';
import { listCached, provision, removeCached } from '../../../src/runtimes/provision/provision.ts';
import { isToolError } from '../../support/tool-errors.ts';
import { usually } from '../../support/whole.ts';
import { fakeRegistry } from './fake-npm/registry.ts';

/** What came from the registry of the fake npm. */
const FROM = 'registry.example-d318d753';

test('keeps a fetched runtime, executable, and announces only the fetch', async (t) => {
  const { cache, options, notes, asked } = await fakeRegistry(t);
  const first = await provision('bun@1.4.5', options);
  const binary = join(cache, 'runtimes', FROM, 'bun', '1.4.5', 'bun');
  assert.deepEqual(first, {
    name: 'bun',
    version: '1.4.5',
    engine: 'jsc',
    spec: 'bun@1.4.5',
    binary,
    from: 'cache',
  });
  assert.equal((await stat(binary)).mode & 0o777, 0o755);
  assert.deepEqual(await readdir(dirname(binary)), ['bun', 'meta.json', 'stamp.json']);
  const { registry, integrity } = JSON.parse(await readFile(join(dirname(binary), 'meta.json'), 'utf8'));
  assert.equal(registry, 'https://registry.example/');
  assert.match(integrity, /^sha512-[\w+/]{86}==$/);
  for (const folder of [cache, dirname(binary), join(cache, 'runtimes')]) {
    assert.equal((await stat(folder)).mode & 0o777, 0o700, folder);
  }
  assert.equal(notes.length, 1);
  assert.match(
    notes[0] ?? '',
    /^fetching bun@1\.4\.5 through npm \(@oven\/bun-.* from https:\/\/registry\.example\/\) into .*clone-prof$/,
  );
  const before = await asked();
  assert.deepEqual(await provision('bun@1.4.5', options), first);
  assert.deepEqual(await provision('bun@1.4', options), first);
  assert.deepEqual(await asked(), before, 'a version that the cache satisfies does not ask npm');
  assert.equal(notes.length, 1);
});

test('answers without a network, with a note when the answer may be old', async (t) => {
  const { options, notes, but } = await fakeRegistry(t);
  await provision('bun@1.4.0', options);
  notes.length = 0;
  const lost = but({ error: { view: { code: 'ENOTFOUND', summary: 'no network' } } });
  assert.equal((await provision('bun@1', lost)).version, '1.4.0');
  assert.deepEqual(notes, []);
  assert.equal((await provision('bun', lost)).version, '1.4.0');
  assert.deepEqual(notes, ['bun: npm cannot reach its registry; using bun@1.4.0 from the cache']);
  await assert.rejects(provision('bun@1.3', lost), isToolError('offline', /no network/));
});

test('with --offline npm is not asked', async (t) => {
  const { options, notes, asked } = await fakeRegistry(t);
  const offline = { ...options, offline: true };
  await assert.rejects(
    provision('bun@1.4', offline),
    isToolError(
      'offline',
      /^bun@1\.4: not in the cache, and --offline forbids .* clone-prof runtimes add bun@1\.4$/,
    ),
  );
  assert.deepEqual(
    (await asked()).filter((line) => !line.endsWith('config list')),
    [],
  );
  await provision('bun@1.4.0', options);
  const count = (await asked()).length;
  assert.equal((await provision('bun@1.4', offline)).version, '1.4.0');
  assert.equal((await provision('bun', offline)).version, '1.4.0');
  assert.match(notes.at(-1) ?? '', /^bun: npm is not asked with --offline; using bun@1\.4\.0/);
  assert.equal((await asked()).length, count);
});

test('lists and removes', async (t) => {
  const { options, cache } = await fakeRegistry(t);
  for (const spec of ['bun@1.3.14', 'bun@1.4.5', 'deno@1.4.0']) await provision(spec, options);
  const specs = async () => (await listCached(options)).map(({ spec }) => spec);
  assert.deepEqual(await specs(), ['bun@1.4.5', 'bun@1.3.14', 'deno@1.4.0']);
  assert.deepEqual(
    (await removeCached('bun@1.3', options)).map(({ spec }) => spec),
    ['bun@1.3.14'],
  );
  assert.deepEqual(await removeCached('bun@2', options), []);
  assert.deepEqual(await specs(), ['bun@1.4.5', 'deno@1.4.0']);
  await removeCached('bun', options);
  await removeCached('deno', options);
  assert.deepEqual(await specs(), []);
  assert.deepEqual(await readdir(join(cache, 'runtimes')), []);
});

const forged = async (folder: string) => {
  const file = join(folder, 'bun');
  const { atime, mtime } = await stat(file);
  await writeFile(file, '#!/bin/sh\necho evil\n');
  await utimes(file, atime, mtime);
};
const damages: [name: string, damage: (folder: string) => Promise<unknown>][] = [
  ['truncated', (folder) => writeFile(join(folder, 'bun'), '#!')],
  ['overwritten in place', (folder) => writeFile(join(folder, 'bun'), '#!/bin/sh\necho evil\n')],
  ['overwritten by as many bytes at the old time', forged],
  ['without its binary', (folder) => rename(join(folder, 'bun'), join(folder, 'bin'))],
  ['without its meta file', (folder) => rename(join(folder, 'meta.json'), join(folder, 'meta'))],
  ['with half a meta file', (folder) => writeFile(join(folder, 'meta.json'), '{"name":"bu')],
  ['with a meta file of other things', (folder) => writeFile(join(folder, 'meta.json'), 'null')],
  ['of another machine', (folder) => other(join(folder, 'meta.json'))],
];
const other = async (file: string) =>
  writeFile(file, (await readFile(file, 'utf8')).replace('@oven/bun-', '@oven/bun-mars-'));
for (const [name, damage] of usually(damages.slice(0, 5), damages.slice(5))) {
  test(`an entry ${name} is fetched again`, async (t) => {
    const { options, cache, notes } = await fakeRegistry(t);
    const { binary } = await provision('bun@1.4.5', options);
    await damage(dirname(binary));
    assert.deepEqual(await listCached(options), []);
    assert.equal((await provision('bun@1.4.5', options)).binary, binary);
    assert.equal(await readFile(binary, 'utf8'), '#!/bin/sh\necho fake\n');
    assert.equal(notes.length, 2);
    assert.deepEqual(await readdir(join(cache, 'tmp')), []);
  });
}

test('an entry that was copied, with another modification time, is still valid', async (t) => {
  const { options, notes } = await fakeRegistry(t);
  const { binary } = await provision('bun@1.4.5', options);
  await utimes(binary, new Date(), new Date());
  await provision('bun@1.4.5', options);
  assert.equal(notes.length, 1);
});

test('several fetches at once all succeed', async (t) => {
  const { options, cache } = await fakeRegistry(t);
  const found = await Promise.all(Array.from({ length: 6 }, () => provision('bun@1.4.5', options)));
  assert.deepEqual(new Set(found.map(({ binary }) => binary)).size, 1);
  assert.deepEqual(await readdir(join(cache, 'runtimes', FROM, 'bun')), ['1.4.5']);
  assert.deepEqual(await readdir(join(cache, 'tmp')), []);
});

describe('the cache folder', () => {
  const rows: [name: string, env: Record<string, string>, platform: string, folder: string][] = [
    ['Linux', { HOME: '/h' }, 'linux', '/h/.cache/clone-prof'],
    ['XDG', { HOME: '/h', XDG_CACHE_HOME: '/x' }, 'linux', '/x/clone-prof'],
    [
      'a relative XDG is ignored, as its specification says',
      { HOME: '/h', XDG_CACHE_HOME: 'x' },
      'linux',
      '/h/.cache/clone-prof',
    ],
    ['macOS', { HOME: '/h' }, 'darwin', '/h/Library/Caches/clone-prof'],
    ['Windows', { USERPROFILE: '/u', LOCALAPPDATA: '/l' }, 'win32', '/l/clone-prof/cache'],
    ['Windows, bare', { USERPROFILE: '/u' }, 'win32', '/u/AppData/Local/clone-prof/cache'],
  ];
  for (const [name, env, platform, folder] of rows) {
    test(name, () => assert.equal(cacheFolder(env, platform), folder));
  }
});
