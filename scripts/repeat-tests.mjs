// Shows that the test suite passes on every run, also on a busy machine.
// usage: node scripts/repeat-tests.mjs [runs, default 3] [--busy <n>]
//   Each run makes a clean clone of HEAD in a temporary folder and runs `npm ci && npm test` there.
//   --busy n: beside the last n runs, two processes keep two cores busy (default 1).
// Prints the result and the wall time of each run, and the end of the output of those that failed.
// Exit code 1 when a run failed.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const SHOWN_FAILURES = 20;
const SHOWN_LINES = 30;
const BUSY_PROCESSES = 2;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { busy: { type: 'string', default: '1' } },
});
const runs = Number(positionals[0] ?? 3);
const busyRuns = Number(values.busy);

/** Runs a command to its end; what it printed goes with its exit code. */
function run(file, args, cwd) {
  return new Promise((done) => {
    const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece));
    child.on('error', (error) => done({ code: 1, output: `${output}${error.message}` }));
    child.on('close', (code) => done({ code: code ?? 1, output }));
  });
}

/** Stops at the first command that fails. */
async function testClone(folder) {
  for (const [command, cwd] of [
    [['git', 'clone', '--quiet', root, folder], root],
    [['npm', 'ci'], folder],
    [['npm', 'test'], folder],
  ]) {
    const [file, ...args] = command;
    const { code, output } = await run(file, args, cwd);
    if (code !== 0) return `${command.join(' ')} failed with exit code ${code}\n${endOf(output)}`;
  }
  return null;
}

/** The tests that failed, else the last lines. */
function endOf(output) {
  const lines = output.split('\n');
  const failed = lines.filter((line) => /^\s*(not ok|✖)/.test(line)).slice(0, SHOWN_FAILURES);
  return (failed.length > 0 ? failed : lines.slice(-SHOWN_LINES)).join('\n');
}

const keepBusy = () => spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' });

let failures = 0;
for (let number = 1; number <= runs; number++) {
  const isBusy = number > runs - busyRuns;
  const parent = mkdtempSync(join(tmpdir(), 'clone-prof-repeat-'));
  const others = isBusy ? Array.from({ length: BUSY_PROCESSES }, keepBusy) : [];
  const began = performance.now();
  const failure = await testClone(join(parent, 'clone'));
  const seconds = Math.round((performance.now() - began) / 1000);
  for (const other of others) other.kill('SIGKILL');
  rmSync(parent, { recursive: true, force: true });
  const beside = isBusy ? `, beside ${BUSY_PROCESSES} busy processes` : '';
  console.log(
    `run ${number} of ${runs}${beside}: ${failure === null ? 'passed' : 'FAILED'} after ${seconds} s`,
  );
  if (failure !== null) {
    failures++;
    console.log(failure);
  }
}
console.log(`${runs - failures} of ${runs} runs passed`);
process.exitCode = failures > 0 ? 1 : 0;
