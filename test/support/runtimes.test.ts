import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onlyInWhole } from './whole.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SCRIPT = `import { missing, runtime } from './test/support/runtimes.ts';
const bun = () => { try { return runtime('bun@1.4.5').spec } catch (error) { return error.message } };
console.log(JSON.stringify([missing('node'), missing('node', 'bun@1.4.5'), bun()]));`;

/** What the module says in a process with these runtimes. */
async function saidWith(runtimes: object, ci: string, script = SCRIPT): Promise<unknown> {
  const env = { ...process.env, CI: ci, CLONE_PROF_TEST_RUNTIMES: JSON.stringify(runtimes) };
  const args = ['--import', 'tsx', '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
  return JSON.parse(stdout);
}

const ABSENT = 'bun@1.4.5 is missing: it is not on this machine, and could not be fetched';

test('a missing runtime is a reason to skip', { skip: onlyInWhole }, async () => {
  const reason = 'bun@1.4.5: not here. npm test fetches it, and fails without it when CI=true';
  assert.deepEqual(await saidWith({}, ''), [false, reason, ABSENT]);
});

test('a missing runtime is not a reason to skip when CI=true', async () => {
  assert.deepEqual(await saidWith({}, 'true'), [false, false, ABSENT]);
});

test('npm has Chromium for Linux on x64: a reason to skip elsewhere, or without CI=true', {
  skip: onlyInWhole,
}, async () => {
  const script = SCRIPT.replace(/\[missing.*/, "missing('chromium')));");
  const npmHasIt = process.platform === 'linux' && process.arch === 'x64';
  assert.match(String(await saidWith({}, '', script)), /^chromium: not here\. /);
  if (npmHasIt) assert.equal(await saidWith({}, 'true', script), false);
});

test('a runtime that is here is used', { skip: onlyInWhole }, async () => {
  const runtimes = { 'bun@1.4.5': { spec: 'bun@1.4.5' } };
  assert.deepEqual(await saidWith(runtimes, ''), [false, false, 'bun@1.4.5']);
});
