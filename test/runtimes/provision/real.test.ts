import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ToolError } from '../../../src/model/errors.ts';
import { provision } from '../../../src/runtimes/provision/provision.ts';

const PROVISION = fileURLToPath(new URL('../../../src/runtimes/provision/provision.ts', import.meta.url));
const FETCH = `import { provision } from ${JSON.stringify(PROVISION)};
const { binary } = await provision('bun@1.4.5', { onNote: (text) => console.error(text) });
console.log(binary);`;
const TIMEOUT = 180_000;

async function emptyCache(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), 'clone-prof-real-'));
  t.after(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  const env = { ...process.env, XDG_CACHE_HOME: root };
  const tmp = join(root, 'clone-prof', 'tmp');
  return {
    root,
    env,
    tmp,
    versions: () => readdir(join(root, 'clone-prof', 'runtimes', 'bun')).catch(() => []),
  };
}

/** Another run of the tool that fetches bun@1.4.5, in a process of its own. */
function otherRun(env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', FETCH], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: TIMEOUT,
  });
}

async function versionOf(binary: string): Promise<string> {
  return (await promisify(execFile)(binary, ['--version'], { timeout: 30_000 })).stdout.trim();
}

async function until(what: () => Promise<boolean>, run: ChildProcess): Promise<void> {
  while (!(await what())) {
    assert.equal(run.exitCode, null, 'the run ended before the moment came');
    await delay(2);
  }
}

const ended = (run: ChildProcess) =>
  new Promise<number | null>((done) => run.once('exit', (code) => done(code)));

describe('a fetch that is killed', () => {
  const inTemp = (tmp: string, file: string) => async () => {
    const [folder] = await readdir(tmp).catch(() => []);
    return folder !== undefined && (await stat(join(tmp, folder, file)).catch(() => null)) !== null;
  };
  const moments: [name: string, file: string][] = [
    ['while it downloads', '.'],
    ['while it unpacks', 'entry/bun'],
  ];
  for (const [name, file] of moments) {
    test(`${name} leaves no runtime, and the next run repairs`, { timeout: TIMEOUT }, async (t) => {
      const { env, tmp, versions } = await emptyCache(t);
      const run = otherRun(env);
      await until(inTemp(tmp, file), run);
      const gone = ended(run);
      run.kill('SIGKILL');
      await gone;
      assert.deepEqual(await versions(), []);
      assert.equal((await readdir(tmp)).length, 1);
      const { binary } = await provision('bun@1.4.5', { env });
      assert.equal(await versionOf(binary), '1.4.5');
      assert.deepEqual(await readdir(tmp), []);
    });
  }
});

test('two runs at once both get the runtime', { timeout: TIMEOUT }, async (t) => {
  const { env, tmp, versions } = await emptyCache(t);
  const runs = [otherRun(env), otherRun(env)];
  const codes = await Promise.all(runs.map(ended));
  assert.deepEqual(codes, [0, 0]);
  assert.deepEqual(await versions(), ['1.4.5']);
  assert.deepEqual(await readdir(tmp), []);
  const { binary } = await provision('bun@1.4.5', { env, offline: true });
  assert.equal(await versionOf(binary), '1.4.5');
});

test('a registry that cannot be reached is said within seconds', { timeout: TIMEOUT }, async (t) => {
  const { env } = await emptyCache(t);
  const nobody = {
    ...env,
    npm_config_registry: 'http://127.0.0.1:9',
    'npm_config_@oven:registry': 'http://127.0.0.1:9',
  };
  const started = performance.now();
  await assert.rejects(
    provision('bun', { env: nobody }),
    (error) => error instanceof ToolError && error.code === 'offline' && /127\.0\.0\.1:9/.test(error.message),
  );
  assert.ok(performance.now() - started < 20_000);
});

test('a version that npm does not have', { timeout: TIMEOUT }, async (t) => {
  const { env } = await emptyCache(t);
  await assert.rejects(
    provision('deno@0.0.1', { env }),
    (error) =>
      error instanceof ToolError &&
      error.code === 'version-unknown' &&
      /The newest: \d+\./.test(error.message),
  );
});
