import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onlyInWhole } from './whole.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SCRIPT = `import { missing, runtime } from './test/support/runtimes.ts';
const bun = () => { try { return runtime('bun@1.4.5').spec } catch (error) { return error.message } };
console.log(JSON.stringify([missing('node'), missing('node', 'bun@1.4.5'), bun(), missing('chromium') === false]));`;

/** What the module says in a process with these runtimes. */
async function saidWith(runtimes: object, ci: string): Promise<unknown> {
  const env = { ...process.env, CI: ci, CLONE_PROF_TEST_RUNTIMES: JSON.stringify(runtimes) };
  const args = ['--import', 'tsx', '--input-type=module', '-e', SCRIPT];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
  return JSON.parse(stdout);
}

const ABSENT = 'bun@1.4.5 is missing: it is not on this machine, and could not be fetched';
const REASON = 'bun@1.4.5: not here. npm test fetches it, and fails without it when CI=true';
/** npm has Chromium there. */
const mustHaveIt = process.platform === 'linux' && process.arch === 'x64';
const HERE = { 'bun@1.4.5': { spec: 'bun@1.4.5' } };

const ROWS: [what: string, runtimes: object, ci: string, said: unknown[], skip: string | false][] = [
  ['a missing runtime is a reason to skip', {}, '', [false, REASON, ABSENT, false], onlyInWhole],
  [
    'a missing runtime is not a reason to skip when CI=true',
    {},
    'true',
    [false, false, ABSENT, mustHaveIt],
    false,
  ],
  ['a runtime that is here is used', HERE, '', [false, false, 'bun@1.4.5', false], onlyInWhole],
];
for (const [what, runtimes, ci, said, skip] of ROWS)
  test(what, { skip }, async () => assert.deepEqual(await saidWith(runtimes, ci), said));
