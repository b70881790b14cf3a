import { flatMap, map } from '../../core/value/lists.ts';
import type { Shape } from '../../model/documents/shape.ts';
import { type Channel, isIpc } from '../../model/names.ts';
import type { PathBytes } from '../../model/wire/describe-request.ts';
import { ipcBytes } from '../oracle/ipc-bytes.ts';
import { movedBytes } from '../oracle/moved-bytes.ts';
import { serialized } from '../oracle/serialized.ts';
import { fastPathCost } from './message-cost.ts';

/** By the fast paths that may hand the value over; how wide a text is stored the shape tells. */
export const directBytes = (value: unknown): PathBytes[] =>
  flatMap(fastPathCost(value, () => 0)?.costs ?? [], ({ paths, bytes }) =>
    map(paths, (path) => ({ path, bytes })),
  );

/** See `RuntimeProbe.messageBytes`: the cost of a message that a fast path hands over, and the wire of the serializer. */
export function bunMessageBytes(
  value: unknown,
  { patterns }: Shape,
  channel: Channel,
  transfer: readonly unknown[] = [],
): PathBytes[] {
  if (isIpc(channel)) return ipcBytes(value, channel);
  const wire = serialized(value)?.byteLength;
  if (wire === undefined) return [];
  // The serializer writes shared memory in full; a post holds on to it.
  const shared = patterns.reduce((sum, { bytes }) => sum + (bytes?.shared ?? 0), 0);
  return [{ path: 'serializer', bytes: wire - shared - movedBytes(transfer) }, ...directBytes(value)];
}
