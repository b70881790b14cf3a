import * as v8 from 'node:v8';
import type { Shape } from '../../model/documents/shape.ts';

/** More is not written only to count it. */
const MAX_BYTES = 64 * 2 ** 20;

/**
 * Length of the message as a post writes it: `v8.serialize` writes the bytes of each view alone, a post the whole buffer
 * behind them, once. Shared memory and objects of the platform are references, which the delegate of a post writes.
 */
function postedLength(value: unknown): number {
  const seen = new Map<unknown, number>();
  const reference = (object: unknown) => {
    if (!seen.has(object)) seen.set(object, seen.size);
    return seen.get(object)!;
  };
  class PostSerializer extends v8.Serializer {
    _getSharedArrayBufferId = reference;
    _writeHostObject = (object: unknown) => this.writeUint32(reference(object));
  }
  const serializer = new PostSerializer();
  serializer.writeHeader();
  serializer.writeValue(value);
  return serializer.releaseBuffer().byteLength;
}

/**
 * Bytes that a post of the value copies. null for what it refuses.
 *
 * @param wire of `v8.serialize`; null where that refuses the value
 */
export function postedBytes(value: unknown, wire: Uint8Array | null, { patterns }: Shape): number | null {
  const buffers = patterns.reduce((sum, { bytes }) => sum + (bytes?.backing ?? 0), 0);
  try {
    if (buffers <= MAX_BYTES) return postedLength(value);
  } catch {
    // Refused, or a version of Deno without the class.
  }
  return (
    wire &&
    patterns.reduce((sum, { bytes, flags }) => {
      if (bytes?.backing === undefined) return sum;
      return sum - bytes.total + (flags.includes('shared-backing') ? 0 : bytes.backing);
    }, wire.byteLength)
  );
}
