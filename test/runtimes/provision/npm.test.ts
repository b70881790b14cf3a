import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { npmScript, userEnvironment } from '../../../src/runtimes/provision/provision.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describe('the environment that npm gets', { skip: process.platform === 'win32' }, () => {
  const rows: [name: string, env: Record<string, string>, ...kept: string[]][] = [
    [
      'in a shell, all',
      { npm_config_registry: 'x', NPM_CONFIG_REGISTRY: 'y' },
      'NPM_CONFIG_REGISTRY',
      'npm_config_registry',
    ],
    ['below npx', { npm_config_registry: 'x', npm_command: 'exec' }, 'npm_command'],
    ['below npm run', { npm_config_registry: 'x', npm_lifecycle_event: 'test' }, 'npm_lifecycle_event'],
    ['below yarn or pnpm', { npm_config_registry: 'x', npm_execpath: '/pnpm.cjs' }, 'npm_execpath'],
    ['in capitals', { NPM_CONFIG_REGISTRY: 'x', npm_command: 'exec' }, 'NPM_CONFIG_REGISTRY', 'npm_command'],
  ];
  for (const [name, env, ...kept] of rows) {
    test(name, () => assert.deepEqual(Object.keys(userEnvironment(env)).sort(), kept));
  }
});

describe('the npm client', () => {
  const place = (file: string) => {
    const root = tempFolder('npm');
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
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
