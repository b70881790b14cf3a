/** What recording costs a program: Node, a program that only posts, one with real work, and the start of threads. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareRecording } from '../../src/runtimes/recorded/recorder.ts';
import { medianOf } from '../interleave.ts';
import { type Row, ratioRow } from '../table.ts';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const ROUNDS = Number(process.env.CLONE_PROF_RUNS ?? 15);

/** Blocks of [posting, whole], ms. */
interface Times {
  raw: [number, number][];
  taped: [number, number][];
}

/** Runs once, with the recorder or without it. @returns what it printed, and how long it took, ms */
async function run(program: readonly string[], isRecorded: boolean): Promise<{ out: string; ms: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'clone-prof-bench-record-'));
  try {
    const { NODE_OPTIONS } = await prepareRecording(folder, {
      values: false,
      mask: false,
      doctor: false,
      root: folder,
    });
    const options = `--require "${here('raw.cjs')}"${isRecorded ? ` ${NODE_OPTIONS}` : ''}`;
    const from = performance.now();
    const ended = spawnSync(process.execPath, [...program], {
      env: { ...process.env, NODE_OPTIONS: options },
      encoding: 'utf8',
    });
    if (ended.status !== 0) throw new Error(`${program.join(' ')}: exit ${ended.status}\n${ended.stderr}`);
    return { out: ended.stdout, ms: performance.now() - from };
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

function startRow(what: string, recorded: number[], bare: number[]): Row {
  const value = medianOf(recorded) - medianOf(bare);
  const note = `${medianOf(bare).toFixed(1)} ms without it`;
  return { what, value, unit: 'ms', budget: 20, held: value <= 20, note, raw: { recorded, bare } };
}

async function starts(): Promise<Row[]> {
  const process = { recorded: [] as number[], bare: [] as number[] };
  const worker = { recorded: [] as number[], bare: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of ['bare', 'recorded'] as const) {
      const isRecorded = kind === 'recorded';
      process[kind].push((await run(['-e', '0'], isRecorded)).ms);
      worker[kind].push(...(JSON.parse((await run([here('start.mjs'), '6'], isRecorded)).out) as number[]));
    }
  }
  return [
    startRow('start of a process, longer by', process.recorded, process.bare),
    startRow('start and end of a worker, longer by', worker.recorded, worker.bare),
  ];
}

export async function record(): Promise<Row[]> {
  return [
    ...(await posting('100,000 small posts', 'small', 100, 2000, 2)),
    ...(await posting('posts with real work', 'work', 160, 20, 1.05)),
    ...(await starts()),
  ];
}
