/**
 * Whether the characters of a string were shared with the receiver or copied: a holder more makes the estimate of the
 * sender's string smaller.
 */
import type { Shape } from '../../model/shape.ts';
import type { Confirmation } from '../../model/wire.ts';
import { valueAt } from '../value-at.ts';
import type { BunJsc } from './jsc.ts';

export interface Watched {
  /** Null when the root is no string that could be shared. */
  root: boolean | null;
  below: Confirmation['at'];
}

const SHARED_UNITS = 256;
const MOST_STRINGS = 64;
const RESOLVE = /^./s;

/** Call before the post; what it returns, after it, while the received value is held. */
export function sharingWatch(jsc: BunJsc, value: unknown, shape: Shape): (received: unknown) => Watched {
  const rows = shape.patterns
    .filter(({ kind, depth, size }) => kind === 'string' && depth <= 2 && (size?.max ?? 0) >= SHARED_UNITS)
    .slice(0, MOST_STRINGS);
  const watched = rows.flatMap(({ pattern, example }) => {
    const text = valueAt(value, example);
    if (typeof text !== 'string' || text.length < SHARED_UNITS) return [];
    RESOLVE.test(text);
    return [{ pattern, example, text, before: jsc.estimateShallowMemoryUsageOf(text) }];
  });
  return (received) => {
    const seen = watched.map(({ pattern, example, text, before }) => ({
      pattern,
      example,
      saw: jsc.estimateShallowMemoryUsageOf(text) < before ? 'string-shared' : 'string-copied',
    }));
    const root = seen.find(({ pattern }) => pattern === '$');
    // Read last, so that the received value is alive while the estimates are made.
    const alive = received !== undefined;
    return {
      root: root === undefined || !alive ? null : root.saw === 'string-shared',
      below: seen.filter(({ pattern }) => pattern !== '$'),
    };
  };
}
