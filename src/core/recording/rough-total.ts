/** Bytes of messages of which none was sized: too large to serialize once more, or by a runtime without a serializer. */
import type { Total } from '../../model/recording/recording.ts';
import type { MessageSeen } from '../../model/recording/thread-file.ts';
import type { Shape } from '../../model/rules/shape.ts';
import { totalBytes } from './bytes-regression.ts';
import { patternTree } from './fixture/pattern-tree.ts';
import { roughBytes } from './fixture/wire-size.ts';

/** What the shape does not tell: the lengths of integers, and of keys that have no name in it. */
const ERROR = 0.25;

/** @param seen messages of one class @returns null where none was described */
export function roughTotal(seen: readonly MessageSeen[], count: number, hintSum: number): Total | null {
  const sizes = seen.flatMap(({ hint, shape }) => {
    const bytes = shape === undefined ? null : sizeOf(shape);
    return bytes === null ? [] : [{ hint, bytes }];
  });
  const total = totalBytes(sizes, count, hintSum);
  if (total === null) return null;
  const [low, high] = total.ci;
  return { ...total, ci: [Math.round(low * (1 - ERROR)), Math.round(high * (1 + ERROR))] };
}

function sizeOf(shape: Shape): number | null {
  try {
    return Math.round(roughBytes(patternTree(shape)));
  } catch {
    // No payload has this shape: it was written by somebody else.
    return null;
  }
}
