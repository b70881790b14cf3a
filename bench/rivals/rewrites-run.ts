// mitata or tinybench on the original and rewrites of one payload: a slice for each line on stdin, with ms per rewrite, or null for the library's own.
import { createInterface } from 'node:readline';
import { measure as mitata } from 'mitata';
import { Bench } from 'tinybench';
import { openRewrites, type Rewrite } from './rewrites.ts';

/** Samples of each rewrite in ns, and ms of the whole slice: warm-up and all. */
export interface RewriteSlice {
  elapsedMs: number;
  samples: number[][];
}

type Trip = () => Promise<void>;

const RIVALS: Record<string, (trips: Trip[], ms: number | null) => Promise<number[][]>> = {
  async mitata(trips, ms) {
    const all: number[][] = [];
    const settings = ms === null ? {} : { min_cpu_time: ms * 1e6, min_samples: 2 };
    for (const trip of trips) all.push((await mitata(trip, settings)).samples);
    return all;
  },
  async tinybench(trips, ms) {
    const least = { iterations: 1, warmupIterations: 1 };
    const settings = ms === null ? {} : { time: ms, warmupTime: ms / 5, ...least };
    const bench = new Bench({ ...settings, retainSamples: true, throws: true });
    for (const [index, trip] of trips.entries()) bench.add(String(index), trip);
    await bench.run();
    return bench.tasks.map(({ result }) => {
      const { latency } = result as { latency?: { samples?: number[] } };
      return (latency?.samples ?? []).map((sample) => sample * 1e6);
    });
  },
};

const { rival, file, rewrites } = JSON.parse(process.argv[2] ?? '{}') as {
  rival: string;
  file: string;
  rewrites: Rewrite[];
};
const { trips, worker } = await openRewrites(file, rewrites);
process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  const began = performance.now();
  const samples = await RIVALS[rival]!(trips, JSON.parse(line) as number | null);
  const slice: RewriteSlice = { elapsedMs: performance.now() - began, samples };
  process.stdout.write(`${JSON.stringify(slice)}\n`);
}
await worker.terminate();
