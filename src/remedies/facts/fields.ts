import { keyText } from '../../core/paths.ts';
import type { Facts } from '../../model/shape.ts';
import {
  everyRow,
  has,
  isPlainList,
  isScalar,
  type PatternRows,
  type ShapeIndex,
  sizeOf,
} from './shape-index.ts';

export type ColumnType = 'Int32Array' | 'Float64Array';

/** A key of a record and what it holds; part of a plan, so plain JSON. One that has no `fields` is a leaf. */
export interface Field {
  key: string;
  /** It holds an object with these fields. */
  fields?: Field[];
  /** It holds a list of objects with these fields. */
  items?: Field[];
  /** It holds a list of scalars. */
  list?: boolean;
  /** Typed array that all its values fit: for a list those of its items. */
  type?: ColumnType;
  /** It holds a Date: the time value travels. */
  date?: boolean;
  /** Send it as JSON text. */
  text?: boolean;
  /** It may be undefined, so that presence has to be asked for. */
  maybe?: boolean;
}

export interface Leaf extends Field {
  path: string[];
}

/** Every record has as many leaves; more than this is no table any more. */
const MOST_LEAVES = 64;
const INDEX_LIKE = /^\d+$/;

/** A record whose code can be written: index-like keys are no properties to engines, and __proto__ sets a prototype. */
export function isFieldKey(key: string): boolean {
  return key !== '__proto__' && !INDEX_LIKE.test(key);
}

/** More to it than its own data properties, or one object in two places. */
const isSpecial = (row: Facts) =>
  row.kind !== 'object' ||
  has(
    row,
    'accessor',
    'non-enumerable',
    'symbol-key',
    'indexed-key',
    'proto-key',
    'repeated',
    'cycle',
    'too-many-keys',
  );

const isPlainDate = (row: Facts) =>
  row.kind === 'date' && !has(row, 'repeated', 'extra-props', 'subclass', 'class-instance');

/** Int32Array keeps every int32 but -0; Float64Array keeps every number. */
export function columnType(spot: PatternRows): { type?: ColumnType } {
  if (!everyRow(spot, (row) => row.kind === 'number')) return {};
  const fitsInt32 = everyRow(spot, (row) => has(row, 'int32') && !has(row, 'negative-zero'));
  return { type: fitsInt32 ? 'Int32Array' : 'Float64Array' };
}

function leafOf(spot: PatternRows, key: string): Field {
  if (everyRow(spot, isPlainDate)) return { key, date: true, type: 'Float64Array' };
  return { key, ...columnType(spot), ...(spot.kinds.has('undefined') ? { maybe: true } : {}) };
}

/** A list whose items can join those of the other records in columns of their own; null for any other value. */
function listOf(spots: ShapeIndex, spot: PatternRows, key: string): Field | null {
  if (!everyRow(spot, (row) => isPlainList(row) && !has(row, 'repeated', 'cycle'))) return null;
  const [item, ...others] = spots.children(spot.pattern);
  if (item === undefined) return { key, list: true };
  if (others.length > 0 || item.count !== sizeOf(spot)) return null;
  const items = fieldsAt(spots, item, true);
  if (items !== null && items.length > 0) return { key, items };
  const isFlat = everyRow(item, (row) => isScalar(row) && row.kind !== 'undefined');
  return isFlat ? { key, list: true, ...columnType(item) } : null;
}

function fieldOf(spots: ShapeIndex, spot: PatternRows, key: string, withLists: boolean): Field {
  const fields = fieldsAt(spots, spot, withLists);
  if (fields !== null && fields.length > 0) return { key, fields };
  return (withLists ? listOf(spots, spot, key) : null) ?? leafOf(spot, key);
}

/** The fields that every object at the spot has; null when they differ from object to object. */
export function fieldsAt(spots: ShapeIndex, spot: PatternRows, withLists = false): Field[] | null {
  if (spot.rows.some(isSpecial)) return null;
  const fields: Field[] = [];
  for (const child of spots.children(spot.pattern)) {
    const step = child.steps.at(-1);
    if (step?.type !== 'key' || !isFieldKey(step.key) || child.count !== spot.count) return null;
    fields.push(fieldOf(spots, child, step.key, withLists));
  }
  return leavesOf(fields).length <= MOST_LEAVES ? fields : null;
}

export function leavesOf(fields: readonly Field[], above: readonly string[] = []): Leaf[] {
  return fields.flatMap((field) => {
    const path = [...above, field.key];
    return field.fields === undefined ? [{ ...field, path }] : leavesOf(field.fields, path);
  });
}

/** Leaves that are neither scalars everywhere nor sent as such. */
export function richLeaves(spots: ShapeIndex, record: PatternRows, fields: readonly Field[]): Leaf[] {
  return leavesOf(fields).filter(({ path, date, items, list }) => {
    if (date || items !== undefined || list) return false;
    const spot = spots.at(record.pattern + path.map(keyText).join(''));
    return spot === null || !everyRow(spot, isScalar);
  });
}

/**
 * One flat key for a path: dots join, a backslash guards dots and backslashes within keys, and numbers, which engines
 * store as indices. No two paths share one.
 */
export function flatKey(path: readonly string[]): string {
  const joined = path.map((key) => key.replace(/[.\\]/g, '\\$&')).join('.');
  return INDEX_LIKE.test(joined) ? `\\${joined}` : joined;
}
