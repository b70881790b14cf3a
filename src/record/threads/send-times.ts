/** Times of calls, and the moments when messages were posted, from counters. */
import type { RecordedMessages } from '../../model/documents/recorded/recording.ts';
import { sumOf } from '../../model/sums.ts';
import { GROUP, groupStart, HISTOGRAM_STEPS, histogramStep, TIME_STEPS } from './counters.ts';

/** Counters of the same kind of message in one or several threads, each with the share that belongs to the group. */
export interface CounterShare {
  counters: Float64Array;
  counter: number;
  /** 0 to 1. */
  share: number;
}

const field = ({ counters, counter }: CounterShare, at: number): number =>
  counters[groupStart(counter) + at]!;

export function sendTimes(parts: readonly CounterShare[]): RecordedMessages['send'] {
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

/** Median of a histogram, ns: in its step as if the times there were spread evenly on a logarithmic scale. */
function medianOf(steps: readonly number[]): number {
  const half = sumOf(steps, (count) => count) / 2;
  let below = 0;
  for (const [step, count] of steps.entries()) {
    if (count > 0 && below + count >= half) return histogramStep(step + (half - below) / count);
    below += count;
  }
  return 0;
}

type PostTimes = RecordedMessages['times'];

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
