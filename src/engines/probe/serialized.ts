import { Buffer } from 'node:buffer';
import * as v8 from 'node:v8';
import type { Channel } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import type { PathBytes } from '../../model/wire/wire.ts';
import type { RuntimeProbe } from './probe.ts';

function jsonBytes(value: unknown, isDeno: boolean): number | null {
  // Deno writes the bytes of a view as a list (ext/node/ops/ipc.rs); JSON.stringify writes elements by their keys.
  function viewsAsLists(this: Record<string, unknown>, key: string, written: unknown): unknown {
    // The result of a Buffer's toJSON is not used.
    const { [key]: one } = this;
    return ArrayBuffer.isView(one)
      ? Array.from(new Uint8Array(one.buffer, one.byteOffset, one.byteLength))
      : written;
  }
  // With its line end (Node lib/internal/child_process/serialization.js).
  return orElse(
    () => Buffer.byteLength(`${JSON.stringify(value, isDeno ? viewsAsLists : undefined)}\n`),
    null,
  );
}

/** Bytes of a message to another process, or into a file; an empty list if the value is refused. */
export function ipcBytes(value: unknown, channel: Channel, isDeno = false): PathBytes[] {
  const isJson = channel === 'ipc-json';
  const bytes = isJson ? jsonBytes(value, isDeno) : (serialized(value, true)?.byteLength ?? null);
  return bytes === null ? [] : [{ path: isJson ? 'json' : 'serializer', bytes }];
}

interface Jsc {
  serialize(value: unknown, form: { binaryType: 'nodebuffer' }): Uint8Array;
}
const { process: host } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
/** From 1.4 on, v8.serialize of Bun writes the class of a Buffer too, for files and other processes. */
const jsc = orElse(() => host?.getBuiltinModule?.('bun:jsc'), null) as Jsc | null | undefined;

/** Wire of the engine's own serializer; null if refused. @param isApart to another process, or into a file */
export const serialized = (value: unknown, isApart = false): Uint8Array | null =>
  orElse(
    () => (jsc && !isApart ? jsc.serialize(value, { binaryType: 'nodebuffer' }) : v8.serialize(value)),
    null,
  );

const PADDING = 0;

/** The wire begins with 0xFF, version, padding, tag. */
export function readTag(wire: Uint8Array): string {
  let at = 2;
  while (wire[at] === PADDING) at++;
  return String.fromCharCode(wire[at] ?? 0);
}

/** @throws the error of `v8.serialize` for a value that cannot be cloned */
export const wireTag = (value: unknown): string => readTag(v8.serialize(value));

/** More is not written only to count it. */
const MAX_BYTES = 64 * 2 ** 20;

/** Shared memory and objects of the platform are references, which the delegate of a post writes. Bun makes none. */
class PostSerializer extends v8.Serializer {
  readonly #seen = new Map<unknown, number>();
  _getSharedArrayBufferId = (buffer: unknown) => this.#reference(buffer);
  _writeHostObject = (object: unknown) => this.writeUint32(this.#reference(object));

  #reference(object: unknown): number {
    if (!this.#seen.has(object)) this.#seen.set(object, this.#seen.size);
    return this.#seen.get(object)!;
  }
}

/**
 * Writes the message as a post does: it has the whole buffer behind each view, once.
 * @throws what the engine throws for a value that it refuses
 */
export function postedWire(value: unknown, transfer: readonly unknown[] = []): Uint8Array {
  const serializer = new PostSerializer();
  serializer.writeHeader();
  transfer.forEach((one, id) => {
    if (one instanceof ArrayBuffer) serializer.transferArrayBuffer(id, one);
  });
  serializer.writeValue(value);
  return serializer.releaseBuffer();
}

/** The buffers behind views may be much larger than what the message shows of them. */
export const v8MessageBytes: RuntimeProbe['messageBytes'] = (value, { patterns }, _, transfer = []) => {
  const buffers = patterns.reduce((sum, { bytes }) => sum + (bytes?.backing ?? 0), 0);
  if (buffers > MAX_BYTES && transfer.length === 0) return [];
  return orElse(() => [{ path: 'serializer', bytes: postedWire(value, transfer).byteLength }], []);
};
