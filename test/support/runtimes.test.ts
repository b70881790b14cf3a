import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from './spawn-cli.ts';

const SCRIPT = `import { missing, runtime } from './test/support/runtimes.ts';
const bun = () => { try { return runtime('bun@1.4.5').spec } catch (error) { return error.message } };
console.log(JSON.stringify([missing('node'), missing('node', 'bun@1.4.5'), bun()]));`;

test('a missing runtime is not a reason to skip when CI=true', async () => {
  const env = { ...process.env, CI: 'true', CLONE_PROF_TEST_RUNTIMES: '{}' };
  const args = ['--import', 'tsx', '--input-type=module', '-e', SCRIPT];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  const absent = 'bun@1.4.5 is missing: it is not on this machine, and could not be fetched';
  assert.deepEqual(JSON.parse(stdout), [false, false, absent]);
});
