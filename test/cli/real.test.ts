/** The whole program with real runtimes. Numbers differ from run to run: facts are compared, and exact words without numbers. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Report, Run } from '../../src/model/report.ts';
import { markChildren } from '../runtimes/left-behind.ts';
import { runtime } from '../support/runtimes.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BIN = join(ROOT, 'bin', 'clone-prof.js');
const folder = mkdtempSync(join(tmpdir(), 'clone-prof real '));
const { left } = markChildren();
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  assert.deepEqual(await left(), [], 'a process was left behind');
});

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function started(args: string[], cwd = ROOT): ChildProcess {
  const env = { ...process.env, COLUMNS: '80', NO_COLOR: '1' };
  return spawn(process.execPath, [BIN, ...args], { cwd, env });
}

async function ended(child: ChildProcess): Promise<Ended> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  child.stdout?.on('data', (piece: Buffer) => stdout.push(piece.toString()));
  child.stderr?.on('data', (piece: Buffer) => stderr.push(piece.toString()));
  child.stdin?.end();
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout: stdout.join(''), stderr: stderr.join('') };
}

const clone = (...args: string[]): Promise<Ended> => ended(started(args));

const binary = async (spec: string): Promise<string> => (await runtime(spec)).binary;

async function reported(...args: string[]): Promise<Report> {
  const { code, stdout, stderr } = await clone('analyze', ...args, '-f', 'json');
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

/** Without what differs between machines: numbers with units, versions, the machine's own line. */
const normal = (text: string) =>
  text
    .replace(/\d[\d.,]* (values|levels|B|kB|MB)\b/g, '<n> $1')
    .replace(/(node|bun|deno) \d+\.\d+\.\d+/g, '$1 <v>')
    .replace(/\n[^\n]*\bcores\b[\s\S]*$/, '\n');

test('orders on three runtimes, classified', async () => {
  const runtimes = ['node', await binary('bun@1.4.5'), await binary('deno@2.9.6')];
  const { code, stdout, stderr } = await clone(
    'analyze',
    'fixtures/orders.json',
    '--no-measure',
    '-r',
    ...runtimes,
  );
  assert.equal(stderr, '');
  assert.equal(code, 0);
  const text = normal(stdout);
  const file = new URL('transcripts/real-orders.md', import.meta.url);
  if (process.env.UPDATE) writeFileSync(file, text);
  assert.equal(text, readFileSync(file, 'utf8'));
});

test('the cliff of Bun: one level of nesting costs the shared string, and the advice gives it back', async () => {
  const report = await reported('fixtures/cliff.mjs', '-r', await binary('bun@1.4.5'), '-b', '3s');
  const [flat, wrapped] = [runOf(report, 'cliff#flat'), runOf(report, 'cliff#wrapped')];
  assert.equal(flat.verdict?.path, 'simple-object');
  assert.equal(flat.verdict.confirmed, true);
  assert.equal(wrapped.verdict?.path, 'serializer');
  assert.equal(wrapped.verdict.confirmed, true);
  assert.deepEqual(
    wrapped.verdict.blockers.map(({ rule, path }) => [rule, path]),
    [['jsc/nested-value', '$.task']],
  );
  const ratio = (wrapped.measurement?.send.median ?? 0) / (flat.measurement?.send.median ?? Number.NaN);
  assert.ok(ratio > 100, `send time ratio ${ratio}`);
  assert.equal(wrapped.advice?.action, 'apply');
  const gain = wrapped.advice.gain?.ratio ?? 1;
  assert.ok(gain < 0.1, `${wrapped.advice.remedy} gives ${gain} of the time`);
});

test('new Array(n) against pushed on Node', async () => {
  const report = await reported('fixtures/preallocated.mjs', '-r', 'node', '-b', '3s');
  const holey = runOf(report, 'preallocated#preallocated');
  assert.equal(holey.verdict?.path, 'holey-array');
  assert.equal(runOf(report, 'preallocated#pushed').verdict?.path, 'packed-array');
  const faster = holey.trials.filter(({ outcome }) => outcome === 'faster').map(({ remedy }) => remedy);
  assert.ok(
    faster.some((remedy) => remedy === 'repack' || remedy === 'typed-array'),
    `faster: ${faster}`,
  );
});

test('a function deep inside is named by its path on every runtime', async () => {
  const file = payload(
    'job.mjs',
    'export const job = { steps: [{ run: "a" }, { run: "b", hooks: { done() {} } }] };',
  );
  for (const spec of ['node', 'bun@1.4.5', 'deno@2.9.6']) {
    const report = await reported(file, '-r', spec === 'node' ? spec : await binary(spec), '-b', '1s');
    const { status, verdict, advice } = runOf(report, 'job#job');
    assert.equal(verdict?.path, 'rejected', spec);
    assert.match(verdict.refusal ?? '', /cloned/, spec);
    assert.equal(verdict.confirmed, true, spec);
    assert.ok(
      verdict.blockers.some(({ rule, path }) => rule === 'spec/function' && path === '$.steps[1].hooks.done'),
      `${spec}: ${JSON.stringify(verdict.blockers)}`,
    );
    assert.notEqual(status, 'failed', spec);
    assert.notEqual(advice?.action, 'nothing', spec);
  }
});

test('a module that prints, one that exits, malformed JSON: each is named, the good one is analysed', async () => {
  const [loud, exits, bad] = [
    payload('loud.mjs', 'for (let i = 0; i < 5000; i++) console.log("{}"); export const rows = [1, 2];'),
    payload('exits.mjs', 'process.exit(7); export const rows = [1];'),
    payload('bad.json', '{\n  "a": [1, 2,, 3]\n}'),
  ];
  const { code, stdout, stderr } = await clone('analyze', loud, exits, bad, '--no-measure', '-r', 'node');
  assert.equal(code, 2);
  assert.equal(stderr, '');
  const text = stdout.replace(/\s+/g, ' ');
  assert.match(text, /loud#rows[^✖]*Path: packed-array[^✖]*confirmed by the engine/);
  assert.match(text, /exits\.mjs: the process ended by itself \(exit code 7\)/);
  assert.match(text, /bad\.json:2:14: not valid JSON \(a value expected\)/);
});

test('a payload where nothing helps gets told so', async () => {
  const file = payload('text.mjs', `export const text = 'x'.repeat(200_000);`);
  const { advice, trials } = runOf(await reported(file, '-r', 'node', '-b', '1s'), 'text#text');
  assert.ok(advice && advice.action !== 'apply', advice?.action);
  assert.ok(trials.every(({ outcome }) => outcome !== 'faster'));
});

test('Ctrl-C while measuring: what is done is reported, exit code 130, nothing is left behind', async () => {
  const child = started(['analyze', 'fixtures/orders.json', '-r', 'node', '-b', '30s']);
  const end = ended(child);
  setTimeout(() => child.kill('SIGINT'), 1500);
  const { code, stdout } = await end;
  assert.equal(code, 130);
  assert.match(stdout, /orders/);
});

if (process.platform !== 'win32')
  test('Ctrl-C while waiting for a pipe that nobody writes to', async () => {
    const pipe = join(folder, 'pipe.json');
    const made = spawn('mkfifo', [pipe]);
    await new Promise((resolve) => made.on('close', resolve));
    const child = started(['analyze', pipe, '--no-measure', '-r', 'node']);
    const end = ended(child);
    setTimeout(() => child.kill('SIGINT'), 700);
    assert.equal((await end).code, 130);
  });
