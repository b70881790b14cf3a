import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import type { ErrorCode } from '../../../src/model/errors.ts';
import { listCached, provision, removeCached } from '../../../src/runtimes/provision/provision.ts';
import { chooseVersion, parseSpec } from '../../../src/runtimes/provision/versions.ts';
import { isToolError } from '../../support/tool-errors.ts';
import { fakeRegistry } from './fake-npm/registry.ts';

describe('a spec means a version', () => {
  const PUBLISHED = {
    versions: ['1.3.14', '1.4.0', '1.4.5', '1.4.6-canary.1'],
    tags: new Map([
      ['latest', '1.4.0'],
      ['next', '1.4.6-canary.1'],
    ]),
  };
  const rows: [spec: string, version: string][] = [
    ['bun', '1.4.5'],
    ['bun@1.3', '1.3.14'],
    ['bun@^1.3.0', '1.4.5'],
    ['bun@v1.4.0', '1.4.0'],
    ['bun@next', '1.4.6-canary.1'],
    ['bun@', '1.4.5'],
    ['bun@latest', '1.4.5'],
    ['bun@1', '1.4.5'],
    ['bun@<1.4', '1.3.14'],
    ['bun@1.4.0', '1.4.0'],
    ['bun@1.4.6-canary.1', '1.4.6-canary.1'],
    ['node@1.4', '1.4.5'],
  ];
  for (const [spec, version] of rows) {
    test(`${spec} is ${version}`, () => assert.equal(chooseVersion(parseSpec(spec), PUBLISHED), version));
  }

  test('as npm prints it, and for each runtime', async (t) => {
    const { options } = await fakeRegistry(t);
    for (const [spec, version] of [
      ['bun@next', '1.4.6-canary.1'],
      ['deno@1.4', '1.4.5'],
    ] as const)
      assert.equal((await provision(spec, options)).version, version);
  });

  test('a package with one version', async (t) => {
    const { options } = await fakeRegistry(t, { versions: '1.0.0', tags: { latest: '1.0.0' } });
    assert.equal((await provision('bun@1', options)).version, '1.0.0');
  });
});

describe('what is not a version is refused before npm is asked', () => {
  const MALFORMED = [
    ...['bun@!', 'bun@constructor', 'bun@__proto__', 'bun@toString', 'bun@hasOwnProperty', 'bun@../../x'],
    ...['bun@file:x', 'bun@npm:evil', 'bun@https://example.org/x.tgz', 'bun@1.0 || evil', 'bun@git+ssh://x'],
    ...['bun@-1', 'bun@--registry=http://x', 'bun@.', 'bun@..', 'bun@a/b', 'bun@\u0000', 'bun@@1'],
  ];
  for (const spec of MALFORMED) {
    test(JSON.stringify(spec), async (t) => {
      const { options, asked } = await fakeRegistry(t);
      await assert.rejects(
        provision(spec, options),
        isToolError('version-malformed', /is not a version, a range/),
      );
      await assert.rejects(removeCached(spec, options), isToolError('version-malformed', /is not a version/));
      assert.deepEqual(await asked(), []);
    });
  }

  const ANSWERS: [name: string, spec: string, tags: Record<string, unknown>][] = [
    ['a tag that the registry does not have', 'bun@nightly', { latest: '1.4.0' }],
    ['a tag that is a path', 'bun@evil', { evil: '../../../x' }],
    ['a tag that is an address', 'bun@evil', { evil: 'https://example.org/x.tgz' }],
    ['a tag that is a range', 'bun@evil', { evil: '>=1' }],
    ['a tag that is no text', 'bun@evil', { evil: { toString: 1 } }],
  ];
  for (const [name, spec, tags] of ANSWERS) {
    test(name, async (t) => {
      const { options } = await fakeRegistry(t, { tags: tags as Record<string, string> });
      await assert.rejects(provision(spec, options), isToolError('version-malformed', /is not a version/));
    });
  }

  test('versions of the registry that are none are left out', async (t) => {
    const versions = ['../../x', 'v1.4.1', '1.4', '1.3.14', 7, null] as string[];
    const { options } = await fakeRegistry(t, { versions });
    assert.equal((await provision('bun@1', options)).version, '1.3.14');
  });
});

describe('a runtime that cannot be fetched is an error with the reason', () => {
  const error = (code: string, summary = 'it says') => ({ code, summary });
  const rows: [spec: string, fake: Parameters<typeof fakeRegistry>[1], code: ErrorCode, message: RegExp][] = [
    [
      'bun@9',
      {},
      'version-unknown',
      /^bun@9: no such version of bun\. The newest: 1\.4\.5, 1\.4\.0, 1\.3\.14$/,
    ],
    ['bun@1.4.7', {}, 'version-unknown', /^bun@1\.4\.7: no such version/],
    ['rhino@1', {}, 'runtime-unknown', /^unknown runtime 'rhino@1'\. Known: node, bun, deno/],
    ['@oven/bun', {}, 'runtime-unknown', /^unknown runtime '@oven\/bun'/],
    [
      'bun',
      { error: { view: error('ENOTFOUND') } },
      'offline',
      /^bun: not in the cache, and npm cannot reach its registry \(it says\)$/,
    ],
    ['bun', { error: { pack: error('ECONNRESET') } }, 'offline', /npm cannot reach its registry/],
    [
      'bun',
      { error: { pack: error('ENOSPC', 'no space left') } },
      'disk-full',
      /^bun: no disk space left to fetch it \(no space left\)/,
    ],
    [
      'bun',
      { error: { pack: error('EINTEGRITY', 'sha512 differs') } },
      'provision-failed',
      /^bun: could not be fetched through npm \(sha512 differs\)$/,
    ],
    ['bun', { error: { view: error('E403', 'Forbidden') } }, 'provision-failed', /Forbidden/],
    ['bun', { error: { pack: error('ETARGET') } }, 'version-unknown', /no such version/],
    [
      'bun',
      { stderr: { view: 'npm error code ECONNREFUSED\nnpm error the end\n' } },
      'offline',
      /npm error the end/,
    ],
    ['bun', { stderr: { view: 'it fell over' } }, 'provision-failed', /it fell over/],
    ['bun', { files: { 'README.md': '' } }, 'provision-failed', /the package holds no package\/bin\/bun/],
  ];
  for (const [spec, fake, code, message] of rows) {
    test(`${spec} ${JSON.stringify(fake)}`, async (t) => {
      const { options, cache } = await fakeRegistry(t, fake);
      await assert.rejects(provision(spec, options), isToolError(code, message));
      assert.deepEqual(await listCached(options), []);
      assert.deepEqual(await readdir(join(cache, 'tmp')).catch(() => []), [], 'nothing is left behind');
    });
  }

  test('a cache folder that cannot be created', async (t) => {
    const { options, cache } = await fakeRegistry(t);
    await writeFile(join(dirname(cache), 'file'), '');
    const env = { ...options.env, XDG_CACHE_HOME: join(dirname(cache), 'file') };
    await assert.rejects(provision('bun', { ...options, env }), isToolError('provision-failed', /ENOTDIR/));
  });
});
