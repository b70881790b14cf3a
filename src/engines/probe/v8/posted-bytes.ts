import * as v8 from 'node:v8';
import type { Shape } from '../../../model/documents/shape.ts';
import { serialized } from '../oracle/serialized.ts';
import type { RuntimeProbe } from '../probe.ts';

/** More is not written only to count it. */
const MAX_BYTES = 64 * 2 ** 20;

/** Shared memory and objects of the platform are references, which the delegate of a post writes. */
function postSerializer(): new () => v8.Serializer {
  return class extends v8.Serializer {
    readonly #seen = new Map<unknown, number>();
    _getSharedArrayBufferId = (buffer: unknown) => this.#reference(buffer);
    _writeHostObject = (object: unknown) => this.writeUint32(this.#reference(object));

    #reference(object: unknown): number {
      if (!this.#seen.has(object)) this.#seen.set(object, this.#seen.size);
      return this.#seen.get(object)!;
    }
  };
}

let PostSerializer: ReturnType<typeof postSerializer> | undefined;

/**
 * The message as a post writes it: `v8.serialize` writes the bytes of each view alone, a post the whole buffer behind
 * them, once.
 *
 * @throws what the engine throws for a value that it refuses; TypeError in versions of Deno without the class
 */
export function postedWire(value: unknown, transfer: readonly unknown[] = []): Uint8Array {
  PostSerializer ??= postSerializer();
  const serializer = new PostSerializer();
  serializer.writeHeader();
  transfer.forEach((one, id) => {
    if (one instanceof ArrayBuffer) serializer.transferArrayBuffer(id, one);
  });
  serializer.writeValue(value);
  return serializer.releaseBuffer();
}

/** Bytes of a message that is not written as posted: each view counts with its whole buffer. */
function countedBytes(value: unknown, { patterns }: Shape): number | null {
  const wire = serialized(value);
  return (
    wire &&
    patterns.reduce((sum, { bytes, flags }) => {
      if (bytes?.backing === undefined) return sum;
      return sum - bytes.total + (flags.includes('shared-backing') ? 0 : bytes.backing);
    }, wire.byteLength)
  );
}

function serializedBytes(value: unknown, shape: Shape, transfer: readonly unknown[]): number | null {
  const buffers = shape.patterns.reduce((sum, { bytes }) => sum + (bytes?.backing ?? 0), 0);
  try {
    if (buffers <= MAX_BYTES || transfer.length > 0) return postedWire(value, transfer).byteLength;
  } catch {
    // Refused, or a version of Deno without the class.
  }
  return countedBytes(value, shape);
}

export const v8MessageBytes: RuntimeProbe['messageBytes'] = (value, shape, _, transfer = []) => {
  const bytes = serializedBytes(value, shape, transfer);
  return bytes === null ? [] : [{ path: 'serializer', bytes }];
};
