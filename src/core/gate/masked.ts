/** A JSON value with other texts of the same sizes: it takes the same path and as many bytes, and says nothing. */
import { isKeyName, MAX_NAMES, maskedKey, maskedText } from '../masked-text.ts';

function maskedObject(value: object): Record<string, unknown> {
  const entries = Object.entries(value);
  const isMap = entries.length > MAX_NAMES;
  return Object.fromEntries(
    entries.map(([key, inner], at) => [isMap || !isKeyName(key) ? maskedKey(key, at) : key, masked(inner)]),
  );
}

/** Numbers, booleans and keys that are names stay. @param json a value from JSON.parse, of any depth that it can print */
export function masked(json: unknown): unknown {
  if (typeof json === 'string') return maskedText(json);
  if (typeof json !== 'object' || json === null) return json;
  return Array.isArray(json) ? json.map(masked) : maskedObject(json);
}
