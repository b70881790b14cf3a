// One process of the harness comparison: our loop, a hand-written one, mitata and tinybench interleaved, slice by slice.
import { measure as mitata } from 'mitata';
import { Bench } from 'tinybench';
import { measure } from '../../src/guest/measure/measure.ts';
import { givePlatform } from '../../src/guest/platform/common/platform.ts';
import { runningPlatform } from '../../src/guest/platform/process/platforms.ts';
import type { Variant } from '../../src/model/wire/wire.ts';
import '../../test/support/probe.ts';
import { handWritten, openPong, type Pong, tripOf } from './trip.ts';

givePlatform(runningPlatform());

/** One slice: its total duration, ms, and the round trips in ns. */
export interface Slice {
  elapsedMs: number;
  samples: number[];
}

const FLOOR: Variant = { id: 'floor', remedy: null, plan: null, mode: 'floor' };
const ORIGINAL: Variant = { id: 'original', remedy: null, plan: null, mode: 'original' };

async function ours(file: string, ms: number, seed: number): Promise<number[]> {
  const { sets } = await measure({
    type: 'measure',
    recipe: { id: 'payload', source: { file, export: null }, build: { form: 'json', file } },
    channel: 'worker',
    variants: [FLOOR, ORIGINAL],
    sliceMs: ms,
    warmupMs: ms / 5,
    minRounds: 1,
    maxRounds: 1e9,
    seed,
  });
  const original = sets.find(({ variant }) => variant === 'original');
  if (!original || original.error !== null) throw new Error(original?.error ?? 'nothing was measured');
  return original.roundTrip;
}

async function withPong(file: string, work: (pong: Pong) => Promise<number[]>): Promise<number[]> {
  const pong = await openPong(file);
  try {
    return await work(pong);
  } finally {
    await pong.worker.terminate();
  }
}

async function byTinybench(pong: Pong, ms: number): Promise<number[]> {
  const bench = new Bench({
    time: ms,
    warmupTime: ms / 5,
    iterations: 1,
    warmupIterations: 1,
    retainSamples: true,
  });
  bench.add('trip', tripOf(pong));
  await bench.run();
  const result = bench.tasks[0]?.result as { latency?: { samples?: number[] } } | undefined;
  return (result?.latency?.samples ?? []).map((sample) => sample * 1e6);
}

async function byMitata(pong: Pong, ms: number): Promise<number[]> {
  const { samples } = await mitata(tripOf(pong), {
    min_cpu_time: ms * 1e6,
    min_samples: 10,
    max_samples: 1e9,
  });
  return samples;
}

const RIVALS: Record<string, (file: string, ms: number, seed: number) => Promise<number[]>> = {
  'clone-prof': ours,
  'by hand': (file, ms) => withPong(file, (pong) => handWritten(pong, ms)),
  mitata: (file, ms) => withPong(file, (pong) => byMitata(pong, ms)),
  tinybench: (file, ms) => withPong(file, (pong) => byTinybench(pong, ms)),
};

const { file, ms, turns, seed } = JSON.parse(process.argv[2] ?? '{}') as {
  file: string;
  ms: number;
  turns: number;
  seed: number;
};
const names = Object.keys(RIVALS);
const slices: Record<string, Slice[]> = Object.fromEntries(names.map((name) => [name, []]));
for (let turn = 0; turn < turns; turn++) {
  for (let i = 0; i < names.length; i++) {
    // Each begins equally often, so that none always runs after the same other.
    const name = names[(i + turn + seed) % names.length]!;
    const began = performance.now();
    const samples = await RIVALS[name]!(file, ms, seed + turn);
    slices[name]!.push({ elapsedMs: performance.now() - began, samples });
  }
}
process.stdout.write(JSON.stringify(slices));
