/** Which client, package and version are used, and with which environment. No npm is started. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  cacheFolder,
  chooseVersion,
  npmPackageOf,
  npmScript,
  parseSpec,
  provision,
  publishedFrom,
  removeCached,
  userEnvironment,
} from '../../../src/runtimes/provision/provision.ts';
import { putFiles } from '../../support/git-repository.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { isToolError } from '../../support/tool-errors.ts';

test('the environment that npm gets', { skip: process.platform === 'win32' }, () => {
  const rows: [env: Record<string, string>, ...kept: string[]][] = [
    [{ npm_config_registry: 'x', NPM_CONFIG_REGISTRY: 'y' }, 'NPM_CONFIG_REGISTRY', 'npm_config_registry'],
    [{ npm_config_registry: 'x', npm_command: 'exec' }, 'npm_command'],
    [{ npm_config_registry: 'x', npm_lifecycle_event: 'test' }, 'npm_lifecycle_event'],
    [{ npm_config_registry: 'x', npm_execpath: '/pnpm.cjs' }, 'npm_execpath'],
    [{ NPM_CONFIG_REGISTRY: 'x', npm_command: 'exec' }, 'NPM_CONFIG_REGISTRY', 'npm_command'],
  ];
  for (const [env, ...kept] of rows) assert.deepEqual(Object.keys(userEnvironment(env)).sort(), kept);
});

describe('the npm client', () => {
  const place = (file: string) => {
    const root = tempFolder('npm');
    putFiles(root, { [file]: '' });
    return { root, path: join(root, file) };
  };
  const scriptFor = (env: Record<string, string>, node: string, cwd = '/none') => npmScript(env, cwd, node);

  test('is next to node, or on PATH', () => {
    for (const file of ['lib/node_modules/npm/bin/npm-cli.js', 'bin/node_modules/npm/bin/npm-cli.js']) {
      const { root, path } = place(file);
      mkdirSync(join(root, 'bin'), { recursive: true });
      assert.equal(scriptFor({}, join(root, 'bin', 'node')), path);
    }
    const { root, path } = place('node_modules/npm/bin/npm-cli.js');
    assert.equal(scriptFor({ PATH: root }, '/none/bin/node'), path);
  });

  test("is not in the project, nor in the project's node_modules", () => {
    for (const folder of ['node_modules/.bin', 'tools']) {
      const { root } = place(`project/${folder}/node_modules/npm/bin/npm-cli.js`);
      const PATH = join(root, 'project', folder);
      assert.equal(scriptFor({ PATH }, '/none/bin/node', join(root, 'project')), null, folder);
    }
  });
});

test('the cache folder', () => {
  const rows: [env: Record<string, string>, platform: string, folder: string][] = [
    [{ HOME: '/h' }, 'linux', '/h/.cache/clone-prof'],
    [{ HOME: '/h', XDG_CACHE_HOME: '/x' }, 'linux', '/x/clone-prof'],
    // A relative one is ignored, as its specification says.
    [{ HOME: '/h', XDG_CACHE_HOME: 'x' }, 'linux', '/h/.cache/clone-prof'],
    [{ HOME: '/h' }, 'darwin', '/h/Library/Caches/clone-prof'],
    [{ USERPROFILE: '/u', LOCALAPPDATA: '/l' }, 'win32', '/l/clone-prof/cache'],
  ];
  for (const [env, platform, folder] of rows) assert.equal(cacheFolder(env, platform), folder);
});

type Name = string | null;

const PREFIXES = ['@oven/bun-', '@deno/', 'node-', '@cloudflare/workerd-'] as const;

/** The names as npm has them, after the prefix. */
const PACKAGES: [machine: string, bun: Name, deno: Name, node: Name, workerd: Name][] = [
  ['linux-x64', 'linux-x64', 'linux-x64-glibc', 'linux-x64', 'linux-64'],
  ['linux-x64-old', 'linux-x64-baseline', 'linux-x64-glibc', 'linux-x64', 'linux-64'],
  ['linux-x64-musl', 'linux-x64-musl', null, null, null],
  ['linux-x64-musl-old', 'linux-x64-musl-baseline', null, null, null],
  ['linux-arm64', 'linux-aarch64', 'linux-arm64-glibc', 'linux-arm64', 'linux-arm64'],
  ['linux-arm64-musl', 'linux-aarch64-musl', null, null, null],
  ['darwin-x64', 'darwin-x64', 'darwin-x64', 'darwin-x64', 'darwin-64'],
  ['darwin-arm64', 'darwin-aarch64', 'darwin-arm64', 'darwin-arm64', 'darwin-arm64'],
  ['win32-x64', 'windows-x64', 'win32-x64', 'win-x64', 'windows-64'],
  ['win32-arm64', 'windows-aarch64', 'win32-arm64', 'win-arm64', null],
  ['linux-s390x', null, null, null, null],
  ['freebsd-x64', null, null, null, null],
];

for (const [machine, ...names] of PACKAGES)
  test(`the packages for ${machine}`, () => {
    const [platform = '', arch = '', ...more] = machine.split('-');
    const host = { platform, arch, musl: more.includes('musl'), avx2: !more.includes('old') };
    for (const [i, name] of (['bun', 'deno', 'node', 'workerd'] as const).entries()) {
      if (names[i] === null) {
        assert.throws(() => npmPackageOf(name, host), isToolError('runtime-no-build'));
        continue;
      }
      const found = npmPackageOf(name, host);
      assert.equal(found.package, `${PREFIXES[i]}${names[i]}`);
      assert.equal(found.binary.endsWith('.exe'), platform === 'win32');
    }
    assert.throws(() => npmPackageOf('electron', host), /npm install electron/);
  });

test('a spec means a version', () => {
  const published = {
    versions: ['1.3.14', '1.4.0', '1.4.5', '1.4.6-canary.1'],
    tags: new Map([
      ['latest', '1.4.0'],
      ['next', '1.4.6-canary.1'],
    ]),
  };
  const rows = {
    ...{ bun: '1.4.5', 'bun@': '1.4.5', 'bun@latest': '1.4.5', 'bun@1': '1.4.5', 'bun@1.3': '1.3.14' },
    ...{ 'bun@<1.4': '1.3.14', 'bun@v1.4.0': '1.4.0', 'bun@next': '1.4.6-canary.1' },
    'bun@1.4.6-canary.1': '1.4.6-canary.1',
  };
  for (const [spec, version] of Object.entries(rows))
    assert.equal(chooseVersion(parseSpec(spec), published), version, spec);
});

test('a spec that is not a version is refused before npm is started', async () => {
  const malformed = isToolError('version-malformed', /is not a version, a range/);
  for (const wanted of [
    ...['!', 'constructor', '__proto__', 'toString', 'hasOwnProperty', '../../x', 'file:x', 'npm:evil'],
    ...['https://example.org/x.tgz', '1.0 || evil', 'git+ssh://x', '-1', '--registry=http://x', '.', '..'],
    ...['a/b', '\u0000', '@1'],
  ]) {
    assert.throws(() => parseSpec(`bun@${wanted}`), malformed, wanted);
    await assert.rejects(removeCached(`bun@${wanted}`, {}), malformed, wanted);
  }
  for (const spec of ['rhino@1', '@oven/bun'])
    assert.throws(
      () => parseSpec(spec),
      isToolError('runtime-unknown', /^unknown runtime '.*Known: node, bun/),
    );
  for (const [spec, oldest] of [
    ['bun@1.1.0', 'bun@1.2.20'],
    ['bun@<1.2', 'bun@1.2.20'],
    ['deno@2.4', 'deno@2.5.0'],
  ]) {
    const message = new RegExp(`^${spec} is too old: ${oldest} is the oldest version that works$`);
    await assert.rejects(provision(spec!, { env: {} }), isToolError('runtime-too-old', message));
  }
});

test('what a registry answers is checked', () => {
  for (const evil of ['../../../x', 'https://example.org/x.tgz', '>=1', { toString: 1 }, undefined]) {
    const answer = publishedFrom({ versions: ['1.4.0'], 'dist-tags': { evil } });
    assert.throws(() => chooseVersion(parseSpec('bun@evil'), answer), isToolError('version-unknown'));
  }
  const versions = ['../../x', 'v1.4.1', '1.4', '1.3.14', 7, null];
  assert.deepEqual(publishedFrom({ versions }).versions, ['1.3.14']);
  assert.deepEqual(publishedFrom({ versions: '1.0.0' }).versions, ['1.0.0']);
  assert.deepEqual(publishedFrom(null).versions, []);
});
