import type { CpuContention, RunNoise } from '../../model/documents/measurement.ts';
import type { ContentionCounters } from '../../model/run/runtime.ts';
import { deviation, mean, median, quantile, type Samples } from '../intervals/intervals.ts';
import { isContended } from '../intervals/variant-samples.ts';

/** Noise of the machine, measured by the empty message, which is the same in every run. */
export type Noise = NonNullable<ReturnType<typeof detectNoise>>;

/** Maximum of a quiet machine. Halves of a normal distribution are 2.7 deviations apart, of a uniform one 3.5. */
const QUIET = { spread: 0.25, drift: 0.2, bursts: 0.05, modes: 4 };
export type NoiseKind = keyof typeof QUIET;

const MIN_SAMPLES = 20;
const BURST = 5;
/** Minimum share of the messages in each of two modes; a smaller group is a tail. */
const SMALLEST_MODE = 0.15;
/** Minimum messages to look for modes: with fewer, the best split of one mode looks like two modes. */
const MIN_SAMPLES_FOR_MODES = 100;
const MAX_EXAMINED = 500;

/**
 * Evaluates round trips of the floor in the order taken; null if there are too few. Most noise does not widen
 * intervals, which keep their coverage on simulated machines that swing, drift, burst and change modes (`npm run bench
 * -- statistics`); `widened` is for the rest.
 */
export function detectNoise(floor: Samples) {
  const processes = floor
    .map((samples) => samples.filter((time) => time > 0 && Number.isFinite(time)))
    .filter((samples) => samples.length >= MIN_SAMPLES);
  if (processes.length === 0) return null;
  const facts = {
    /** Standard deviation of the log of the processes' medians: 0.1 is about 10 %. */
    spread: deviation(processes.map((samples) => Math.log(median(samples)))),
    /** Absolute log of the ratio between the last and the first quarter of a process, in the median process. */
    drift: median(processes.map(driftIn)),
    /** Share of messages that took more than five medians: stolen time, neighbours on the machine, the collector. */
    bursts: median(processes.map(countBursts)),
    /** Distance of two modes, in standard deviations of a mode. */
    modes: median(processes.map(countModes)),
  };
  const excess = (kind: NoiseKind): number => facts[kind] / QUIET[kind];
  const kinds = (Object.keys(QUIET) as NoiseKind[]).filter((kind) => excess(kind) > 1);
  /** Kinds that exceed the noise of a quiet machine, the largest excess first. */
  const beyond = kinds.sort((a, b) => excess(b) - excess(a));
  return { ...facts, beyond };
}

/** As far as it exceeds the drift of a quiet machine. */
export const driftBeyond = (noise: Noise | null): number => Math.max(0, (noise?.drift ?? 0) - QUIET.drift);

function driftIn(samples: readonly number[]): number {
  const quarter = Math.floor(samples.length / 4);
  return Math.abs(Math.log(median(samples.slice(-quarter)) / median(samples.slice(0, quarter))));
}

function countBursts(samples: readonly number[]): number {
  const limit = BURST * median(samples);
  return samples.filter((time) => time > limit).length / samples.length;
}

/** Ashman's D of the split in two with the least variance (Otsu 1979), over the body of the logarithms. */
function countModes(samples: readonly number[]): number {
  if (samples.length < MIN_SAMPLES_FOR_MODES) return 0;
  const limit = quantile(samples, 0.95);
  const every = Math.ceil(samples.length / MAX_EXAMINED);
  const body = samples.filter((time, at) => time <= limit && at % every === 0).map(Math.log);
  body.sort((a, b) => a - b);
  const smallest = Math.max(2, Math.ceil(SMALLEST_MODE * body.length));
  let least = Number.POSITIVE_INFINITY;
  let apart = 0;
  for (let at = smallest; at <= body.length - smallest; at++) {
    const [low, high] = [body.slice(0, at), body.slice(at)];
    const [lowVariance, highVariance] = [deviation(low) ** 2, deviation(high) ** 2];
    const left = at * lowVariance + (body.length - at) * highVariance;
    if (left >= least) continue;
    least = left;
    apart = (mean(high) - mean(low)) / Math.sqrt((lowVariance + highVariance) / 2 || 1);
  }
  return apart;
}

/**
 * Shares of the time lost between two reads; null without counters. A group that runs on k cores is throttled on k
 * cores: on each, throttling takes the same share of the time that the group needs.
 */
export function contentionBetween(
  before: ContentionCounters | null,
  after: ContentionCounters | null,
  ms: number,
): CpuContention | null {
  if (before === null || after === null || ms <= 0) return null;
  const lost = (from: number, to: number, of: number): number =>
    of <= 0 ? 0 : Math.min(1, Math.max(0, to - from) / of);
  const [{ stolenMs: stolenBefore, group: groupBefore }, { stolenMs, group }] = [before, after];
  const stolen = stolenBefore === null || stolenMs === null ? null : lost(stolenBefore, stolenMs, ms);
  if (groupBefore === null || group === null) return { stolen, throttled: null };
  const wantedMs = group.usedMs - groupBefore.usedMs + group.throttledMs - groupBefore.throttledMs;
  return { stolen, throttled: lost(groupBefore.throttledMs, group.throttledMs, wantedMs) };
}

/** Minimum share that counts: less is within the steps of the counters (10 ms) and the usual tenth of a percent. */
const NOTICED_SHARE = 0.02;
/** Maximum share: if more than half of the time is lost, wider intervals do not help. */
const MAX_SHARE = 0.5;

/** Widening of intervals; 0 without noticeable contention. */
export function lostShare(contention: CpuContention | null): number {
  const lost = (contention?.stolen ?? 0) + (contention?.throttled ?? 0);
  return lost < NOTICED_SHARE ? 0 : Math.min(MAX_SHARE, lost);
}

/** Combines the noise of empty messages, the waiting of threads for cores, and the counters of the machine. */
export function runNoise(
  { noise, waited, widened }: { noise: Noise | null; waited: number | null; widened: number },
  contention: CpuContention | null,
): RunNoise {
  const lost = (['stolen', 'throttled'] as const).filter((one) => (contention?.[one] ?? 0) >= NOTICED_SHARE);
  const beyond: RunNoise['beyond'] = isContended(waited) ? ['waited', ...lost] : lost;
  const told = { strain: contention, ...(waited !== null && { waited }), widened };
  if (noise === null) return { floor: null, beyond, ...told };
  const { beyond: floorBeyond, ...floor } = noise;
  return { floor, beyond: [...beyond, ...floorBeyond], ...told };
}
