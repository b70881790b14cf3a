/** Settings of npm. In the whole suite each is compared with what the real npm reads. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { npmScript } from '../../../src/runtimes/provision/npm-program.ts';
import { registryOf, userEnvironment, withoutCredentials } from '../../../src/runtimes/provision/registry.ts';
import { isWhole } from '../../support/whole.ts';

const A = 'https://a.example/npm/';
const B = 'https://b.example/';

interface Scene {
  files?: Record<string, string>;
  /** `<root>`: the folder of the scene. */
  env?: Record<string, string>;
  projectNpmrc?: true;
  expected: string;
}

/** HOME is `home`; the project is `project`. */
const SCENES: Record<string, Scene> = {
  'nothing is set': { expected: 'https://registry.npmjs.org/' },
  'a variable': { env: { NPM_CONFIG_REGISTRY: A }, expected: A },
  'an empty variable does not count': {
    ...{ env: { NPM_CONFIG_REGISTRY: '' }, files: { 'home/.npmrc': `registry = ${A}` }, expected: A },
  },
  'a variable is before a file': {
    ...{ env: { npm_config_registry: B }, files: { 'home/.npmrc': `registry=${A}` }, expected: B },
  },
  'a scope is before all others': {
    ...{
      env: { NPM_CONFIG_REGISTRY: B },
      files: { 'home/.npmrc': `@oven:registry=${A}\nregistry=${B}` },
      expected: A,
    },
  },
  'a scope in a variable': { env: { 'NPM_CONFIG_@oven:registry': A }, expected: A },
  'quotes, comments and the last of two lines': {
    ...{ files: { 'home/.npmrc': `; registry=${B}\nregistry=${B}\n#x\n registry = "${A}"\n` }, expected: A },
  },
  'a variable inside a file': {
    ...{ env: { HOST: 'a.example' }, files: { 'home/.npmrc': 'registry=https://${HOST}/npm/' }, expected: A },
  },
  'a user file elsewhere': {
    ...{ env: { NPM_CONFIG_USERCONFIG: '<root>/mine' }, files: { mine: `registry=${A}` }, expected: A },
  },
  'the global file of a prefix': {
    ...{ env: { NPM_CONFIG_PREFIX: '<root>/all' }, files: { 'all/etc/npmrc': `registry=${A}` }, expected: A },
  },
  'the global file of a prefix that the user file names': {
    files: { 'home/.npmrc': 'prefix=${HOME}/../all', 'all/etc/npmrc': `registry=${A}` },
    expected: A,
  },
  "a project's file is read only on request": {
    ...{ files: { 'project/.npmrc': `registry=${B}`, 'home/.npmrc': `registry=${A}` }, expected: A },
  },
  "a project's file": {
    ...{
      files: { 'project/.npmrc': `registry=${A}`, 'home/.npmrc': `registry=${B}` },
      projectNpmrc: true,
      expected: A,
    },
  },
};

const ALWAYS_COMPARED = [
  'a scope is before all others',
  'the global file of a prefix that the user file names',
];

describe('the registry of a package', () => {
  for (const [name, { files = {}, env: variables = {}, projectNpmrc = false, expected }] of Object.entries(
    SCENES,
  )) {
    test(name, async (t) => {
      const root = realpathSync(mkdtempSync(join(tmpdir(), 'clone-prof-settings-')));
      t.after(() => rmSync(root, { recursive: true }));
      for (const [file, text] of Object.entries({
        'project/package.json': '{}',
        'empty/package.json': '{}',
        ...files,
      })) {
        mkdirSync(dirname(join(root, file)), { recursive: true });
        writeFileSync(join(root, file), text);
      }
      const filled = Object.entries(variables).map(([key, value]) => [key, value.replace('<root>', root)]);
      const env = { PATH: process.env.PATH, HOME: join(root, 'home'), ...Object.fromEntries(filled) };
      const cwd = join(root, 'project');
      assert.equal(registryOf('@oven/bun-linux-x64', { env, cwd, projectNpmrc }), expected);
      if (!isWhole && !ALWAYS_COMPARED.includes(name)) return;
      const script = npmScript(env, cwd) ?? '';
      const where = { cwd: projectNpmrc ? cwd : join(root, 'empty'), env };
      const args = [script, 'config', 'get', '@oven:registry', 'registry'];
      const { stdout } = await promisify(execFile)(process.execPath, args, where);
      const [scope, all] = stdout.split('\n').map((line) => line.slice(line.indexOf('=') + 1));
      assert.equal(scope === 'undefined' ? all : scope, expected, 'of npm');
    });
  }

  test('is printed and kept without credentials', () => {
    assert.equal(withoutCredentials('https://me:word@a.example/npm?x=1'), A);
    assert.equal(withoutCredentials('nonsense'), 'an address that cannot be read');
  });
});

describe('the environment that npm gets', { skip: process.platform === 'win32' }, () => {
  const rows: [name: string, env: Record<string, string>, kept: string[]][] = [
    [
      'in a shell, all',
      { npm_config_registry: 'x', NPM_CONFIG_REGISTRY: 'y' },
      ['NPM_CONFIG_REGISTRY', 'npm_config_registry'],
    ],
    ['below npx', { npm_config_registry: 'x', npm_command: 'exec' }, ['npm_command']],
    ['below npm run', { npm_config_registry: 'x', npm_lifecycle_event: 'test' }, ['npm_lifecycle_event']],
    ['below yarn or pnpm', { npm_config_registry: 'x', npm_execpath: '/pnpm.cjs' }, ['npm_execpath']],
    [
      'in capitals',
      { NPM_CONFIG_REGISTRY: 'x', npm_command: 'exec' },
      ['NPM_CONFIG_REGISTRY', 'npm_command'],
    ],
  ];
  for (const [name, env, kept] of rows) {
    test(name, () =>
      assert.deepEqual(Object.keys(userEnvironment({ env, projectNpmrc: false })).sort(), kept),
    );
  }
});

describe('the npm client', () => {
  const place = (file: string) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'clone-prof-npm-')));
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
    return { root, path: join(root, file) };
  };
  const scriptFor = (env: Record<string, string>, node: string, cwd = '/none') => npmScript(env, cwd, node);

  test('is the script that runs this process, also as npx', () => {
    const { root, path } = place('npm/npm-cli.js');
    for (const script of ['npm-cli.js', 'npx-cli.js'])
      assert.equal(scriptFor({ npm_execpath: join(root, 'npm', script) }, '/none/bin/node'), path);
  });

  test('is not yarn or pnpm', () =>
    assert.equal(scriptFor({ npm_execpath: place('pnpm.cjs').path }, '/none/bin/node'), null));

  test('is beside node, or on PATH', () => {
    for (const file of ['lib/node_modules/npm/bin/npm-cli.js', 'bin/node_modules/npm/bin/npm-cli.js']) {
      const { root, path } = place(file);
      mkdirSync(join(root, 'bin'), { recursive: true });
      assert.equal(scriptFor({}, join(root, 'bin', 'node')), path);
    }
    const { root, path } = place('node_modules/npm/bin/npm-cli.js');
    assert.equal(scriptFor({ PATH: root }, '/none/bin/node'), path);
  });

  test("is not in the project, nor in the project's node_modules", () => {
    for (const file of [
      'node_modules/.bin/node_modules/npm/bin/npm-cli.js',
      'tools/node_modules/npm/bin/npm-cli.js',
    ]) {
      const { root } = place(`project/${file}`);
      const PATH = join(root, 'project', file.slice(0, file.indexOf('/node_modules/npm')));
      assert.equal(scriptFor({ PATH }, '/none/bin/node', join(root, 'project')), null, file);
    }
  });
});
