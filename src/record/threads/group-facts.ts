/**
 * Facts about all messages of a group, from its counters and the messages that were looked at. Every message has an extent, a cheap size
 * that is about as large as its bytes; the sized messages show how many bytes a unit of it is. Sizes of small messages
 * say nothing of large ones, so each order of magnitude has its own total. Orders that are far apart are separate
 * groups: a rewrite that helps large results in an envelope may not help small ones.
 */
import type * as recorded from '../../model/documents/recorded/recording.ts';
import type { ThreadRecordOf } from '../../model/documents/recorded/recording.ts';
import { groupedBy, sumOf } from '../../model/sums.ts';
import { studentFactor } from '../../stats/intervals/intervals.ts';
import { GROUP, groupStart, HISTOGRAM_STEPS, histogramStep, TIME_STEPS } from './counters.ts';

/** A message that was looked at, with its bytes: null if it was not sized. */
export interface LookedMessage extends Omit<ThreadRecordOf<'message'>, 'bytes'> {
  bytes: number | null;
  error?: number;
}

export function transferOf(seen: readonly LookedMessage[]): recorded.TransferLint {
  const sum = {
    ...{ messages: 0, listed: 0, possible: 0, possibleBytes: 0, useless: 0, hiddenBytes: 0, pooled: 0 },
  };
  for (const { transfer } of seen)
    for (const key of Object.keys(sum) as (keyof recorded.TransferLint)[]) sum[key] += transfer?.[key] ?? 0;
  return sum;
}

const MAX_PATHS = 5;

export function changesIn(seen: readonly LookedMessage[]): { changes?: recorded.Changes } {
  const all = seen.flatMap(({ changes }) => changes ?? []);
  if (all.length === 0) return {};
  const counts = new Map<string, number>();
  for (const path of all.flatMap(({ paths }) => paths)) counts.set(path, (counts.get(path) ?? 0) + 1);
  const paths = [...counts].map(([path, count]) => ({ path, count })).sort((a, b) => b.count - a.count);
  const equal = sumOf(all, (one) => one.equal) / all.length;
  const same = all.filter((one) => one.equal === 1 && one.paths.length === 0).length;
  return { changes: { compared: all.length, same, equal, paths: paths.slice(0, MAX_PATHS) } };
}

/**
 * The parts of a counter (its count and extent) that belong to each group. Each message that was looked at stands for
 * the messages since the previous look: the count is an estimate if several groups have the counter and not all messages
 * were looked at. `countError`: half width of the 95 % interval of the count, as a share. @param messages by `nth`
 */
export function sharesOf(messages: readonly LookedMessage[], count: number, extent: number) {
  const weights = new Map<number, { weight: number; extents: number }>();
  let seen = 0;
  for (const { group, nth, extent: own } of messages) {
    const weight = Math.max(1, nth + 1 - seen);
    seen = Math.max(seen, nth + 1);
    const sum = weights.get(group) ?? { weight: 0, extents: 0 };
    weights.set(group, { weight: sum.weight + weight, extents: sum.extents + weight * own });
  }
  const all = [...weights.values()];
  const weight = sumOf(all, (one) => one.weight);
  const extents = sumOf(all, (one) => one.extents);
  const estimated = weights.size > 1 && messages.length < count;
  let before = 0;
  return [...weights].map(([group, own]) => {
    // Whole numbers whose sum is the count.
    const from = Math.round((count * before) / weight);
    before += own.weight;
    return {
      group,
      count: Math.round((count * before) / weight) - from,
      extent: extents === 0 ? 0 : (extent * own.extents) / extents,
      estimated,
      countError: estimated ? 2 * Math.sqrt((weight / own.weight - 1) / messages.length) : 0,
    };
  });
}

type Stratum = Record<'sizeClass' | 'count' | 'extent', number>;

export interface StratumSeen extends Stratum {
  /** Half width of the 95 % interval of the count, as a share. */
  countError: number;
  seen: readonly LookedMessage[];
  /** Messages of the same class from any site: used if no message in `seen` was described. */
  alike: readonly LookedMessage[];
}

const strataOf = <S extends Stratum>(parts: readonly S[]): S[][] =>
  [...groupedBy(parts, ({ sizeClass }) => sizeClass)].sort(([a], [b]) => a - b).map(([, own]) => own);

const extentIn = (parts: readonly Stratum[]): number => sumOf(parts, ({ extent }) => extent);
const countIn = (parts: readonly Stratum[]): number => sumOf(parts, ({ count }) => count);
const meanExtent = (parts: readonly Stratum[]): number => extentIn(parts) / Math.max(1, countIn(parts));

const APART = 20;
const SMALL = 100;

/** @returns the same parts in groups. Sizes that grow step by step stay together. */
export function magnitudesOf<S extends Stratum>(parts: readonly S[]): S[][] {
  const groups: S[][] = [];
  let last = 0;
  for (const own of strataOf(parts)) {
    const mean = Math.max(SMALL, meanExtent(own));
    if (groups.length > 0 && mean < APART * last) groups.at(-1)!.push(...own);
    else groups.push([...own]);
    last = mean;
  }
  return groups;
}

/** The described message whose extent is nearest to the mean of the order of magnitude with the most bytes. */
export function typicalMessage(parts: readonly StratumSeen[]): LookedMessage | null {
  for (const own of strataOf(parts).sort((a, b) => extentIn(b) - extentIn(a))) {
    const mean = meanExtent(own);
    const distance = ({ extent }: LookedMessage) => Math.abs(extent - mean);
    for (const from of ['seen', 'alike'] as const) {
      const described = own.flatMap((part) => part[from]).filter(({ tree }) => tree !== undefined);
      const [nearest] = described.sort((a, b) => distance(a) - distance(b));
      if (nearest !== undefined) return nearest;
    }
  }
  return null;
}

export interface SizedMessage {
  extent: number;
  bytes: number;
  /** If not all of the message was seen: half width of the 95 % interval of its bytes, as a share. */
  error?: number;
  /** Messages that were posted since the previous sized message; 1 if that is not known. */
  stands?: number;
}

export const sizesOf = (seen: readonly LookedMessage[]): (SizedMessage & { nth: number })[] =>
  seen.flatMap(({ bytes, ...one }) =>
    bytes === null ? [] : { ...one, bytes, extent: Math.max(1, one.extent) },
  );

/** Sized messages are more frequent among the first ones: each stands for the messages around it. */
function withStands({ seen, count }: StratumSeen): SizedMessage[] {
  const ordered = sizesOf(seen).sort((a, b) => a.nth - b.nth);
  const last = Math.max(count, (ordered.at(-1)?.nth ?? 0) + 1);
  return ordered.map((one, i) => {
    const from = i === 0 ? 0 : (ordered[i - 1]!.nth + one.nth + 1) / 2;
    const to = i === ordered.length - 1 ? last : (one.nth + ordered[i + 1]!.nth + 1) / 2;
    return { ...one, stands: to - from };
  });
}

/** True if a message with unknown bytes was seen: it is another than the sized messages. */
const hasOthers = ({ seen }: StratumSeen): boolean =>
  seen.some(({ tree, bytes }) => tree !== undefined && bytes === null);

/** Estimated from its own messages, else from messages of the same class. Null if none of them was sized. */
export function groupBytes(parts: readonly StratumSeen[]): recorded.Total | null {
  const alike = parts.flatMap((part) => sizesOf(part.alike));
  const totals = strataOf(parts).flatMap((own) => {
    const all = { count: countIn(own), extent: extentIn(own) };
    const sized = own.flatMap(withStands);
    if (sized.length === 0) return totalBytes(alike, all, false) ?? [];
    return totalBytes(sized, { ...all, isOther: own.some(hasOthers) }) ?? [];
  });
  if (totals.length === 0) return null;
  const total = sumOf(totals, (one) => one.total);
  const extent = Math.max(1, extentIn(parts));
  const counted = total * sumOf(parts, (part) => (part.countError * part.extent) / extent);
  // Errors of different orders are independent.
  const down = Math.hypot(counted, ...totals.map((one) => one.total - one.ci[0]));
  const up = Math.hypot(counted, ...totals.map((one) => one.ci[1] - one.total));
  return {
    total,
    ci: [Math.max(0, Math.round(total - down)), Math.round(total + up)],
    max: Math.max(...totals.map(({ max }) => max)),
  };
}

const CONFIDENCE = 0.95;
/** In most cases few messages were sized, so the usual deviation counts as much as this number of messages. */
const USUAL_MESSAGES = 2;
/** Standard deviation of bytes per unit of extent, as a share: if extents are the bytes, and if they say nothing. */
const TOLD = 0.003;
const BLIND = 0.38;
/** The farther bytes are from extents, the less extents say: logarithm of the ratio at two thirds of the way. */
const UNTOLD = 0.8;
/** Messages may differ from all sized messages: this share, divided by the number of sized messages. */
const DRIFT = 0.1;
const ONLY_ALIKE = 0.1;
/** Possible error that all messages made again have in common, as a share: if all or parts of them were seen. */
const IN_COMMON = { whole: 0.003, part: 0.03 };
/** A smaller error belongs to a message that was seen as a whole. */
const PART = 0.01;
const ROUNDING = 1e-9;
const MAX_LOG = Math.log(4);

const bytesOf = ({ bytes }: SizedMessage): number => bytes;
const standsOf = ({ stands = 1 }: SizedMessage): number => stands;

type All = Pick<Stratum, 'count' | 'extent'> & { isOther?: boolean };

/** `isOther`: some of the rest could not be sized. @param areCounted false if `sized` are only like the messages */
export function totalBytes(
  sized: readonly SizedMessage[],
  all: All,
  areCounted = true,
): recorded.Total | null {
  const { count, extent, isOther = false } = all;
  if (sized.length === 0) return null;
  const counted = areCounted ? sized : [];
  const known = sumOf(counted, bytesOf);
  const others = Math.max(0, count - counted.length);
  const untold = Math.max(others, extent - sumOf(counted, (one) => one.extent));
  const ratio =
    sumOf(sized, (one) => standsOf(one) * one.bytes) / sumOf(sized, (one) => standsOf(one) * one.extent);
  const rest = others === 0 ? 0 : ratio * untold;
  const total = Math.round(known + rest);
  const least = areCounted ? 0 : ONLY_ALIKE;
  const width = isOther ? MAX_LOG : Math.min(MAX_LOG, Math.max(least, halfWidth(sized, ratio, others)));
  const factor = Math.exp(others === 0 ? 0 : width);
  // Each was counted by other parts.
  const made = sized.filter(({ error = 0 }) => error > 0);
  const inCommon = sumOf(made, ({ error = 0, bytes }) => IN_COMMON[error < PART ? 'whole' : 'part'] * bytes);
  const errors = Math.hypot(inCommon, ...made.map(({ error = 0, bytes }) => error * bytes));
  const error = Math.log1p(errors / Math.max(1, sumOf(sized, bytesOf)));
  const wider = (end: number) => Math.exp(Math.hypot(Math.log(Math.max(1, end) / Math.max(1, total)), error));
  return {
    total,
    ci: [Math.round(total / wider(known + rest / factor)), Math.round(total * wider(known + rest * factor))],
    max: Math.max(0, ...sized.map(bytesOf)),
  };
}

/** Half width of the interval of the messages that were not sized, as the logarithm of a factor. */
function halfWidth(sized: readonly SizedMessage[], ratio: number, others: number): number {
  const meanStands = sumOf(sized, standsOf) / sized.length;
  const weight = (one: SizedMessage) => standsOf(one) / meanStands;
  // Sums are more uncertain if some of the messages stand for more others than the rest.
  const uneven = sumOf(sized, (one) => weight(one) ** 2) / sized.length;
  const effective = sized.length / uneven;
  const squares = sumOf(sized, (one) => weight(one) * (one.bytes / (ratio * one.extent) - 1) ** 2);
  if (ratio === 0) return 0;
  const drift = DRIFT / effective;
  if (sized.length > 1 && squares < ROUNDING) return drift;
  const usual = TOLD + BLIND * (1 - Math.exp(-Math.abs(Math.log(ratio)) / UNTOLD));
  const freedom = USUAL_MESSAGES + effective - 1;
  const variance = (USUAL_MESSAGES * usual ** 2 + squares / uneven) / freedom;
  const scatter = Math.sqrt(variance * (1 / effective + 1 / others));
  return Math.hypot(studentFactor(CONFIDENCE, freedom) * scatter, drift);
}

/** Counters of the same kind of message in one or several threads, each with the share that belongs to the group. */
export interface CounterShare {
  counters: Float64Array;
  counter: number;
  share: number;
}

const field = ({ counters, counter }: CounterShare, at: number): number =>
  counters[groupStart(counter) + at]!;

export function sendTimes(parts: readonly CounterShare[]): recorded.RecordedMessages['send'] {
  const sum = (at: number) => sumOf(parts, (part) => field(part, at) * part.share);
  const timed = Math.round(sum(GROUP.timed));
  if (timed === 0) return null;
  const messages = sum(GROUP.count);
  const max = Math.max(0, ...parts.map((part) => field(part, GROUP.sendMaxNs)));
  const known = sum(GROUP.sendSumNs);
  // The longest call says little of the untimed calls: it is a pause of the machine, or the first of all.
  const usual = timed === 1 ? known : Math.max(0, known - max) / (timed - 1);
  const steps = Array.from({ length: HISTOGRAM_STEPS }, (_, i) => sum(GROUP.histogram + i));
  return {
    timed,
    median: Math.round(Math.min(max, medianOf(steps))),
    max: Math.round(max),
    total: Math.round(known + usual * Math.max(0, messages - timed)),
    long: Math.round(sum(GROUP.sendLong)),
  };
}

/** Median of a histogram, ns: times are taken to be spread evenly in a step, on a logarithmic scale. */
function medianOf(steps: readonly number[]): number {
  const half = sumOf(steps, (count) => count) / 2;
  let below = 0;
  for (const [step, count] of steps.entries()) {
    if (count > 0 && below + count >= half) return histogramStep(step + (half - below) / count);
    below += count;
  }
  return 0;
}

type PostTimes = recorded.RecordedMessages['times'];

/** Posting times of several sites, in the longest steps among them: shorter steps go to the step that they begin in. */
export function joinedTimes(all: readonly PostTimes[]): PostTimes {
  const posted = all.filter(({ stepMs, counts }) => stepMs > 0 && counts.length > 0);
  const stepMs = Math.max(0, ...posted.map((one) => one.stepMs));
  const counts: number[] = [];
  for (const own of posted) {
    for (const [step, count] of own.counts.entries()) {
      const at = Math.floor(step * (own.stepMs / stepMs));
      while (counts.length <= at) counts.push(0);
      counts[at] = Math.min(Number.MAX_SAFE_INTEGER, counts[at]! + count);
    }
  }
  return { stepMs: stepMs || 1, counts };
}

export function timesOf(parts: readonly CounterShare[]): PostTimes {
  const counted = parts.map((part) => ({
    stepMs: field(part, GROUP.stepMs),
    counts: Array.from({ length: TIME_STEPS }, (_, step) => field(part, GROUP.times + step) * part.share),
  }));
  const { stepMs, counts } = joinedTimes(counted);
  return { stepMs, counts: counts.slice(0, counts.findLastIndex((count) => count > 0) + 1).map(Math.round) };
}

/** Messages that were the same object as the previous one: the share is that of the compared messages. */
export function sameObjects(parts: readonly CounterShare[]): number {
  const same = sumOf(parts, (part) => {
    const compared = field(part, GROUP.compared);
    const rate = compared === 0 ? 0 : field(part, GROUP.same) / compared;
    return rate * field(part, GROUP.count) * part.share;
  });
  return Math.round(same);
}
