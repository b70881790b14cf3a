import type {
  Blocked,
  Estimate,
  Histogram,
  Measurement,
  Phases,
  RatioEstimate,
  RoundTrip,
} from '../../model/documents/measurement.ts';
import type { Trial, TrialOutcome } from '../../model/documents/trial.ts';
import { type Channel, isLocal } from '../../model/names.ts';
import { sumOf } from '../../model/sums.ts';
import type { Measured, MemoryUse, Proof, Variant } from '../../model/wire/wire.ts';
import { cannotBeFaster, carries, carriesQuantile, decide, judgeRatio } from '../evidence.ts';
import { lowerMedian, mean, median, quantile, widened } from '../intervals/intervals.ts';
import {
  comparedIn,
  FLOOR,
  isContended,
  ORIGINAL,
  RunSamples,
  remedyKey,
  type TimedPart,
} from '../intervals/variant-samples.ts';
import { detectNoise, driftBeyond } from './noise.ts';

/** Equal bins of log10(ns): the body stays readable if the tail is ten times as long. undefined without samples. */
export function histogram(samples: ArrayLike<number>, bins = 24): Histogram | undefined {
  // Below 1 ns the clock did not advance: the logarithm of 0 is -Infinity.
  const logs = Float64Array.from(samples, (ns) => Math.log10(Math.max(ns, 1))).sort();
  const [from, to] = [logs[0], logs.at(-1)];
  if (from === undefined || to === undefined) return undefined;
  if (from === to) return { from, to, counts: [logs.length] };
  const counts = new Array<number>(bins).fill(0);
  const width = (to - from) / bins;
  for (const log of logs) counts[Math.min(bins - 1, Math.floor((log - from) / width))]! += 1;
  return { from, to, counts };
}

interface Timings {
  samples: RunSamples;
  variants: readonly Variant[];
  channel: Channel;
  /** Candidates compared with the original. The intervals of candidates that were not dropped hold simultaneously. */
  compared: readonly Variant[];
  dropped: readonly string[];
  /** Widening of intervals of ratios, as a share: time lost to CPU contention, and difference of the two clocks. */
  lost: number;
  /** Widening of intervals of times, as a share: time lost to CPU contention, and drift of the floor. */
  widened: number;
}

function toMeasurement({ samples, channel, lost, widened: share }: Timings): Measurement | null {
  const timeOf = ({ id }: Variant, part: TimedPart) => widened(samples.time(id, part), share);
  const floorOf = (part: TimedPart) => timeOf(FLOOR, part)?.median ?? null;
  const allOf = (part: TimedPart) => samples.all(ORIGINAL.id, part);
  const estimate = timeOf(ORIGINAL, 'roundTrip');
  if (estimate === null) return null;
  const times = {
    roundTrip: toRoundTrip(estimate, samples),
    send: timeOf(ORIGINAL, 'send'),
    receive: timeOf(ORIGINAL, 'receive'),
    floor: { roundTrip: floorOf('roundTrip') ?? 0, send: floorOf('send'), receive: floorOf('receive') },
  };
  const transaction = timeOf(ORIGINAL, 'written');
  const database = transaction && {
    transaction,
    result: timeOf(ORIGINAL, 'result'),
    floor: { transaction: floorOf('written') ?? 0, result: floorOf('result') },
  };
  const overFloor = widened(samples.ratio(ORIGINAL.id, FLOOR.id, 1), lost);
  const page = samples.results.find((result) => result.page !== undefined)?.page;
  const answers = samples.results.find((result) => result.answers !== undefined)?.answers;
  return {
    ...(page && { page }),
    ...(answers && { answers }),
    ...times,
    ...(overFloor && { overFloor }),
    cold: { roundTrip: coldTime(samples) },
    phases: isLocal(channel) ? null : toPhases({ ...times, ...(answers && { answers }) }),
    ...(database && { database }),
    blocked: blockedTimes(allOf('send'), allOf(database ? 'result' : 'receive')),
    peakMemory: null,
    gc: sumCollections(samples.results),
  };
}

function toRoundTrip(estimate: Estimate, samples: RunSamples): RoundTrip {
  const all = samples.all(ORIGINAL.id);
  // Median over the processes of the messages per sample, because each process determines that number itself.
  const messages = Math.round(median(samples.sets(ORIGINAL.id).flatMap((set) => set.messages ?? [])) || 1);
  const bins = histogram(all);
  const quantileOf = (share: number) =>
    messages > 1 || !carriesQuantile(all.length, share) ? null : quantile(all, share);
  return {
    ...estimate,
    p95: quantileOf(0.95),
    p99: quantileOf(0.99),
    samples: all.length,
    ...(messages > 1 ? { messagesPerSample: messages } : {}),
    processes: samples.processes(ORIGINAL.id),
    ...(bins === undefined ? {} : { histogram: bins }),
  };
}

/** Median of processes that started with it, else the first warm message. Null if too short for the clock. */
function coldTime(samples: RunSamples): number | null {
  const sets = samples.sets(ORIGINAL.id);
  const colds = sets.flatMap(({ cold }) => cold ?? []);
  if (colds.length === 0 && samples.results.some(({ page }) => (page?.clockStepNs ?? 0) > 0)) return null;
  return median(colds.length > 0 ? colds : sets.flatMap((set) => set.roundTrip.slice(0, 1)));
}

/** All processes ran equally long, so shares are averaged. */
function sumCollections(results: readonly Measured[]): Measurement['gc'] {
  const collections = results.flatMap(({ gc }) => gc ?? []);
  if (collections.length === 0) return null;
  return { count: sumOf(collections, (gc) => gc.count), share: mean(collections.map((gc) => gc.share)) };
}

/**
 * Phases of one direction: half of a symmetric round trip, or, if answers are empty, the round trip minus one empty
 * message. Transit is the time of the empty message without its sending and receiving: waking the thread, the event
 * loop, the listener. The rest is reported as unaccounted and not distributed: cold caches after the work of the other
 * thread, collector pauses in between, or, if it is negative, simultaneous work of both threads. Null if the channel
 * has no receiving side or a time is unknown.
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

/** Length of a frame at 60 Hz, and of a "long task" of the W3C (Long Tasks API, section 1). */
const NOTICED_NS = { frame: 16e6, 'long-task': 50e6 } as const;

/** The 99th percentile, so that one stolen time slice makes no finding, and the maximum, without conversions. */
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

/** Maximum difference between ratios of times on cores, without waking and helper threads, and of a quiet machine. */
const CLOCKS_APART = 0.1;

interface JudgeOptions extends Partial<Pick<Timings, 'lost' | 'dropped'>> {
  seed: number;
  /** See `ratioInterval`. */
  looks?: number;
  /** If absent, it is a channel with a receiver in a different thread. */
  channel?: Channel;
}

export type Judgement = ReturnType<typeof judge>;

/** Times of the original, and each remedy compared with it. Memory is measured in separate runs: see `withMemory`. */
export function judge(
  results: readonly Measured[],
  variants: readonly Variant[],
  proofs: readonly Proof[],
  { seed, channel = 'worker', lost = 0, dropped = [], looks }: JudgeOptions,
) {
  const samples = new RunSamples(results, seed, looks);
  const noise = detectNoise(samples.of(FLOOR.id));
  const share = lost + driftBeyond(noise);
  const { waited } = samples;
  const apart = lost + (isContended(waited) ? CLOCKS_APART : 0);
  const compared = comparedIn(variants);
  const timings = { samples, variants, channel, compared, dropped, lost: apart, widened: share };
  return {
    measurement: toMeasurement(timings),
    trials: proofs.map((proof) => toTrial(timings, proof)),
    otherChannel: ratioToSame(timings, variants, 'other-channel'),
    /** Ratio of the time of a payload that was built after its thread had received a payload. */
    afterReceiving: ratioToSame(timings, variants, 'after-receiving'),
    noise,
    waited,
    /** Widening of intervals of times, as a share, in addition to the spread of the samples. */
    widened: share,
  };
}

function toTrial(timings: Timings, proof: Proof): Trial {
  const { samples } = timings;
  const { remedy, plan, losses, equality, fileBytes } = proof;
  const head = { remedy, path: plan.path, plan, losses, ...(fileBytes !== undefined && { fileBytes }) };
  if (equality === 'failed' || equality === 'refused')
    return { ...head, equality: 'failed', ...REFUSED, reason: proof.reason ?? equality };
  const key = remedyKey(proof);
  const variants = timings.variants.filter((one) => one.remedy !== null && remedyKey(one) === key);
  const withConversion = ratioToSame(timings, variants, 'with-conversion');
  const inPlace = ratioToSame(timings, variants, 'in-place');
  // Reason why the remedy could not be timed: the engine refused its message, or it threw for a different value.
  const error = variants.map(({ id }) => samples.error(id)).find((reason) => reason !== null) ?? null;
  if (error !== null && withConversion === null && inPlace === null)
    return { ...head, equality, ...REFUSED, reason: error };
  const outcome = outcomeInRace(timings, variants, withConversion, equality);
  const converted = variants.find(({ mode }) => mode === 'with-conversion');
  const puts = timings.channel === 'indexeddb' && converted ? samples.all(converted.id, 'send') : [];
  const bins = outcome === 'faster' && converted ? histogram(samples.all(converted.id)) : undefined;
  return {
    ...head,
    ...{ equality, withConversion, inPlace, peakMemory: null },
    ...{ outcome, outcomeInPlace: judgeRatio(inPlace) },
    ...(bins === undefined ? {} : { histogram: bins }),
    ...(puts.length > 0 && { blocksNs: median(puts) }),
    ...(error === null ? {} : { reason: error }),
  };
}

/**
 * A candidate that left the race is slower or no different, if that is proven; otherwise it was dropped in favour of a
 * better one. If the interval is too uncertain for both, the outcome stays open.
 */
function outcomeInRace(
  { dropped }: Timings,
  variants: readonly Variant[],
  ratio: RatioEstimate | null,
  equality: Trial['equality'],
): TrialOutcome {
  const outcome = judgeRatio(ratio);
  if (!variants.some(({ id }) => dropped.includes(id)) || outcome === 'slower') return outcome;
  if (decide(ratio) === 'same' || equality === 'lossy') return outcome;
  return carries(ratio, 'size') || cannotBeFaster(ratio) ? 'dropped' : outcome;
}

const REFUSED = {
  withConversion: null,
  inPlace: null,
  peakMemory: null,
  outcome: 'refused',
  outcomeInPlace: 'refused',
} as const;

/** The interval of a dropped candidate allows for all candidates, otherwise only for the remaining candidates. */
function ratioToSame(
  { samples, compared, dropped, lost }: Timings,
  variants: readonly Variant[],
  mode: Variant['mode'],
): RatioEstimate | null {
  const variant = variants.find((one) => one.mode === mode);
  if (variant === undefined) return null;
  const beside = compared.filter(({ id }) => dropped.includes(variant.id) || !dropped.includes(id));
  const comparisons = mode === 'in-place' && !compared.includes(variant) ? 1 : beside.length;
  return widened(samples.ratio(variant.id, ORIGINAL.id, comparisons), lost);
}

/** Time of one direction, ns: half of the round trip, or the round trip minus the answer if answers are empty. */
export function oneWayNs(times: Pick<Measurement, 'roundTrip' | 'floor' | 'answers'>): number {
  const { median: ns } = times.roundTrip;
  return times.answers?.with === 'empty' ? ns - times.floor.roundTrip / 2 : ns / 2;
}

/** Facts that limit the messages in flight: approximate bytes of one message, one round trip in ms, machine memory. */
export type FlightFacts = Record<'bytes' | 'tripMs' | 'machineBytes', number>;

/** Usual bytes in flight: far above the fluctuation of an idle process, and quickly filled. */
const USUAL_BYTES = 64e6;
const MAX_MESSAGES = 20_000;
/** Maximum time of messages in flight, ms: both runs with their warm-up stay within a few tenths of a second. */
const FLIGHT_MS = 150;
/** Approximate growth from wire bytes to received objects with a few numbers each (seen: 7 times on V8, 5 on JSC). */
const GROWTH = 8;
const MACHINE_SHARE = 0.25;

/** Number of messages whose memory exceeds noise, within the limits of time and machine memory; at least one. */
export function messagesInFlight({ bytes, tripMs, machineBytes }: FlightFacts): number {
  const room = Math.min(USUAL_BYTES, (machineBytes * MACHINE_SHARE) / GROWTH);
  const byBytes = room / Math.max(1, bytes);
  const byTime = FLIGHT_MS / Math.max(tripMs / 2, Number.MIN_VALUE);
  return Math.max(1, Math.floor(Math.min(byBytes, byTime, MAX_MESSAGES)));
}

/** Duration of the runs of one process, ms: its messages in one direction, and a few for the warm-up. */
export const flightMs = (messages: number, tripMs: number): number => (messages + 2) * (tripMs / 2);

const MAX_REMEDIES = 3;

export function worthMeasuringMemory(trials: readonly Trial[]): Trial[] {
  return trials
    .filter(({ equality, outcome }) => equality === 'equal' && outcome === 'faster')
    .sort((a, b) => (a.withConversion?.ratio ?? 1) - (b.withConversion?.ratio ?? 1))
    .slice(0, MAX_REMEDIES);
}

export type MemoryUses = ReadonlyMap<Variant, readonly MemoryUse[]>;

/** Less cannot be distinguished from a run with empty messages. */
export const MEMORY_NOISE_BYTES = 1e6;

export function withMemory({ measurement, trials, ...rest }: Judgement, uses: MemoryUses): Judgement {
  const byRemedy = new Map([...uses].map(([variant, all]) => [remedyKey(variant), medianUse(all)]));
  const original = byRemedy.get(remedyKey(ORIGINAL)) ?? null;
  return {
    ...rest,
    measurement: measurement && { ...measurement, peakMemory: original && toPeakMemory(original) },
    trials: trials.map((trial) => ({
      ...trial,
      peakMemory: memoryRatio(byRemedy.get(remedyKey(trial)) ?? null, original),
    })),
  };
}

const medianUse = (processes: readonly MemoryUse[]): MemoryUse | null =>
  lowerMedian([...processes].sort((a, b) => a.perMessage - b.perMessage)) ?? null;

export const toPeakMemory = ({ bytes, perMessage, messages }: MemoryUse) => ({
  ...{ bytes, perMessage: Math.round(perMessage), messages },
});

function memoryRatio(remedy: MemoryUse | null, original: MemoryUse | null): { ratio: number } | null {
  if (remedy === null || original === null || original.bytes < MEMORY_NOISE_BYTES) return null;
  return { ratio: remedy.perMessage / original.perMessage };
}
