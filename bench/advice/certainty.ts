/** When the samples of a benchmark tell that a rewrite wins: by intervals that the benchmark libraries do not give. */

import type { RatioEstimate } from '../../src/model/documents/measurement.ts';
import { ratioInterval } from '../../src/stats/intervals/intervals.ts';
import { seeded } from '../../src/stats/intervals/random.ts';

/** Samples of one variant in ns, a list for each process. */
export type Samples = number[][];

const DRAWS = 1000;
/** From so many samples on, the median of as many draws from them is drawn at once. */
const MANY = 100;
/** As `analyze` decides: an effect of 5 % counts as none, and a simpler rewrite may take 1.25 times the time. */
const GAIN_THAT_COUNTS = 0.95;
const SIMILAR = 1.25;

const middleOf = (sorted: readonly number[]): number => {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

const ordered = (values: readonly number[]) => [...values].sort((a, b) => a - b);

/** Median of as many draws with replacement; of n uniform numbers it is about normal, with deviation 1 / 2 sqrt(n). */
function drawnMedian(sorted: readonly number[], random: () => number): number {
  const { length } = sorted;
  if (length < MANY) return middleOf(ordered(sorted.map(() => sorted[Math.floor(random() * length)]!)));
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const at = 0.5 + normal / (2 * Math.sqrt(length));
  return sorted[Math.min(length - 1, Math.max(0, Math.floor(at * length)))]!;
}

const UNKNOWN: RatioEstimate = { ratio: 1, ci: [0, Number.POSITIVE_INFINITY] };

/**
 * Ratio of medians with its interval: that of `analyze`, which holds over processes. Of one process, its samples are drawn,
 * as such benchmarks do. Processes that did not time both do not count.
 */
export function ratioOf(candidate: Samples, original: Samples, seed: number): RatioEstimate {
  const timed = candidate.flatMap((samples, i) => (samples.length > 0 && original[i]!.length > 0 ? [i] : []));
  const of = (samples: Samples): Samples => timed.map((i) => samples[i]!);
  if (timed.length !== 1) return ratioInterval(of(candidate), of(original), seed) ?? UNKNOWN;
  const [one, other] = [ordered(candidate[timed[0]!]!), ordered(original[timed[0]!]!)];
  return { ratio: middleOf(one) / middleOf(other), ci: drawnInterval([one, other], seeded(seed)) };
}

function drawnInterval(
  [one, other]: readonly [readonly number[], readonly number[]],
  random: () => number,
): [number, number] {
  const drawn = Array.from({ length: DRAWS }, () => drawnMedian(one, random) / drawnMedian(other, random));
  const sorted = ordered(drawn);
  return [sorted[Math.floor(0.025 * DRAWS)]!, sorted[Math.floor(0.975 * DRAWS)]!];
}

/**
 * The winner is faster by more than what counts as none, its interval is as narrow as asked for (high over low), and no
 * other is clearly better by more than a simpler rewrite may cost.
 */
export function tells(winner: RatioEstimate, others: readonly RatioEstimate[], width: number): boolean {
  const [low, high] = winner.ci;
  if (high >= 1 || winner.ratio > GAIN_THAT_COUNTS || high / low > width) return false;
  return !others.some(({ ratio, ci }) => ci[1] < low && ratio * SIMILAR < winner.ratio);
}
