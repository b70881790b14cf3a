/** The first tag that V8 writes of a value shows its storage (src/objects/value-serializer.cc, SerializationTag). */
import { serialize } from 'node:v8';

const PADDING = 0;

/** The wire begins with 0xFF, version, padding, tag. */
export function tagOf(wire: Uint8Array): string {
  let at = 2;
  while (wire[at] === PADDING) at++;
  return String.fromCharCode(wire[at] ?? 0);
}

/** @throws the error of `v8.serialize` for a value that cannot be cloned */
export const wireTag = (value: unknown): string => tagOf(serialize(value));
