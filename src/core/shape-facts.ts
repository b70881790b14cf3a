import type { Facts } from '../model/documents/shape.ts';
import type { Flag } from '../model/vocabulary/shape.ts';

/** At least one of these flags. */
export const has = ({ flags }: Facts, ...wanted: readonly Flag[]): boolean =>
  wanted.some((flag) => flags.includes(flag));

/** An ArrayBuffer or a view; the memory behind a view may be shared. */
export const isBuffer = ({ kind }: Facts): boolean =>
  kind === 'arraybuffer' || kind === 'typedarray' || kind === 'dataview';

/** Not walked again by `describe`: their children are counted where they were first met. */
export const isReference = (facts: Facts): boolean => has(facts, 'repeated', 'cycle');

/** Of all strings, each at each of its places. */
export const textUnits = (rows: readonly Facts[]): number =>
  rows.reduce((sum, { kind, size }) => sum + (kind === 'string' ? (size?.total ?? 0) : 0), 0);
