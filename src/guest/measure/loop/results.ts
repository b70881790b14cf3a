import { filter, map } from '../../../core/value/lists.ts';
import type { Measured, SampleSet, Variant } from '../../../model/wire/wire.ts';
import type { GcPauses } from '../../platform/common/platform.ts';
import type { PreparedVariant } from '../variants/prepare.ts';

/** Parallel to the variants of the request. */
export function setsOf(variants: readonly Variant[], prepared: readonly PreparedVariant[]): SampleSet[] {
  return map(prepared, ({ samples: { roundTrip, send, receive, cold, error, trips } }, index) => ({
    variant: variants[index]!.id,
    roundTrip: roundTrip.list(),
    send: send.list(),
    receive: receive.list(),
    cold,
    error,
    messages: trips.messages,
  }));
}

/**
 * Pauses of both sides together, and their share of the time. In a round trip only one side works at a time, so a pause
 * of either side delays it.
 */
export function gcOf(sides: readonly (GcPauses | null)[], elapsed: number): Measured['gc'] {
  const known = filter(sides, (side) => side !== null);
  if (known.length === 0) return null;
  const count = known.reduce((sum, side) => sum + side.count, 0);
  const ns = known.reduce((sum, side) => sum + side.ns, 0);
  return { count, share: elapsed > 0 ? Math.min(1, ns / elapsed) : 0 };
}
