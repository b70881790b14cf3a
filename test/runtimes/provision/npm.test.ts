import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { npmCommand } from '../../../src/runtimes/provision/npm.ts';
import { provision } from '../../../src/runtimes/provision/provision.ts';
import { fails, fakeRegistry } from '../fake-npm/registry.ts';

const PROVISION = fileURLToPath(new URL('../../../src/runtimes/provision/provision.ts', import.meta.url));
const FETCH = `import { provision } from ${JSON.stringify(PROVISION)}; await provision('bun@1.4.5');`;

describe('the npm client', () => {
  const place = async (t: TestContext, file: string) => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'clone-prof-npm-')));
    t.after(() => rm(root, { recursive: true, force: true }));
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), '');
    return { root, path: join(root, file) };
  };
  const asked = (env: Record<string, string>, node: string) => npmCommand(env, node).at(-1);

  test('is the one that runs us, also when npx does', async (t) => {
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
    assert.deepEqual(npmCommand({ PATH: `/none${delimiter}${root}` }, '/none/bin/node'), [path]);
  });

  test('may be missing', () => assert.deepEqual(npmCommand({ PATH: '' }, '/none/bin/node'), []));
});

describe('an interrupted fetch', () => {
  for (const hang of ['view', 'pack'] as const) {
    test(`during npm ${hang} ends npm and leaves nothing`, async (t) => {
      const { options, cache, asked } = await fakeRegistry(t, { hang });
      const stop = new AbortController();
      const fetching = provision('bun@1.4.5', { ...options, signal: stop.signal });
      const refused = assert.rejects(fetching, fails('interrupted', /interrupted/));
      while (!(await asked()).some((line) => line.includes(hang))) await delay(10);
      stop.abort();
      await refused;
      const pid = Number((await asked()).at(-1)?.split(' ')[0]);
      assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
      assert.deepEqual(await readdir(join(cache, 'tmp')).catch(() => []), []);
    });
  }

  test('by SIGKILL ends npm too', async (t) => {
    const { options, asked } = await fakeRegistry(t, { hang: 'pack' });
    const run = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', FETCH], {
      env: options.env,
      stdio: 'ignore',
      timeout: 60_000,
    });
    while (!(await asked()).some((line) => line.includes('pack'))) await delay(10);
    const npm = Number((await asked()).at(-1)?.split(' ')[0]);
    run.kill('SIGKILL');
    const gone = () => {
      try {
        return !process.kill(npm, 0);
      } catch {
        return true;
      }
    };
    for (let waited = 0; !gone(); waited += 10) {
      assert.ok(waited < 5000, `npm (${npm}) lives on`);
      await delay(10);
    }
  });
});
