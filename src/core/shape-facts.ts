import type { Facts, Shape } from '../model/documents/shape.ts';
import type { Flag } from '../model/vocabulary/shape.ts';
import { filter } from './value/lists.ts';

/** At least one of these flags. */
export const has = ({ flags }: Facts, ...wanted: readonly Flag[]): boolean =>
  wanted.some((flag) => flags.includes(flag));

/** An ArrayBuffer or a view; the memory behind a view may be shared. */
export const isBuffer = ({ kind }: Facts): boolean =>
  kind === 'arraybuffer' || kind === 'typedarray' || kind === 'dataview';

/** Not walked again by `describe`: their children are counted where they were first met. */
export const isReference = (facts: Facts): boolean => has(facts, 'repeated', 'cycle');

/**
 * Integers that JavaScriptCore stores as doubles, or numbers as any values: its built-ins, such as Array.from, make arrays as
 * those that they made before had to be, perhaps for another payload.
 */
export const isStoredAsLearned = ({ patterns }: Shape): boolean =>
  patterns.some((row) => {
    if (row.kind !== 'array' || !has(row, 'double-storage', 'contiguous')) return false;
    const items = filter(
      patterns,
      ({ pattern, parent }) => parent === 'array' && pattern === `${row.pattern}[*]`,
    );
    const narrow = (item: Facts) => item.kind === 'number' && (has(row, 'contiguous') || has(item, 'int32'));
    return items.length > 0 && items.every(narrow);
  });

/** Of all strings, each at each of its places. */
export const textUnits = (rows: readonly Facts[]): number =>
  rows.reduce((sum, { kind, size }) => sum + (kind === 'string' ? (size?.total ?? 0) : 0), 0);
