import type { Shape } from '../../model/documents/shape.ts';
import { type Channel, isOfProcesses } from '../../model/names.ts';
import type { PathBytes } from '../../model/wire/wire.ts';
import { movedBytes } from '../oracle/oracle-result.ts';
import { ipcBytes, serialized } from '../oracle/serialized.ts';
import { directBytes } from './message-cost.ts';

/** See `RuntimeProbe.messageBytes`: the cost of a message that a fast path hands over, and the wire of the serializer. */
export function bunMessageBytes(
  value: unknown,
  { patterns }: Shape,
  channel: Channel,
  transfer: readonly unknown[] = [],
): PathBytes[] {
  if (isOfProcesses(channel)) return ipcBytes(value, channel);
  const wire = serialized(value)?.byteLength;
  if (wire === undefined) return [];
  // The serializer writes shared memory in full; a post holds on to it.
  const shared = patterns.reduce((sum, { bytes }) => sum + (bytes?.shared ?? 0), 0);
  return [{ path: 'serializer', bytes: wire - shared - movedBytes(transfer) }, ...directBytes(value)];
}
