import type { Blocked, Estimate, Measurement, Phases, RoundTrip } from '../../model/documents/measurement.ts';
import { type Channel, isLocal } from '../../model/names.ts';
import type { Measured, Variant } from '../../model/wire/wire.ts';
import { carries, carriesQuantile } from '../evidence.ts';
import { oneWayNs } from '../one-way.ts';
import { histogram } from '../stats/histogram.ts';
import { medianInterval, widened } from '../stats/intervals.ts';
import { mean, median, quantile } from '../stats/quantiles.ts';
import {
  countProcesses,
  FLOOR,
  findSamples,
  findSet,
  ORIGINAL,
  ratioToOriginal,
  type TimedPart,
} from '../stats/variant-samples.ts';

/** Samples of one payload on one runtime over one channel, and how to evaluate them. */
export interface Timings {
  results: readonly Measured[];
  variants: readonly Variant[];
  seed: number;
  /** See `ratioInterval`. */
  looks: number;
  channel: Channel;
  /** What is compared with the original: the intervals of those that were not dropped hold simultaneously. */
  compared: readonly Variant[];
  /** Ids of the candidates that left the race. */
  dropped: readonly string[];
  /** Share by which intervals of ratios are widened: time lost to CPU contention. */
  lost: number;
  /** Share by which intervals of times are widened: the same, and drift of the floor. */
  widened: number;
}

/** Times of the original and the floor; null when the original could not be timed. */
export function toMeasurement(timings: Timings, wireBytes: number | null): Measurement | null {
  const { results, seed, looks, lost } = timings;
  const roundTrip = toRoundTrip(timings);
  if (roundTrip === null) return null;
  const timeOf = ({ id }: Variant, part: TimedPart): Estimate | null =>
    widened(medianInterval(findSamples(results, id, part), seed), timings.widened);
  const times = {
    roundTrip,
    send: timeOf(ORIGINAL, 'send'),
    receive: timeOf(ORIGINAL, 'receive'),
    floor: {
      roundTrip: timeOf(FLOOR, 'roundTrip')?.median ?? 0,
      send: timeOf(FLOOR, 'send')?.median ?? null,
      receive: timeOf(FLOOR, 'receive')?.median ?? null,
    },
  };
  const database = databaseTimes(timeOf);
  const overFloor = widened(ratioToOriginal(results, FLOOR.id, ORIGINAL.id, seed, 1, looks), lost);
  const page = results.find((result) => result.page !== undefined)?.page;
  const answers = results.find((result) => result.answers !== undefined)?.answers;
  return {
    ...(page && { page }),
    ...(answers && { answers }),
    ...times,
    ...(overFloor && { overFloor }),
    cold: { roundTrip: coldTime(results) },
    phases: isLocal(timings.channel) ? null : toPhases({ ...times, ...(answers && { answers }) }),
    ...(database && { database }),
    blocked: blockedTimes(
      originalSamples(results, 'send'),
      originalSamples(results, database ? 'result' : 'receive'),
    ),
    wireBytes,
    peakMemory: null,
    gc: sumCollections(results),
  };
}

/** Null where nothing is waited for. */
function databaseTimes(timeOf: (variant: Variant, part: TimedPart) => Estimate | null) {
  const transaction = timeOf(ORIGINAL, 'written');
  if (transaction === null) return null;
  const floor = {
    transaction: timeOf(FLOOR, 'written')?.median ?? 0,
    result: timeOf(FLOOR, 'result')?.median ?? null,
  };
  return { transaction, result: timeOf(ORIGINAL, 'result'), floor };
}

const originalSamples = (results: readonly Measured[], part: TimedPart): number[] =>
  findSamples(results, ORIGINAL.id, part).flat().filter(Number.isFinite);

function toRoundTrip({ results, seed, widened: share }: Timings): RoundTrip | null {
  const samples = findSamples(results, ORIGINAL.id);
  const estimate = widened(medianInterval(samples, seed), share);
  if (estimate === null) return null;
  const all = originalSamples(results, 'roundTrip');
  // Messages of a sample in the middle process, as each finds out for itself.
  const perSample = results.flatMap((result) => findSet(result, ORIGINAL.id)?.messages ?? []);
  const messages = Math.round(median(perSample) || 1);
  const bins = histogram(all);
  const quantileOf = (share: number) =>
    messages > 1 || !carriesQuantile(all.length, share) ? null : quantile(all, share);
  return {
    ...estimate,
    p95: quantileOf(0.95),
    p99: quantileOf(0.99),
    samples: all.length,
    ...(messages > 1 ? { messagesPerSample: messages } : {}),
    processes: countProcesses(samples),
    ...(bins === undefined ? {} : { histogram: bins }),
  };
}

/**
 * Median over the processes in which the original came first; the first warm message where it never did. null where a
 * message is too short for the clock.
 */
function coldTime(results: readonly Measured[]): number | null {
  const sets = results.flatMap((result) => findSet(result, ORIGINAL.id) ?? []);
  const colds = sets.flatMap((set) => (set.cold === null ? [] : [set.cold]));
  if (colds.length === 0 && results.some(({ page }) => (page?.clockStepNs ?? 0) > 0)) return null;
  return median(colds.length > 0 ? colds : sets.flatMap((set) => set.roundTrip.slice(0, 1)));
}

/** The sum of the counts; the mean share of time, as all processes ran equally long. */
function sumCollections(results: readonly Measured[]): Measurement['gc'] {
  const collections = results.flatMap((result) => result.gc ?? []);
  if (collections.length === 0) return null;
  const count = collections.reduce((sum, gc) => sum + gc.count, 0);
  return { count, share: mean(collections.map((gc) => gc.share)) };
}

/**
 * Phases of one way, which is half of the symmetric round trip, and all but an empty message's way of one with empty answers. Transit is what the empty message takes besides its own
 * sending and receiving: waking the thread, the event loop, the listener. The rest is reported as unaccounted and not
 * distributed: caches that are cold after the other thread's work, collector pauses between the two, or, where negative,
 * work that both threads did at the same time. Null where the channel has no receiving side, or times are not known.
 */
export function toPhases(
  times: Pick<Measurement, 'roundTrip' | 'floor' | 'send' | 'receive' | 'answers'>,
): Phases | null {
  const { roundTrip, send, receive, floor } = times;
  if (send === null || floor.send === null) return null;
  if (receive === null || floor.receive === null || floor.roundTrip === 0) return null;
  if (![roundTrip, send, receive].every((time) => carries(time, 'size'))) return null;
  const oneWay = oneWayNs(times);
  const transit = Math.max(0, floor.roundTrip / 2 - floor.send - floor.receive);
  const unaccounted = oneWay - send.median - receive.median - transit;
  return { oneWay, send: send.median, receive: receive.median, transit, unaccounted };
}

/** A frame at 60 Hz, and the W3C's "long task" (Long Tasks API, section 1). */
const NOTICED_NS = { frame: 16e6, 'long-task': 50e6 } as const;

/**
 * How long one message blocks a thread: the maximum of 99 in 100, so that one time slice taken by the machine does not
 * make a finding, and the maximum of all. Conversions are not included; they count with the remedies.
 */
export function blockedTimes(sends: readonly number[], receives: readonly number[]): Blocked | null {
  if (sends.length === 0) return null;
  const senderNs = quantile(sends, 0.99);
  const receiverNs = receives.length === 0 ? null : quantile(receives, 0.99);
  const worst = Math.max(senderNs, receiverNs ?? 0);
  return {
    senderNs,
    receiverNs,
    longestNs: Math.max(quantile(sends, 1), quantile(receives, 1) || 0),
    exceeds: worst > NOTICED_NS['long-task'] ? 'long-task' : worst > NOTICED_NS.frame ? 'frame' : null,
  };
}
