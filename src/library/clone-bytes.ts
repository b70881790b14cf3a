import type { Shape } from '../model/documents/shape.ts';
import { serialized } from '../probe/oracle/serialized.ts';
import { runningRuntime } from '../probe/running-runtime.ts';

/** Serializing would run the getters. */
const runsForeignCode = ({ patterns }: Shape) => patterns.some(({ flags }) => flags.includes('accessor'));

/**
 * Bytes of the buffers behind small views. V8's `serialize` writes the bytes of a view, `postMessage` the whole buffer;
 * JavaScriptCore writes the buffer in both.
 */
function hiddenBytes({ patterns }: Shape): number {
  if (runningRuntime().engine === 'jsc') return 0;
  return patterns.reduce((sum, { bytes, flags }) => {
    const own = bytes?.backing === undefined || flags.includes('shared-backing');
    return own ? sum : sum + bytes.backing! - bytes.total;
  }, 0);
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
  const wire = runsForeignCode(shape) ? null : (serialized(value)?.byteLength ?? null);
  return wire === null
    ? { bytes: estimate(shape), exact: false }
    : { bytes: wire + hiddenBytes(shape), exact: true };
}
