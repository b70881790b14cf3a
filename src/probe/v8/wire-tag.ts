/** What V8 writes first of a value tells how it holds it (src/objects/value-serializer.cc, SerializationTag). */
import { serialize } from 'node:v8';

const PADDING = 0;

/** Wire: 0xFF, version, padding, tag. */
export function tagOf(wire: Uint8Array): string {
  let at = 2;
  while (wire[at] === PADDING) at++;
  return String.fromCharCode(wire[at] ?? 0);
}

/** @throws what `v8.serialize` throws of a value that cannot be cloned */
export const wireTag = (value: unknown): string => tagOf(serialize(value));
