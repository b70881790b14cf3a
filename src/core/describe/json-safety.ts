/** What JSON makes of a payload, told from its facts. */
import type { Facts, Flag } from '../../model/shape.ts';

/**
 * Flags that JSON.stringify followed by JSON.parse loses or that would run code of the payload's owner. Integrity
 * levels and attributes are not among them: structured clone drops them as well, no data is lost.
 */
const LOST: ReadonlySet<Flag> = new Set<Flag>([
  'nan',
  'negative-zero',
  'infinite',
  'class-instance',
  'null-prototype',
  'subclass',
  'accessor',
  'non-enumerable',
  'symbol-key',
  'named-props',
  'holes',
  'to-json',
  'repeated',
  'cycle',
]);

const KEPT_KINDS = new Set(['null', 'boolean', 'number', 'string', 'object', 'array']);
/** `undefined` is dropped or becomes null, but asking JSON for its text is harmless. */
const HARMLESS_KINDS = new Set([...KEPT_KINDS, 'undefined']);
const HARMFUL: readonly Flag[] = ['accessor', 'to-json', 'cycle'];

/** Engines recurse in JSON.stringify; at this depth it may overflow their stack. */
const DEEPEST = 2000;

function lossless(row: Facts): boolean {
  if (!KEPT_KINDS.has(row.kind)) return false;
  // Equal strings stay equal strings; only objects have an identity to lose.
  return !row.flags.some((flag) => LOST.has(flag) && !(row.kind === 'string' && flag === 'repeated'));
}

export function isJsonSafe(rows: readonly Facts[], depth: number): boolean {
  return depth <= DEEPEST && rows.every(lossless);
}

/** UTF-8 bytes of JSON.stringify(value); null when it has no text or asking for it would run foreign code. */
export function jsonBytes(
  value: unknown,
  rows: readonly Facts[],
  depth: number,
  utf8Bytes: (text: string) => number,
): number | null {
  const harmless = rows.every(
    (row) => HARMLESS_KINDS.has(row.kind) && !row.flags.some((flag) => HARMFUL.includes(flag)),
  );
  if (!harmless || depth > DEEPEST) return null;
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? null : utf8Bytes(text);
  } catch {
    // Longer than the longest string of the engine.
    return null;
  }
}
