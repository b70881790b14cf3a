import { spawnSync } from 'node:child_process';

/** One thing whose cost is compared with others in the same run. */
export interface TimedCommand {
  name: string;
  /** Runs once; returns ms. */
  run: () => number | Promise<number>;
}

export interface TimedResult {
  name: string;
  /** Raw samples, ms, in the order taken. */
  samples: number[];
  median: number;
}

export const medianOf = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** Commands interleaved, so that drift of a noisy machine affects all alike; compare the medians as ratios. */
export async function interleave(variants: TimedCommand[], rounds: number): Promise<TimedResult[]> {
  const samples = variants.map(() => [] as number[]);
  for (let round = -1; round < rounds; round++) {
    for (const [i, variant] of variants.entries()) {
      const ms = await variant.run();
      // The first round warms disk and page caches and is not counted.
      if (round >= 0) samples[i]!.push(ms);
    }
  }
  return variants.map(({ name }, i) => ({ name, samples: samples[i]!, median: medianOf(samples[i]!) }));
}

/** A variant that is a whole command; its exit code must be 0. Peak resident memory goes to `onPeak`, in kB. */
export function command(name: string, file: string, args: string[], options: { cwd: string }): TimedCommand {
  return {
    name,
    run: () => {
      const start = performance.now();
      const result = spawnSync(file, args, {
        ...options,
        stdio: ['ignore', 'ignore', 'pipe'],
        timeout: 120_000,
      });
      const ms = performance.now() - start;
      if (result.status !== 0) {
        throw new Error(`${name}: exit ${result.status ?? result.signal}\n${result.stderr}`);
      }
      return ms;
    },
  };
}
