import type { Measurement } from '../../model/documents/measurement.ts';
import type { Trial } from '../../model/documents/trial.ts';
import type { MemoryUse, Variant } from '../../model/wire/wire.ts';
import { lowerMedian } from '../stats/quantiles.ts';
import { ORIGINAL, remedyKey } from '../stats/variant-samples.ts';
import type { Judgement } from './judge.ts';

/** What determines how many messages are kept in flight: approximate bytes of one, one round trip in ms. */
export type FlightFacts = Record<'bytes' | 'tripMs' | 'machineBytes', number>;

/** Far above the fluctuation of an idle process, and quickly filled. */
const USUAL_BYTES = 64e6;
const MAX_MESSAGES = 20_000;
/** Keeps both runs with their warm-up within a few tenths of a second. */
const FLIGHT_MS = 150;
/** Received objects of a few numbers take about this many times their wire bytes (seen: 7 on V8, 5 on JSC). */
const GROWTH = 8;
const MACHINE_SHARE = 0.25;

/** Enough to tell their memory from noise, within the limits of time and machine memory; at least one. */
export function messagesInFlight({ bytes, tripMs, machineBytes }: FlightFacts): number {
  const room = Math.min(USUAL_BYTES, (machineBytes * MACHINE_SHARE) / GROWTH);
  const byBytes = room / Math.max(1, bytes);
  const byTime = FLIGHT_MS / Math.max(tripMs / 2, Number.MIN_VALUE);
  return Math.max(1, Math.floor(Math.min(byBytes, byTime, MAX_MESSAGES)));
}

/** Duration of the runs of one process, ms: its messages, one way each, and a few for the warm-up. */
export const flightMs = (messages: number, tripMs: number): number => (messages + 2) * (tripMs / 2);

const MAX_REMEDIES = 3;

/** The remedies whose memory is worth measuring: proven equal and faster, the fastest first. */
export function worthMeasuringMemory(trials: readonly Trial[]): Trial[] {
  return trials
    .filter(({ equality, outcome }) => equality === 'equal' && outcome === 'faster')
    .sort((a, b) => (a.withConversion?.ratio ?? 1) - (b.withConversion?.ratio ?? 1))
    .slice(0, MAX_REMEDIES);
}

/** What each variant used, in each of its processes. */
export type MemoryUses = ReadonlyMap<Variant, readonly MemoryUse[]>;

/** Smaller memory use cannot be told from a run with empty messages. */
export const MEMORY_NOISE_BYTES = 1e6;

/** Adds the memory of messages in flight to a judgement. */
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

export const toPeakMemory = ({
  bytes,
  perMessage,
  messages,
}: MemoryUse): NonNullable<Measurement['peakMemory']> => ({
  bytes,
  perMessage: Math.round(perMessage),
  messages,
});

/** Null also if the memory of the original is within noise: a ratio to it means nothing. */
function memoryRatio(remedy: MemoryUse | null, original: MemoryUse | null): { ratio: number } | null {
  if (remedy === null || original === null || original.bytes < MEMORY_NOISE_BYTES) return null;
  return { ratio: remedy.perMessage / original.perMessage };
}
