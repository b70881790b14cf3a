import { serialize } from 'node:v8';

/** Wire of the engine's own serializer (in Bun that of JavaScriptCore); null for values that it refuses. */
export function serialized(value: unknown): Uint8Array | null {
  try {
    return serialize(value);
  } catch {
    return null;
  }
}
