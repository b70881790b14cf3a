import type { ColumnType } from '../facts/fields.ts';
import { typed } from './dialect.ts';

/** Lists of values of one kind, of which the message of a table is made. */
export interface Lane {
  name: string;
  /** Function of the receiver that reads the next value. */
  read: string;
  /** The condition under which the lane does not hold what it was made for; null: it holds anything. */
  misfit: string | null;
  type: ColumnType | null;
  /** TypeScript type of its values while they are gathered. */
  values: string;
}

export const LANES = {
  cells: { name: 'cells', read: 'get', type: null, values: 'unknown', misfit: 'cells.includes(undefined)' },
  optional: { name: 'optional', read: 'maybe', type: null, values: 'unknown', misfit: null },
  numbers: {
    name: 'numbers',
    read: 'number',
    type: 'Float64Array',
    values: 'number',
    misfit: `numbers.some((value${typed('-')}) => typeof value !== 'number')`,
  },
  integers: {
    name: 'integers',
    read: 'integer',
    type: 'Int32Array',
    values: 'number',
    misfit: `integers.some((value${typed('-')}) => !Object.is(value | 0, value))`,
  },
  bigints: {
    name: 'bigints',
    read: 'bigint',
    type: 'BigInt64Array',
    values: 'bigint',
    misfit: `bigints.some((value${typed('-')}) => BigInt.asIntN(64, value) !== value)`,
  },
} as const satisfies Record<string, Lane>;

export const LANE_OF = {
  Float64Array: 'numbers',
  Int32Array: 'integers',
  BigInt64Array: 'bigints',
} as const satisfies Record<ColumnType, LaneName>;

export type LaneName = keyof typeof LANES;
export const LANE_NAMES = Object.keys(LANES) as LaneName[];

/** One value, or a list with the values of each of its items, in the order of the message. */
export type Step = { lane: LaneName; path: string } | { path: string; items: Step[] };

export const idOf = (path: readonly string[]) => path.join('\n');
