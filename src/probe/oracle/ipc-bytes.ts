// No global in Deno 2.0 to 2.3.
import { Buffer } from 'node:buffer';
import type { Channel } from '../../model/names.ts';
import type { PathBytes } from '../../model/wire/describe-request.ts';
import { serialized } from './serialized.ts';

/** Deno writes the bytes of a view as a list (ext/node/ops/ipc.rs); JSON.stringify writes elements by their keys. */
const viewsAsLists = (_: string, value: unknown) =>
  ArrayBuffer.isView(value)
    ? Array.from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
    : value;

function jsonBytes(value: unknown, isDeno: boolean): number | null {
  try {
    // With its line end (Node lib/internal/child_process/serialization.js).
    return Buffer.byteLength(`${JSON.stringify(value, isDeno ? viewsAsLists : undefined)}\n`);
  } catch {
    return null;
  }
}

/** Bytes of a message to another process; none where it is refused. */
export function ipcBytes(value: unknown, channel: Channel, isDeno = false): PathBytes[] {
  const isJson = channel === 'ipc-json';
  const bytes = isJson ? jsonBytes(value, isDeno) : (serialized(value)?.byteLength ?? null);
  return bytes === null ? [] : [{ path: isJson ? 'json' : 'serializer', bytes }];
}
