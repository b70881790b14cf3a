import type { Shape } from '../model/documents/shape.ts';
import { serialized } from '../probe/oracle/serialized.ts';
import { runningRuntime } from '../probe/running-runtime.ts';
import { postedBytes } from '../probe/v8/posted-bytes.ts';

/** Serializing would run the getters. */
const runsForeignCode = ({ patterns }: Shape) => patterns.some(({ flags }) => flags.includes('accessor'));

function copiedBytes(value: unknown, shape: Shape): number | null {
  if (runsForeignCode(shape)) return null;
  const wire = serialized(value);
  return runningRuntime().engine === 'jsc' ? (wire?.byteLength ?? null) : postedBytes(value, wire, shape);
}

/** For values that cannot be serialized: bytes of strings and buffers, and eight for any other value. */
function estimate({ nodes, patterns }: Shape): number {
  return patterns.reduce((sum, { bytes }) => sum + (bytes?.backing ?? bytes?.total ?? 0), 8 * nodes);
}

/**
 * Bytes that posting the value would copy: as the running engine's own serializer writes it, with the whole buffer
 * behind each view. The same on every machine, and nearly the same in every engine.
 *
 * @param shape of this value; `exact` is false where the serializer does not take it (platform objects, getters)
 */
export function cloneBytes(value: unknown, shape: Shape): { bytes: number; exact: boolean } {
  const bytes = copiedBytes(value, shape);
  return bytes === null ? { bytes: estimate(shape), exact: false } : { bytes, exact: true };
}
