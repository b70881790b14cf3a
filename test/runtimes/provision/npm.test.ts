import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { npmCommand, ownSettings } from '../../../src/runtimes/provision/npm.ts';
import { type ProvisionOptions, provision } from '../../../src/runtimes/provision/provision.ts';
import { until } from '../../support/child-processes.ts';
import { isToolError } from '../../support/tool-errors.ts';
import { fakeRegistry } from './fake-npm/registry.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PROVISION = join(ROOT, 'src/runtimes/provision/provision.ts');
/** What came from the registry of the fake npm. */
const FROM = 'registry.example-d318d753';
const FETCH = `import { provision } from ${JSON.stringify(PROVISION)}; await provision('bun@1.4.5', { known: {} });`;
/** As JavaScript, within this project for its packages. */
const script = join(ROOT, '.cache', `fetch-${process.pid}.mjs`);
after(() => rm(script, { force: true }));
await build({
  ...{ stdin: { contents: FETCH, resolveDir: ROOT }, outfile: script },
  ...{ bundle: true, platform: 'node', format: 'esm', packages: 'external' },
});

describe('the npm client', () => {
  const place = async (t: TestContext, file: string) => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'clone-prof-npm-')));
    t.after(() => rm(root, { recursive: true, force: true }));
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), '');
    return { root, path: join(root, file) };
  };
  const asked = (env: Record<string, string>, node: string) => npmCommand(env, '/none', node).at(-1);

  test('is the one that runs this process, also as npx', async (t) => {
    const { root, path } = await place(t, 'npm/npm-cli.js');
    for (const script of ['npm-cli.js', 'npx-cli.js']) {
      assert.equal(asked({ npm_execpath: join(root, 'npm', script) }, '/none/bin/node'), path);
    }
  });

  test('is not yarn or pnpm', async (t) => {
    const { path } = await place(t, 'pnpm.cjs');
    assert.equal(asked({ npm_execpath: path }, '/none/bin/node'), undefined);
  });

  test('is the one beside node', async (t) => {
    for (const file of ['lib/node_modules/npm/bin/npm-cli.js', 'bin/node_modules/npm/bin/npm-cli.js']) {
      const { root, path } = await place(t, file);
      await mkdir(join(root, 'bin'), { recursive: true });
      assert.equal(asked({}, join(root, 'bin', 'node')), path);
    }
  });

  test('is the one on PATH', async (t) => {
    const { root, path } = await place(t, process.platform === 'win32' ? 'npm.exe' : 'npm');
    assert.deepEqual(npmCommand({ PATH: `/none${delimiter}${root}` }, '/none', '/none/bin/node'), [path]);
  });

  test("is not one of the project's, nor of node_modules on PATH", async (t) => {
    for (const file of ['node_modules/.bin/npm', 'tools/npm', 'tools/node_modules/npm/bin/npm-cli.js']) {
      const { root, path } = await place(t, `project/${file}`);
      const folders = [dirname(path), join(root, 'project', 'tools')];
      const PATH = folders.join(delimiter);
      assert.deepEqual(npmCommand({ PATH }, join(root, 'project'), '/none/bin/node'), [], file);
    }
  });

  test('is empty when there is none', () =>
    assert.deepEqual(npmCommand({ PATH: '' }, '/none', '/none/bin/node'), []));
});

describe('the settings that npm gets', () => {
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
    test(name, { skip: process.platform === 'win32' }, () =>
      assert.deepEqual(Object.keys(ownSettings(env)).sort(), kept),
    );
  }
});

describe('an interrupted fetch', () => {
  for (const hang of ['view', 'pack'] as const) {
    test(`during npm ${hang} ends npm and leaves nothing`, async (t) => {
      const { options, cache, asked } = await fakeRegistry(t, { hang, asProcess: true });
      const stop = new AbortController();
      const fetching = provision('bun@1.4.5', { ...options, signal: stop.signal });
      const refused = assert.rejects(fetching, isToolError('interrupted', /interrupted/));
      await until(async () => (await asked()).some((line) => line.includes(hang)), notReached);
      stop.abort();
      await refused;
      assert.equal(isRunning(await npmPid(asked)), false);
      assert.deepEqual(await readdir(join(cache, 'tmp')).catch(() => []), []);
    });
  }
});

describe('a process that fetches', { skip: process.platform === 'win32' }, () => {
  test('killed while it downloads: npm ends too, and the next run repairs the cache', async (t) => {
    const registry = await fakeRegistry(t, { hang: 'pack', asProcess: true });
    const other = otherProcess(registry.options);
    await until(async () => (await registry.asked()).some((line) => line.includes('pack')), notReached);
    const npm = await npmPid(registry.asked);
    await killed(other);
    await until(
      () => !isRunning(npm),
      () => `npm (${npm}) is still running`,
    );
    await assertRepaired(registry);
  });

  test('killed while it reads the package: the next run repairs the cache', async (t) => {
    const registry = await fakeRegistry(t, { blocksUnpacking: true });
    const other = otherProcess(registry.options);
    const tmp = join(registry.cache, 'tmp');
    await until(async () => {
      const [temp] = await readdir(tmp).catch(() => []);
      return (
        temp !== undefined &&
        (await readdir(join(tmp, temp)).catch((): string[] => [])).includes('package-1.0.0.tgz')
      );
    }, notReached);
    await killed(other);
    await assertRepaired(registry);
  });

  test('two at once both get the runtime', async (t) => {
    const { options, cache } = await fakeRegistry(t);
    const ends = [otherProcess(options), otherProcess(options)].map((run) => once(run, 'exit'));
    assert.deepEqual((await Promise.all(ends)).flat(), [0, null, 0, null]);
    assert.deepEqual(await readdir(join(cache, 'runtimes', FROM, 'bun')), ['1.4.5']);
    assert.deepEqual(await readdir(join(cache, 'tmp')), []);
    assert.equal((await provision('bun@1.4.5', { ...options, offline: true })).version, '1.4.5');
  });
});

const notReached = () => 'the fetch did not get to where it should be interrupted';

function otherProcess({ env }: ProvisionOptions): ChildProcess {
  return spawn(process.execPath, [script], { cwd: ROOT, env, stdio: 'ignore' });
}

async function killed(child: ChildProcess): Promise<void> {
  assert.equal(child.exitCode, null);
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const npmPid = async (asked: () => Promise<string[]>) => Number((await asked()).at(-1)?.split(' ')[0]);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The killed run left its temporary folder and no runtime. */
async function assertRepaired({ cache, but }: Awaited<ReturnType<typeof fakeRegistry>>): Promise<void> {
  assert.deepEqual(await readdir(join(cache, 'runtimes', FROM, 'bun')).catch(() => []), []);
  assert.notDeepEqual(await readdir(join(cache, 'tmp')), []);
  const whole = but({});
  assert.equal((await provision('bun@1.4.5', whole)).version, '1.4.5');
  assert.deepEqual(await readdir(join(cache, 'tmp')), []);
}
