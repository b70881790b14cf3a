import { mean, median } from './quantiles.ts';
import { type Random, randomBelow } from './random.ts';
import { studentFactor } from './student.ts';

/**
 * Consecutive messages are correlated (a neighbour takes the CPU, the collector runs, the clock rate changes), so n
 * samples carry less information than n independent ones. Samples of one process are therefore summarized in contiguous
 * blocks, and the blocks are resampled (non-overlapping block bootstrap: Carlstein 1986). Of a slow payload a process has
 * a few messages, and each is a block: what correlation hides in them shows as variation between processes.
 */
const MAX_BLOCKS = 20;

/** From this many blocks on their trimmed mean is stable enough to represent the process. */
const ENOUGH_BLOCKS = 8;

/** Samples of one process on the log scale. `blocks` is empty when there are too few samples for blocks. */
type ProcessSummary = { centre: number; blocks: readonly number[] };

/**
 * Log medians by number of blocks, cached: all candidates are compared with the same original, and each further process
 * evaluates all earlier ones again. Samples do not change after they were taken.
 */
const cache = new WeakMap<readonly number[], Map<number, readonly number[]>>();

function logMedians(samples: readonly number[], blocks: number): readonly number[] {
  const byBlocks = cache.get(samples) ?? new Map<number, readonly number[]>();
  cache.set(samples, byBlocks);
  const known = byBlocks.get(blocks);
  if (known) return known;
  const bound = (block: number): number => Math.floor((block * samples.length) / blocks);
  const logs = Array.from({ length: blocks }, (_, block) =>
    Math.log(median(samples.slice(bound(block), bound(block + 1)))),
  );
  byBlocks.set(blocks, logs);
  return logs;
}

function summarize(samples: number, valuesIn: (blocks: number) => readonly number[]): ProcessSummary {
  const blocks = Math.min(MAX_BLOCKS, samples);
  const values = valuesIn(blocks);
  const centre = blocks < ENOUGH_BLOCKS ? valuesIn(1)[0]! : interquartileMean(Float64Array.from(values));
  return { centre, blocks: values.length > 1 ? values : [] };
}

/** Log of the median, and log medians by block. */
export function summaryOfTimes(samples: readonly number[]): ProcessSummary {
  const { blocks } = summarize(samples.length, (count) => logMedians(samples, count));
  return { centre: Math.log(median(samples)), blocks };
}

/**
 * Log ratio of medians, candidate over original, block by block. Both were sent in the same rounds, so what slows a block
 * down slows both and cancels; one of them may have had several turns in each round. Over the whole process, a bimodal
 * machine can put one median in the fast mode and the other in the slow one.
 */
export function summaryOfRatio(candidate: readonly number[], original: readonly number[]): ProcessSummary {
  return summarize(Math.min(candidate.length, original.length), (blocks) => {
    const base = logMedians(original, blocks);
    return logMedians(candidate, blocks).map((log, block) => log - base[block]!);
  });
}

/**
 * Mean of the middle half: almost as precise as the mean, and not affected by a block with a collector pause.
 *
 * @param values are sorted in place
 */
function interquartileMean(values: Float64Array): number {
  const sorted = values.sort();
  const cut = Math.floor(sorted.length / 4);
  let sum = 0;
  for (let at = cut; at < sorted.length - cut; at++) sum += sorted[at]!;
  return sum / (sorted.length - 2 * cut);
}

/**
 * Prior knowledge of how much processes vary: standard deviation of the log over processes, and the degrees of freedom
 * that it counts for beside the measured processes.
 */
export type Prior = { spread: number; degrees: number };

/** For one message in each of one or two processes, which shows no spread. Wide, and finite: a report is JSON. */
const UNINFORMED: Prior = { spread: 0.5, degrees: 3 };

/**
 * Mean over processes of the variance of the centre, and its degrees of freedom. Blocks are drawn from the deviations in
 * all processes: a few messages of one do not show how rare a pause is.
 */
function withinProcesses(processes: readonly ProcessSummary[], random: Random) {
  const withBlocks = processes.filter(({ blocks }) => blocks.length > 1);
  if (withBlocks.length === 0) return { variance: 0, degrees: 0 };
  const deviations = withBlocks.flatMap(({ blocks }) => pairDeviations(blocks));
  const counts = [...new Set(withBlocks.map(({ blocks }) => blocks.length))];
  const byCount = new Map(counts.map((count) => [count, varianceOfCentre(deviations, count, random)]));
  return {
    variance: mean(withBlocks.map(({ blocks }) => byCount.get(blocks.length)!)),
    degrees: withBlocks.reduce((sum, { blocks }) => sum + blocks.length - 1, 0),
  };
}

/** From the centre of the process, widened by what the centre takes up of so few. */
function pairDeviations(blocks: readonly number[]): number[] {
  const centre = mean(blocks);
  const widened = Math.sqrt(blocks.length / (blocks.length - 1));
  return blocks.map((block) => (block - centre) * widened);
}

/**
 * Interval of the mean over processes. Processes are the independent repetitions (Kalibera & Jones 2013, "Rigorous
 * Benchmarking in Reasonable Time"), and there are 3 to 8 of them. Resampling so few covers far less than its nominal
 * level (Cameron, Gelbach & Miller 2008: use Student's t and a correction). Plain t with two degrees of freedom is four
 * standard errors wide, yet has no width when three processes agree by chance. So the variance over processes is
 * moderated: pooled with the block bootstrap inside the processes and with `prior` (Smyth 2004, "moderated t"), and t
 * takes the degrees of freedom of both. `npm run bench -- statistics` shows the coverage.
 *
 * @returns centre and half width on the log scale
 */
export function moderatedInterval(
  processes: readonly ProcessSummary[],
  usualPrior: Prior,
  confidence: number,
  random: Random,
): { centre: number; half: number } {
  const centre = mean(processes.map((process) => process.centre));
  const measured = processes.length - 1;
  const squares = processes.reduce((sum, process) => sum + (process.centre - centre) ** 2, 0);
  const within = withinProcesses(processes, random);
  const noSpread = measured <= 1 && within.degrees === 0;
  const prior = noSpread ? UNINFORMED : usualPrior;
  const priorDegrees = noSpread ? prior.degrees : Math.min(prior.degrees, within.degrees);
  const degrees = priorDegrees + measured;
  const pooled = (priorDegrees * (within.variance + prior.spread ** 2) + squares) / degrees;
  // A few messages in each process do not show the noise; their medians may agree by chance.
  const variance = within.degrees === 0 ? Math.max(pooled, prior.spread ** 2) : pooled;
  return { centre, half: studentFactor(confidence, degrees) * Math.sqrt(variance / processes.length) };
}

const REPLICATES = 100;

/**
 * Variance of the interquartile mean of `count` blocks, over seeded resamples (Hesterberg 2015, "What Teachers Should Know
 * About the Bootstrap").
 *
 * @param deviations of blocks from the centre of their process: what the samples are drawn from
 */
function varianceOfCentre(deviations: readonly number[], count: number, random: Random): number {
  const drawn = new Float64Array(count);
  let mean = 0;
  let squares = 0;
  for (let replicate = 1; replicate <= REPLICATES; replicate++) {
    for (let at = 0; at < count; at++) drawn[at] = deviations[randomBelow(deviations.length, random)]!;
    const value = interquartileMean(drawn);
    const apart = value - mean;
    mean += apart / replicate;
    squares += apart * (value - mean);
  }
  return squares / (REPLICATES - 1);
}
