/**
 * Does our measuring loop measure the same as a hand-written ping-pong? Four loops time the same round trips in the same
 * processes, interleaved slice by slice: ours (as `analyze` runs it, with the floor, fresh worker), one written by hand,
 * mitata and tinybench. What is compared is the median of a process; the result is the median over processes.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { medianOf } from './interleave.ts';
import type { Slice } from './rivals/side-by-side.ts';
import type { Row } from './table.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, '.cache', 'bench', 'harness');
const PROCESSES = Number(process.env.CLONE_PROF_PROCESSES ?? 11);
const TURNS = 4;
const SLICE_MS = 150;
const WITHIN = 0.03;
/** Half the width of the interval that all must reach, as a share of the median. */
const WIDTH = 0.02;
/** Raw samples kept of a slice; all are used. */
const KEPT = 200;

const PAYLOADS: Record<string, () => unknown> = {
  'a number': () => 42,
  'an object of 1 kB': () =>
    Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`field${i}`, `value ${i} of it`])),
  'an array of 1e5 numbers': () => Array.from({ length: 1e5 }, (_, i) => i * 3),
};

type Rivals = Record<string, Slice[]>;

export async function harness(): Promise<Row[]> {
  await bundle();
  const rows: Row[] = [];
  for (const [name, file] of Object.entries(payloadFiles())) {
    const runs: Rivals[] = [];
    for (let seed = 0; seed < PROCESSES; seed++) runs.push(await oneProcess(file, seed));
    rows.push(...rowsOf(name, runs));
  }
  return rows;
}

/** The guest's own measuring code and the rivals in one file; the peers beside it, where both look for them. */
async function bundle(): Promise<void> {
  const rival = (name: string) => join(root, 'bench', 'rivals', `${name}.ts`);
  await build({
    entryPoints: {
      'side-by-side': rival('side-by-side'),
      echo: rival('echo'),
      peer: join(root, 'src', 'guest', 'entries', 'process', 'peer.ts'),
    },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['bun:*', 'v8-profiler-next'],
    logLevel: 'error',
  });
}

function payloadFiles(): Record<string, string> {
  mkdirSync(folder, { recursive: true });
  const made = Object.entries(PAYLOADS).map(([name, value]) => {
    const file = join(folder, `${name.replaceAll(' ', '-')}.json`);
    writeFileSync(file, JSON.stringify(value()));
    return [name, file];
  });
  return { ...Object.fromEntries(made), 'fixtures/orders.json': join(root, 'fixtures', 'orders.json') };
}

async function oneProcess(file: string, seed: number): Promise<Rivals> {
  const ask = JSON.stringify({ file, ms: SLICE_MS, turns: TURNS, seed });
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'side-by-side.mjs'), ask], {
    maxBuffer: 2 ** 30,
    timeout: 120_000,
  });
  return JSON.parse(stdout) as Rivals;
}

const pooled = (slices: Slice[]) => slices.flatMap(({ samples }) => samples);
const medianIn = (run: Rivals, name: string) => medianOf(pooled(run[name] ?? []));

function rowsOf(payload: string, runs: Rivals[]): Row[] {
  const names = Object.keys(runs[0] ?? {});
  const others = names.filter((name) => name !== 'by hand');
  const hand = medianOf(runs.map((run) => medianIn(run, 'by hand')));
  const agreement = others.map((name): Row => {
    const ratios = runs.map((run) => medianIn(run, name) / medianIn(run, 'by hand'));
    const value = 100 * Math.abs(medianOf(ratios) - 1);
    const budget = name === 'clone-prof' ? 100 * WITHIN : null;
    return {
      what: `${name}, off the hand-written loop: ${payload}`,
      value,
      unit: '%',
      budget,
      held: budget === null ? null : value <= budget,
      note: `ratios ${ratios.map((ratio) => ratio.toFixed(3)).join(' ')}; by hand ${(hand / 1000).toFixed(1)} us`,
      raw: { ratios, slices: name === 'clone-prof' ? runs.map(thinned) : undefined },
    };
  });
  return [...agreement, ...names.map((name) => timeRow(payload, name, runs))];
}

/** ms from nothing to a median known within WIDTH: all that is spent, warm-up and other variants included. */
function timeRow(payload: string, name: string, runs: Rivals[]): Row {
  const values = runs.map((run) => {
    const slices = run[name] ?? [];
    const samples = pooled(slices);
    const elapsed = slices.reduce((sum, slice) => sum + slice.elapsedMs, 0);
    return elapsed * Math.min(1, samplesNeeded(samples) / samples.length);
  });
  return {
    what: `${name}, time to +-${100 * WIDTH} %: ${payload}`,
    value: medianOf(values),
    unit: 'ms',
    budget: null,
    held: null,
    raw: values,
  };
}

/** The 95 % order-statistic interval of the median narrows with the root of the number; all samples if never that narrow. */
function samplesNeeded(samples: number[]): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const middle = sorted[sorted.length >> 1] ?? 0;
  for (let n = 16; n < sorted.length; n = Math.ceil(n * 1.2)) {
    const half = 0.98 / Math.sqrt(n);
    const low = sorted[Math.floor(Math.max(0, 0.5 - half) * (sorted.length - 1))] ?? 0;
    const high = sorted[Math.ceil(Math.min(1, 0.5 + half) * (sorted.length - 1))] ?? 0;
    if (high - low <= 2 * WIDTH * middle) return n;
  }
  return samples.length;
}

function thinned(run: Rivals): Record<string, { elapsedMs: number; count: number; samples: number[] }[]> {
  const few = ({ elapsedMs, samples }: Slice) => {
    const step = Math.max(1, Math.floor(samples.length / KEPT));
    const kept = samples.filter((_, i) => i % step === 0).map(Math.round);
    return { elapsedMs, count: samples.length, samples: kept };
  };
  return Object.fromEntries(Object.entries(run).map(([name, slices]) => [name, slices.map(few)]));
}
