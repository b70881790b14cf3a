import type { Measurement, Trial } from '../../model/report.ts';
import type { MemoryUse } from '../../model/wire.ts';
import { remedyKey } from '../stats/variant-samples.ts';
import type { Judgement } from './judge.ts';

/** What decides how many messages are kept in flight. */
export interface FlightFacts {
  /** Of one message, about. */
  bytes: number;
  /** One round trip, ms. */
  tripMs: number;
  machineBytes: number;
}

/** Far above what a process gains and loses by itself, and soon filled. */
const USUAL_BYTES = 64e6;
const MOST_MESSAGES = 20_000;
/** Both flights and what leads to them are to stay within a few tenths of a second. */
const FLIGHT_MS = 150;
/** Objects of a few numbers take about this many times their wire bytes on arrival (seen: 7 on V8, 5 on JSC). */
const GROWTH = 8;
const MACHINE_SHARE = 0.25;

/** As many as fill the memory that can be told from noise, within the time and the machine; at least one. */
export function messagesInFlight({ bytes, tripMs, machineBytes }: FlightFacts): number {
  const room = Math.min(USUAL_BYTES, (machineBytes * MACHINE_SHARE) / GROWTH);
  const byBytes = room / Math.max(1, bytes);
  const byTime = FLIGHT_MS / Math.max(tripMs / 2, Number.MIN_VALUE);
  return Math.max(1, Math.floor(Math.min(byBytes, byTime, MOST_MESSAGES)));
}

/** What the flights of one process take, ms: its messages there, and a few for the warm-up. */
export function flightMs(messages: number, tripMs: number): number {
  return (messages + 2) * (tripMs / 2);
}

const MOST_WEIGHED = 3;

/** The remedies whose memory somebody may want to know: proven equal and not clearly slower, the fastest first. */
export function worthMeasuringMemory(trials: readonly Trial[]): Trial[] {
  return trials
    .filter(({ equality, outcome }) => equality === 'equal' && (outcome === 'faster' || outcome === 'unsure'))
    .sort((a, b) => (a.withConversion?.ratio ?? 1) - (b.withConversion?.ratio ?? 1))
    .slice(0, MOST_WEIGHED);
}

/** Processes of the original, and of each remedy by `remedyKey`. */
export interface MemoryByVariant {
  original: readonly MemoryUse[];
  byRemedy: ReadonlyMap<string, readonly MemoryUse[]>;
}

/** Below this a process cannot be told from one that only had empty messages. */
const NOISE_BYTES = 1e6;

/** The judgement with the memory that messages in flight take. */
export function withMemory({ measurement, trials, ...rest }: Judgement, weights: MemoryByVariant): Judgement {
  const original = middleOf(weights.original);
  return {
    ...rest,
    measurement: measurement && { ...measurement, peakMemory: original && peakOf(original) },
    trials: trials.map((trial) => ({
      ...trial,
      peakMemory: ratioOf(middleOf(weights.byRemedy.get(remedyKey(trial)) ?? []), original),
    })),
  };
}

function middleOf(processes: readonly MemoryUse[]): MemoryUse | null {
  const sorted = [...processes].sort((a, b) => a.perMessage - b.perMessage);
  return sorted[(sorted.length - 1) >> 1] ?? null;
}

/** What stands in a report. */
export function peakOf({ bytes, perMessage, messages }: MemoryUse): NonNullable<Measurement['peakMemory']> {
  return { bytes, perMessage: Math.round(perMessage), messages };
}

/** Null also where the original takes no memory to speak of: nothing is so many times nothing. */
function ratioOf(remedy: MemoryUse | null, original: MemoryUse | null): { ratio: number } | null {
  if (remedy === null || original === null || original.bytes < NOISE_BYTES) return null;
  return { ratio: remedy.perMessage / original.perMessage };
}
