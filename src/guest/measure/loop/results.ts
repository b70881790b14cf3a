import type { Measured, SampleSet, Variant } from '../../../model/wire.ts';
import type { GcPauses } from '../peer/endpoint.ts';
import type { PreparedVariants } from './variants.ts';

export function setsOf(variants: readonly Variant[], { samples: tallies }: PreparedVariants): SampleSet[] {
  return variants.map(({ id }, index) => {
    const tally = tallies[index];
    return {
      variant: id,
      roundTrip: tally?.roundTrip.list() ?? [],
      send: tally?.send.list() ?? [],
      receive: tally?.receive.list() ?? [],
      cold: tally?.cold ?? null,
      error: tally?.error ?? null,
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
