import type { Estimate, Measurement, RoundTrip } from '../../model/documents/measurement.ts';
import type { Measured, Variant } from '../../model/wire/wire.ts';
import { histogram } from '../stats/histogram.ts';
import { medianInterval } from '../stats/intervals.ts';
import { mean } from '../stats/moments.ts';
import { median, quantile } from '../stats/quantiles.ts';
import { processesOf, ratioToOriginal, samplesOf, setOf, type TimedPart } from '../stats/variant-samples.ts';
import { widened } from '../stats/widened.ts';
import { blockedOf, phasesOf } from './phases.ts';
import type { Timings } from './timings.ts';
import { FLOOR, ORIGINAL } from './variant.ts';

/** Times of the original and the floor; null when the original could not be timed. */
export function measurementOf(timings: Timings, wireBytes: number | null): Measurement | null {
  const { results, seed } = timings;
  const roundTrip = roundTripOf(timings);
  if (roundTrip === null) return null;
  const timeOf = ({ id }: Variant, part: TimedPart): Estimate | null =>
    widened(medianInterval(samplesOf(results, id, part), seed), timings.widened);
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
  const page = results.find((result) => result.page !== undefined)?.page;
  return {
    ...(page && { page }),
    ...times,
    ...overFloorOf(timings),
    cold: { roundTrip: coldOf(results) },
    phases: phasesOf(times),
    blocked: blockedOf(allOf(results, 'send'), allOf(results, 'receive')),
    wireBytes,
    peakMemory: null,
    gc: collectionsOf(results),
  };
}

function overFloorOf({ results, seed, looks, lost }: Timings): Pick<Measurement, 'overFloor'> {
  const overFloor = widened(ratioToOriginal(results, FLOOR.id, ORIGINAL.id, seed, 1, looks), lost);
  return overFloor === null ? {} : { overFloor };
}

const allOf = (results: readonly Measured[], part: TimedPart): number[] =>
  samplesOf(results, ORIGINAL.id, part).flat().filter(Number.isFinite);

function roundTripOf({ results, seed, widened: share }: Timings): RoundTrip | null {
  const samples = samplesOf(results, ORIGINAL.id);
  const estimate = widened(medianInterval(samples, seed), share);
  if (estimate === null) return null;
  const all = allOf(results, 'roundTrip');
  const messages = blockOf(results);
  const bins = histogram(all);
  return {
    ...estimate,
    p95: messages > 1 ? null : quantile(all, 0.95),
    p99: messages > 1 ? null : quantile(all, 0.99),
    samples: all.length,
    ...(messages > 1 ? { messagesPerSample: messages } : {}),
    processes: processesOf(samples),
    ...(bins === undefined ? {} : { histogram: bins }),
  };
}

/** Messages of a sample of the original: of the middle process, as each finds out for itself. */
const blockOf = (results: readonly Measured[]): number =>
  Math.round(median(results.flatMap((result) => setOf(result, ORIGINAL.id)?.messages ?? [])) || 1);

/**
 * Median over the processes in which the original came first; the first warm message where it never did. null where a
 * message is too short for the clock.
 */
function coldOf(results: readonly Measured[]): number | null {
  const sets = results.flatMap((result) => setOf(result, ORIGINAL.id) ?? []);
  const colds = sets.flatMap((set) => (set.cold === null ? [] : [set.cold]));
  if (colds.length === 0 && results.some(({ page }) => (page?.clockStepNs ?? 0) > 0)) return null;
  return median(colds.length > 0 ? colds : sets.flatMap((set) => set.roundTrip.slice(0, 1)));
}

/** The sum of the counts; the mean share of time, as all processes ran equally long. */
function collectionsOf(results: readonly Measured[]): Measurement['gc'] {
  const collections = results.flatMap((result) => result.gc ?? []);
  if (collections.length === 0) return null;
  return {
    count: collections.reduce((sum, gc) => sum + gc.count, 0),
    share: mean(collections.map((gc) => gc.share)),
  };
}
