import type { Measured, SampleSet, Variant } from '../../../model/wire.ts';
import type { GcPauses } from '../../platform/platform.ts';
import type { PreparedVariants } from '../variants/prepare.ts';

export function setsOf(variants: readonly Variant[], prepared: PreparedVariants): SampleSet[] {
  return variants.map(({ id }, index) => {
    const samples = prepared.samples[index];
    return {
      variant: id,
      roundTrip: samples?.roundTrip.list() ?? [],
      send: samples?.send.list() ?? [],
      receive: samples?.receive.list() ?? [],
      cold: samples?.cold ?? null,
      error: samples?.error ?? null,
    };
  });
}

/**
 * Pauses of both sides together, and their share of the time. In a ping-pong only one side works at a time, so that a
 * pause on either side delays the trip.
 */
export function gcOf(sides: readonly (GcPauses | null)[], elapsed: number): Measured['gc'] {
  const known = sides.filter((side) => side !== null);
  if (known.length === 0) return null;
  const count = known.reduce((sum, side) => sum + side.count, 0);
  const ns = known.reduce((sum, side) => sum + side.ns, 0);
  return { count, share: elapsed > 0 ? Math.min(1, ns / elapsed) : 0 };
}
