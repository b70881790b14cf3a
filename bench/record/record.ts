/** What recording costs a program: Node, a program that only posts, one with real work, and the start of threads. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareRecording } from '../../src/record/program/recorder.ts';
import { medianOf } from '../interleave.ts';
import { type Row, ratioRow } from '../table.ts';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const ROUNDS = Number(process.env.CLONE_PROF_RUNS ?? 15);
/** Starts of processes differ by more than what the recorder adds: of 15 in turns, the medians' difference was 11 ms once and 28 once. */
const STARTS = 4 * ROUNDS;

/** Blocks of [posting, whole], ms. */
interface Times {
  raw: [number, number][];
  taped: [number, number][];
}

/** Runs once, with the recorder or without it. @returns what it printed, and how long it took, ms */
async function run(program: readonly string[], isRecorded: boolean): Promise<{ out: string; ms: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'clone-prof-bench-record-'));
  try {
    const { NODE_OPTIONS = '', ...others } = isRecorded
      ? await prepareRecording(folder, { values: 'none', doctor: false })
      : {};
    const options = `--require "${here('raw.cjs')}" ${NODE_OPTIONS}`;
    const from = performance.now();
    const ended = spawnSync(process.execPath, [...program], {
      env: { ...process.env, ...others, NODE_OPTIONS: options },
      encoding: 'utf8',
    });
    if (ended.status !== 0) throw new Error(`${program.join(' ')}: exit ${ended.status}\n${ended.stderr}`);
    const ms = performance.now() - from;
    // A recorder that did not start would cost nothing.
    if (isRecorded && readdirSync(folder).length === 0)
      throw new Error(`${program.join(' ')}: nothing was recorded`);
    return { out: ended.stdout, ms };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);
/** All blocks to the end, those in which messages were looked at too. */
const whole = (list: readonly [number, number][]): number => sum(list.map(([, ms]) => ms));
const typical = (list: readonly [number, number][]): number => medianOf(list.map(([posted]) => posted));

/**
 * Blocks in turns through the recorder and past it, in one process; by the ratio of the same blocks in a bare process.
 * Processes are not compared with one another: on a virtual machine their speeds differ by 20 % and more.
 */
async function posting(what: string, kind: string, blocks: number, size: number, budget: number) {
  const program = [here('program.mjs'), kind, `${blocks}`, `${size}`];
  const inBlocks: number[] = [];
  const inAll: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bare: Times = JSON.parse((await run(program, false)).out);
    const recorded: Times = JSON.parse((await run(program, true)).out);
    for (const [of, ratios] of [
      [typical, inBlocks],
      [whole, inAll],
    ] as const)
      ratios.push(of(recorded.taped) / of(recorded.raw) / (of(bare.taped) / of(bare.raw)));
  }
  const row = (part: string, raw: number[]) => ({
    ...ratioRow(`${what}: ${part}, with and without the recorder`, medianOf(raw), budget),
    raw,
  });
  return [row('posting, a typical block', inBlocks), row('all blocks to their ends', inAll)];
}

/**
 * A ratio: what both take is up to twice as long in slow hours of a virtual machine. The budgets are 20 ms of what a process (65 ms) and a
 * worker (35 ms) take in good ones.
 */
function startRow(what: string, recorded: number[], bare: number[], budget: number): Row {
  const [longer, shorter] = [medianOf(recorded), medianOf(bare)];
  const note = `${(longer - shorter).toFixed(1)} ms more than ${shorter.toFixed(1)}`;
  return { ...ratioRow(what, longer / shorter, budget), note, raw: { recorded, bare } };
}

async function starts(): Promise<Row[]> {
  const process = { recorded: [] as number[], bare: [] as number[] };
  const worker = { recorded: [] as number[], bare: [] as number[] };
  for (let round = 0; round < STARTS; round++) {
    for (const kind of ['bare', 'recorded'] as const) {
      const isRecorded = kind === 'recorded';
      process[kind].push((await run(['-e', '0'], isRecorded)).ms);
      if (round >= ROUNDS) continue;
      worker[kind].push(...(JSON.parse((await run([here('start.mjs'), '6'], isRecorded)).out) as number[]));
    }
  }
  return [
    startRow(
      'start and end of a process, with and without the recorder',
      process.recorded,
      process.bare,
      1.3,
    ),
    startRow('start and end of a worker, with and without the recorder', worker.recorded, worker.bare, 1.5),
  ];
}

export async function record(): Promise<Row[]> {
  return [
    ...(await posting('100,000 small posts', 'small', 100, 2000, 2)),
    ...(await posting('posts with real work', 'work', 160, 20, 1.05)),
    ...(await starts()),
  ];
}
