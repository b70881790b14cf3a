/**
 * Whether the characters of a string were shared with the receiver or copied: each further holder makes the memory
 * estimate of the sender's string smaller.
 */

import { filter, flatMap, map } from '../../core/value/lists.ts';
import type { Shape } from '../../model/documents/shape.ts';
import type { PathName } from '../../model/names.ts';
import type { Confirmation } from '../../model/report/confirmation.ts';
import { valueAt } from '../oracle/value-at.ts';
import type { BunJsc } from './jsc.ts';
import { resolved, SHARED_UNITS } from './shared-buffer.ts';

export interface SharedStrings {
  /** null when the root is not a string that could be shared. */
  root: boolean | null;
  below: Confirmation['examples'];
}

const MAX_STRINGS = 64;

/** To be called before the post. Call the returned function after it, while the received value is alive. */
export function watchSharing(
  jsc: BunJsc,
  value: unknown,
  shape: Shape,
): (received: unknown) => SharedStrings {
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
  return (received) => {
    const examples = map(strings, ({ pattern, example, text, before }) => ({
      pattern,
      example,
      path: (jsc.estimateShallowMemoryUsageOf(text) < before ? 'string-shared' : 'string-copied') as PathName,
    }));
    const root = examples.find(({ pattern }) => pattern === '$');
    // Read last, so that the received value is alive while the estimates are made.
    const alive = received !== undefined;
    return {
      root: root === undefined || !alive ? null : root.path === 'string-shared',
      below: filter(examples, ({ pattern }) => pattern !== '$'),
    };
  };
}
