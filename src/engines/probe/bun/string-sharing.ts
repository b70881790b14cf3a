/**
 * Finds out if a JSC string owns its characters, views a longer string, or shares them with a receiver. The estimate of
 * a string cell is its header plus the bytes of its buffer divided by the number of holders. Slices add holders, and
 * the sequence of estimates shows whether the buffer has this string's length or is longer.
 */

import type { Shape } from '../../../model/documents/shape.ts';
import type { PathName } from '../../../model/names.ts';
import { filter, flatMap, map } from '../../../value/read/lists.ts';
import { valueAt } from '../oracle/oracle-result.ts';
import type { BunJsc } from './jsc.ts';

/** Bytes of a string cell. The larger number is for a cell that was a rope. */
const HEADERS = [16, 32];
const MAX_HOLDERS = 4096;
/** Bun shares strings from this length on instead of copying them (oven-sh/bun#22006). */
export const SHARED_UNITS = 256;
/** Any regular expression resolves a rope; this one reads one character. */
const RESOLVE = /^./s;

function resolved(text: string): string {
  RESOLVE.test(text);
  return text;
}

/** Returns true if a buffer of this many bytes and holders gives these estimates. */
function explains(estimates: readonly number[], header: number, bytes: number, holders: number): boolean {
  return estimates.every((e, more) => e - header === Math.ceil(bytes / (holders + more)));
}

/** null when both the string's own buffer and a slightly longer one explain the estimates. */
function ownFits(estimates: readonly number[], bytes: number): boolean | null {
  for (const header of HEADERS) {
    const share = estimates[0]! - header;
    const near = share > 0 ? Math.round(bytes / share) : 0;
    for (let holders = Math.max(1, near - 2); holders <= Math.min(near + 2, MAX_HOLDERS); holders++)
      if (explains(estimates, header, bytes, holders))
        return explains(estimates, header, bytes + 1, holders) ? null : true;
  }
  return false;
}

/** A garbage collection between two estimates takes holders away; then no buffer explains them. */
const LOOKS = 3;

/**
 * @param bytes bytes of this string's characters
 * @returns null if the estimates fit no answer, or more than one
 */
export function ownsBuffer(jsc: BunJsc, text: string, bytes: number): boolean | null {
  resolved(text);
  for (let look = 1; ; look++) {
    const owns = ownsByEstimates(jsc, text, bytes);
    if (owns !== false || look === LOOKS) return owns;
  }
}

function ownsByEstimates(jsc: BunJsc, text: string, bytes: number): boolean | null {
  const estimate = () => jsc.estimateShallowMemoryUsageOf(text);
  const estimates = [estimate()];
  if (!(estimates[0]! > 0)) return null;
  // Alive, they hold the buffer.
  const holders: string[] = [];
  for (let from = 1; from <= 2; from++) {
    holders.push(resolved(text.slice(from)));
    estimates.push(estimate());
  }
  // The slice did not add a holder because the engine copied it, so the estimates do not tell.
  if (holders.length > 0 && estimates[0] === estimates[2]) return null;
  return ownFits(estimates, bytes);
}

const MAX_STRINGS = 64;

/**
 * Call this before the post, and the returned function after it, while the received value is alive: each further holder
 * makes the estimate of the sender's string smaller.
 */
export function watchSharing(jsc: BunJsc, value: unknown, shape: Shape) {
  const rows = filter(
    shape.patterns,
    ({ kind, depth, size }) => kind === 'string' && depth <= 2 && (size?.max ?? 0) >= SHARED_UNITS,
  ).slice(0, MAX_STRINGS);
  const strings = flatMap(rows, ({ pattern, example }) => {
    const text = valueAt(value, example);
    if (typeof text !== 'string' || text.length < SHARED_UNITS) return [];
    const before = jsc.estimateShallowMemoryUsageOf(resolved(text));
    return [{ pattern, example, text, before }];
  });
  return (received: unknown) => {
    const examples = map(strings, ({ pattern, example, text, before }) => ({
      pattern,
      example,
      path: (jsc.estimateShallowMemoryUsageOf(text) < before ? 'string-shared' : 'string-copied') as PathName,
    }));
    const root = examples.find(({ pattern }) => pattern === '$');
    // Read last, so that the received value is alive while the estimates are made.
    const alive = received !== undefined;
    return {
      /** null when the root is not a string that could be shared. */
      root: root === undefined || !alive ? null : root.path === 'string-shared',
      below: filter(examples, ({ pattern }) => pattern !== '$'),
    };
  };
}
