import { keyText } from '../../core/paths.ts';
import { has } from '../../core/shape-facts.ts';
import type { Facts } from '../../model/rules/shape.ts';
import {
  everyRow,
  isPlainArray,
  isScalar,
  type PatternRows,
  type ShapeIndex,
  totalSize,
} from './shape-index.ts';

export type NumberType = 'Int32Array' | 'Float64Array';
export type ColumnType = NumberType | 'BigInt64Array';

/** A key of a record and its content; part of a plan, so plain JSON. A field without `fields` is a leaf. */
export interface Field {
  key: string;
  /** It holds an object with these fields. */
  fields?: Field[];
  /** It holds an array of objects with these fields. */
  items?: Field[];
  /** It holds an array of scalars. */
  list?: boolean;
  /** Typed array that can hold all its values; for an array, its elements. */
  type?: ColumnType;
  /** It holds a Date: the time value is sent. */
  date?: boolean;
  /** It is sent as JSON text. */
  text?: boolean;
  /** It may be undefined, so that presence has to be checked. */
  maybe?: boolean;
}

export interface Leaf extends Field {
  path: string[];
}

/** An array of scalars or of records. */
export const isList = ({ list, items }: Field): boolean => list === true || items !== undefined;

/** Objects with more leaves are not treated as records of a table. */
const MOST_LEAVES = 64;
/** Its items are arguments of one call; engines take 65,536 at least. */
const LONGEST_LIST = 10_000;
const INDEX_LIKE = /^\d+$/;

/** Engines do not store index-like keys as properties, and __proto__ sets a prototype. */
export function isFieldKey(key: string): boolean {
  return key !== '__proto__' && !INDEX_LIKE.test(key);
}

/** Not just own data properties of a plain object, or a shared object. */
const isSpecial = (row: Facts) =>
  row.kind !== 'object' ||
  has(
    row,
    'class-instance',
    'null-prototype',
    'other-realm',
    'accessor',
    'non-enumerable',
    'symbol-key',
    'indexed-key',
    'proto-key',
    'repeated',
    'cycle',
    'too-many-keys',
  );

/** A Date of which the time value is everything that a clone keeps. */
export const isPlainDate = (row: Facts) =>
  row.kind === 'date' && !has(row, 'repeated', 'extra-props', 'subclass', 'class-instance');

/** Float64Array holds every number; Int32Array, where that may be assumed, every int32 except -0. */
export function columnType(shape: ShapeIndex, at: PatternRows): { type?: NumberType } {
  if (!everyRow(at, (row) => row.kind === 'number')) return {};
  const isInt32 =
    shape.assumesIntegers && everyRow(at, (row) => has(row, 'int32') && !has(row, 'negative-zero'));
  return { type: isInt32 ? 'Int32Array' : 'Float64Array' };
}

const isInt64 = (row: Facts) => row.kind === 'bigint' && has(row, 'int64');

function leafOf(shape: ShapeIndex, at: PatternRows, key: string): Field {
  if (everyRow(at, isInt64)) return { key, type: 'BigInt64Array' };
  if (everyRow(at, isPlainDate)) return { key, date: true, type: 'Float64Array' };
  return { key, ...columnType(shape, at), ...(at.kinds.has('undefined') ? { maybe: true } : {}) };
}

/** An array whose elements can be joined with those of other records into columns; null for any other value. */
function listOf(shape: ShapeIndex, at: PatternRows, key: string): Field | null {
  if (!everyRow(at, (row) => isPlainArray(row) && !has(row, 'repeated', 'cycle'))) return null;
  const [item, ...others] = shape.children(at.pattern);
  if (item === undefined) return { key, list: true };
  if (others.length > 0 || item.count !== totalSize(at)) return null;
  const items = fieldsAt(shape, item, true);
  if (items !== null && items.length > 0) return { key, items };
  const isFlat = everyRow(item, (row) => isScalar(row) && row.kind !== 'undefined');
  const isShort = everyRow(at, (row) => (row.size?.max ?? 0) <= LONGEST_LIST);
  return isFlat && isShort ? { key, list: true, ...columnType(shape, item) } : null;
}

function fieldOf(shape: ShapeIndex, at: PatternRows, key: string, withLists: boolean): Field {
  const fields = fieldsAt(shape, at, withLists);
  if (fields !== null && fields.length > 0) return { key, fields };
  return (withLists ? listOf(shape, at, key) : null) ?? leafOf(shape, at, key);
}

/** The fields that all objects of the pattern have; null when they differ between objects. */
export function fieldsAt(shape: ShapeIndex, at: PatternRows, withLists = false): Field[] | null {
  if (at.rows.some(isSpecial)) return null;
  const fields: Field[] = [];
  for (const child of shape.children(at.pattern)) {
    const step = child.steps.at(-1);
    if (step?.type !== 'key' || !isFieldKey(step.key) || child.count !== at.count) return null;
    fields.push(fieldOf(shape, child, step.key, withLists));
  }
  return leavesOf(fields).length <= MOST_LEAVES ? fields : null;
}

export function leavesOf(fields: readonly Field[], above: readonly string[] = []): Leaf[] {
  return fields.flatMap((field) => {
    const path = [...above, field.key];
    return field.fields === undefined ? [{ ...field, path }] : leavesOf(field.fields, path);
  });
}

/** Leaves that hold objects of some kind and are not sent as scalars. */
export function richLeaves(shape: ShapeIndex, record: PatternRows, fields: readonly Field[]): Leaf[] {
  return leavesOf(fields).filter((leaf) => {
    if (leaf.date || isList(leaf)) return false;
    const at = shape.at(record.pattern + leaf.path.map(keyText).join(''));
    return at === null || !everyRow(at, isScalar);
  });
}

/**
 * One flat key for a path, different for each path: keys are joined by dots; a backslash escapes dots and backslashes
 * inside keys, and numbers, which engines would store as indices.
 */
export function flatKey(path: readonly string[]): string {
  const joined = path.map((key) => key.replace(/[.\\]/g, '\\$&')).join('.');
  return INDEX_LIKE.test(joined) ? `\\${joined}` : joined;
}
