import { Buffer } from 'node:buffer';
import { serialize } from 'node:v8';
import type { Channel } from '../../../model/names.ts';
import { orElse } from '../../../model/or-else.ts';
import type { PathBytes } from '../../../model/wire/wire.ts';

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

/**
 * Wire of the engine's own serializer (in Bun that of JavaScriptCore); null for values that it refuses.
 *
 * @param isApart to another process, or into a file
 */
export const serialized = (value: unknown, isApart = false): Uint8Array | null =>
  orElse(
    () => (jsc && !isApart ? jsc.serialize(value, { binaryType: 'nodebuffer' }) : serialize(value)),
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
export const wireTag = (value: unknown): string => readTag(serialize(value));
