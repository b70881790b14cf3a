/** The whole program with real runtimes. Times differ from run to run: facts are compared, and words without numbers. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Report, Run } from '../../src/model/documents/report.ts';
import { trackChildProcesses, until } from '../support/child-processes.ts';
import { realCli } from '../support/real-cli.ts';
import { missing, type RuntimeSpec, runtime } from '../support/runtimes.ts';
import { endOf, startCli } from '../support/spawn-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { onlyInWhole } from '../support/whole.ts';

const folder = tempFolder('real');
after(trackChildProcesses());

const argumentFor = (spec: RuntimeSpec): string => (spec === 'node' ? spec : runtime(spec).binary);

/** Measured with the smallest of budgets: what was tried is compared, not what came of it. */
async function measured(file: string, spec: RuntimeSpec, ...options: string[]): Promise<Report> {
  const args = ['analyze', file, '-r', argumentFor(spec), '-b', '100ms', '-f', 'json', ...options];
  const { code, stdout, stderr } = await realCli(args);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Report;
}

function runOf(report: Report, id: string): Run {
  const run = report.payloads.find((payload) => payload.id === id)?.runs[0];
  assert.ok(run, `${id} in ${report.payloads.map((payload) => payload.id)}`);
  return run;
}

function payload(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const BUN = 'bun@1.4.5';
const WRAPPED = [{ rule: 'jsc/nested-value', path: '$.task' }];
const MEASURED: [id: string, options: string[], path: string, blockers: object[], proven: string[]][] = [
  ['cliff#flat', [], 'simple-object', [], []],
  ['cliff#wrapped', [], 'serializer', WRAPPED, ['compiled', 'unwrap-string']],
  // The envelope decides the path; rewrites and their code are for the payload in it.
  ['cliff#flat via piscina', ['--via', 'piscina'], 'serializer', WRAPPED, ['json-text']],
];

for (const [id, options, path, blockers, remedies] of MEASURED)
  test(`Bun shares a string of a flat object; nesting takes that away, and remedies restore it: ${id}`, {
    skip: missing(BUN),
  }, async () => {
    const name = /#(\w+)/.exec(id)![1]!;
    const run = runOf(await measured('fixtures/cliff.mjs', BUN, ...options, '-e', name), id);
    assert.deepEqual([run.status, run.verdict?.path, run.verdict?.confirmed], ['measured', path, true]);
    const found = run.verdict?.blockers.map(({ rule, path }) => ({ rule, path }));
    assert.deepEqual(found, blockers);
    const proven = run.trials.flatMap(({ remedy, equality }) => (equality === 'equal' ? [remedy] : []));
    for (const remedy of remedies) assert.ok(proven.includes(remedy), proven.join());
    if (options.length > 0)
      for (const { path, plan } of run.trials) assert.doesNotMatch(JSON.stringify([path, plan]), /task/);
  });

test('--via on Node: buffers are transferred through the pool, both ways', {
  skip: onlyInWhole,
}, async () => {
  const text = 'export const tile = () => ({ id: 7, data: new Uint8Array(4_000_000).fill(3) });';
  const file = payload('tile.mjs', text);
  const run = runOf(await measured(file, 'node', '--via', 'piscina', '-b', '800ms'), 'tile#tile via piscina');
  const trial = run.trials.find(({ remedy }) => remedy === 'transfer');
  assert.deepEqual([trial?.path, trial?.equality], ['$.data', 'equal']);
  assert.ok(trial?.withConversion, trial?.reason);
  const copying = await measured(file, 'node', '--via', 'jest-worker');
  const names = runOf(copying, 'tile#tile via jest-worker').trials.map(({ remedy }) => remedy);
  assert.ok(!names.includes('transfer'), names.join());
});

test('no remedy is advised if none can be proven, with a timeout that is longer than the longest timer', async () => {
  const file = payload('text.mjs', `export const text = 'x'.repeat(200_000);`);
  const { status, error, advice, trials } = runOf(
    await measured(file, 'node', '--timeout', '9999999'),
    'text#text',
  );
  assert.equal(status, 'measured', error?.message);
  assert.deepEqual(
    trials.map(({ remedy, equality, outcome }) => [remedy, equality, outcome]),
    [['parse-text', 'failed', 'refused']],
  );
  assert.ok(advice && advice.action !== 'apply', advice?.action);
});

test('Ctrl-C while measuring reports finished results with exit code 130, and leaves no process or folder', async () => {
  const temp = join(folder, 'temp');
  mkdirSync(temp);
  const reached = join(folder, 'reached');
  const file = payload(
    'reached.mjs',
    `import { writeFileSync } from 'node:fs'; import { isMainThread } from 'node:worker_threads';
     import { spawn } from 'node:child_process';
     if (isMainThread) spawn('sleep', ['600'], { stdio: 'ignore', detached: ${process.platform === 'linux'} }).unref();
     export const rows = () => { if (!isMainThread) writeFileSync(${JSON.stringify(reached)}, ''); return [1, 2]; };`,
  );
  const env = { ...process.env, TMPDIR: temp };
  const child = startCli(['analyze', file, '-r', 'node', '-b', '300s'], { env });
  const end = endOf(child);
  await until(
    () => existsSync(reached),
    () => 'no worker has built the payload',
  );
  child.kill('SIGINT');
  const { code, stdout } = await end;
  assert.equal(code, 130);
  assert.match(stdout, /reached#rows/);
  assert.deepEqual(readdirSync(temp), []);
});

test('Ctrl-C ends the wait for a pipe that gets no data', {
  skip: process.platform === 'win32',
}, async () => {
  const pipe = join(folder, 'pipe.json');
  execFileSync('mkfifo', [pipe]);
  const child = startCli(['analyze', pipe, '--no-measure', '-r', 'node']);
  const end = endOf(child);
  // Opened for writing as soon as the program has opened it for reading.
  const writer = await open(pipe, 'w');
  child.kill('SIGINT');
  assert.equal((await end).code, 130);
  await writer.close();
});
