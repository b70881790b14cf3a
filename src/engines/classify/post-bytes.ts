/** Bytes of a posted payload that are copied, moved or shared. */
import type { PostBytes } from '../../model/documents/classification.ts';
import type { Facts, Shape } from '../../model/documents/shape.ts';
import type { PathName } from '../../model/names.ts';
import type { Engine } from '../../model/rules/rule.ts';
import { sumOf } from '../../model/sums.ts';
import type { PathBytes } from '../../model/wire/wire.ts';
import { filter, map } from '../../value/read/lists.ts';
import { estimatedSize } from '../../value/shape/wire-estimate.ts';
import { findMatches, type PostContext, scopeTest } from './match.ts';

/** Values whose memory the receiver uses too. */
function sharedRows(shape: Shape, path: PathName, { shares }: Engine, context: PostContext): Facts[] {
  const covers = scopeTest(context, context.runtime.version);
  const inForce = filter(
    findMatches(shape, shares, context),
    ({ rule }) => covers(rule.scope) && (rule.on === undefined || rule.on.includes(path)),
  );
  return [...new Set(map(inForce, ({ facts }) => facts))];
}

const textBytes = (rows: readonly Facts[]) =>
  sumOf(rows, ({ kind, bytes }) => (kind === 'string' ? (bytes?.total ?? 0) : 0));

/**
 * Bytes of one post of a payload; null if it is refused.
 * @param message bytes as counted by the running engine; empty if it was not queried
 * @param moved memory of the buffers in its transfer list, which `message` does not include
 */
export function postBytes(
  shape: Shape,
  path: PathName,
  engine: Engine,
  context: PostContext,
  message: readonly PathBytes[],
  moved = 0,
): PostBytes | null {
  if (path === 'rejected') return null;
  const rows = sharedRows(shape, path, engine, context);
  const text = textBytes(rows);
  const shared = text + sumOf(rows, ({ bytes }) => bytes?.shared ?? 0);
  const told = (copied: number, by: PostBytes['by']) => ({ copied: Math.max(0, copied), moved, shared, by });
  const bytesOn = (one: PathName) => message.find((row) => row.path === one)?.bytes;
  const estimated = () => told(estimatedSize(shape) - text - moved, 'shape');
  if (path === 'json') {
    const counted = bytesOn(path);
    if (counted !== undefined) return told(counted, 'serializer');
    return shape.jsonBytes === null ? estimated() : told(shape.jsonBytes, 'shape');
  }
  const direct = path === 'serializer' ? undefined : bytesOn(path);
  if (direct !== undefined) return told(direct + textBytes(shape.patterns) - text, 'formula');
  const serialized = bytesOn('serializer');
  return serialized === undefined ? estimated() : told(serialized - text, 'serializer');
}
