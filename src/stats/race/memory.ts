import type { Trial } from '../../model/documents/trial.ts';
import type { MemoryUse, Variant } from '../../model/wire/wire.ts';
import { lowerMedian } from '../intervals/intervals.ts';
import { ORIGINAL, remedyKey } from '../intervals/variant-samples.ts';
import type { Judgement } from './judge.ts';

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

/** Remedies that are proven equal and faster, the fastest first. */
export function worthMeasuringMemory(trials: readonly Trial[]): Trial[] {
  return trials
    .filter(({ equality, outcome }) => equality === 'equal' && outcome === 'faster')
    .sort((a, b) => (a.withConversion?.ratio ?? 1) - (b.withConversion?.ratio ?? 1))
    .slice(0, MAX_REMEDIES);
}

/** Uses of each process. */
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

/** Also null if the memory of the original is within noise. */
function memoryRatio(remedy: MemoryUse | null, original: MemoryUse | null): { ratio: number } | null {
  if (remedy === null || original === null || original.bytes < MEMORY_NOISE_BYTES) return null;
  return { ratio: remedy.perMessage / original.perMessage };
}
