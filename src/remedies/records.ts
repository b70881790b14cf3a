import { keyText } from '../core/paths.ts';
import type { Facts } from '../model/shape.ts';
import { everyRow, has, isScalar, type Spot, type Spots } from './facts.ts';
import { literal, member, propertyName } from './javascript.ts';

/** A key of a record and what is below it; part of a plan, so plain JSON. */
export interface Field {
  key: string;
  /** The fields of the object there; absent for a leaf. */
  fields?: Field[];
  /** Typed array that holds the whole column: set when every value is a number of that range. */
  type?: 'Int32Array' | 'Float64Array';
  /** The leaf is a Date: its time value travels. */
  date?: boolean;
  /** Send the leaf as JSON text. */
  text?: boolean;
}

/** Every record has as many leaves; more than this is no table any more. */
const MOST_LEAVES = 64;
const INDEX_LIKE = /^\d+$/;

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

function keyOf(spot: Spot): string | null {
  const key = spot.steps.at(-1);
  return key?.type === 'key' && key.key !== '__proto__' && !INDEX_LIKE.test(key.key) ? key.key : null;
}

/** Int32Array keeps every int32 but -0; Float64Array keeps every number. */
function columnType(spot: Spot): Field['type'] {
  if (!everyRow(spot, (row) => row.kind === 'number')) return undefined;
  return everyRow(spot, (row) => has(row, 'int32') && !has(row, 'negative-zero'))
    ? 'Int32Array'
    : 'Float64Array';
}

const isPlainDate = (row: Facts) =>
  row.kind === 'date' && !has(row, 'repeated', 'extra-props', 'subclass', 'class-instance');

function leafOf(spot: Spot, key: string): Field {
  if (everyRow(spot, isPlainDate)) return { key, date: true, type: 'Float64Array' };
  const type = columnType(spot);
  return type === undefined ? { key } : { key, type };
}

function fieldOf(spots: Spots, spot: Spot, key: string): Field {
  const fields = fieldsAt(spots, spot);
  return fields !== null && fields.length > 0 ? { key, fields } : leafOf(spot, key);
}

/** The fields that every object at the spot has; null when they differ from object to object. */
export function fieldsAt(spots: Spots, spot: Spot): Field[] | null {
  if (spot.rows.some(isSpecial)) return null;
  const fields: Field[] = [];
  for (const child of spots.children(spot.pattern)) {
    const key = keyOf(child);
    if (key === null || child.count !== spot.count) return null;
    fields.push(fieldOf(spots, child, key));
  }
  return leavesOf(fields).length <= MOST_LEAVES ? fields : null;
}

export interface Leaf extends Field {
  path: string[];
}

export function leavesOf(fields: readonly Field[], above: readonly string[] = []): Leaf[] {
  return fields.flatMap((field) => {
    const path = [...above, field.key];
    return field.fields === undefined ? [{ ...field, path }] : leavesOf(field.fields, path);
  });
}

/** Spots of the leaves that are not scalars everywhere. */
export function richLeaves(spots: Spots, record: Spot, fields: readonly Field[]): Leaf[] {
  return leavesOf(fields).filter(({ path, date }) => {
    if (date) return false;
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

/** Names of local variables for the objects inside a record: `row`, `row1`, ... */
class Locals {
  readonly lines: string[] = [];
  readonly checks: string[] = [];
  readonly leaves: string[] = [];
  #count = 0;

  visit(fields: readonly Field[], name: string): void {
    this.checks.push(`Object.keys(${name}).length !== ${fields.length}`);
    for (const field of fields) {
      if (field.key === '__proto__' || INDEX_LIKE.test(field.key))
        throw new TypeError(`a record cannot have the key ${field.key}`);
      const value = `${name}${member(field.key)}`;
      if (field.fields !== undefined) this.#inside(field.fields, value);
      else {
        const isAbsent = `!Object.hasOwn(${name}, ${literal(field.key)})`;
        this.checks.push(field.key in Object.prototype ? isAbsent : `${value} === undefined && ${isAbsent}`);
        this.leaves.push(field.date ? `timeOf(${value})` : value);
      }
    }
  }

  #inside(fields: readonly Field[], value: string): void {
    const name = `row${++this.#count}`;
    this.lines.push(`const ${name} = ${value};`);
    this.visit(fields, name);
  }
}

/** Statements that read the record `row` and throw when its keys are others; expressions of its leaves in order. */
export function reading(fields: readonly Field[]): { lines: string[]; leaves: string[] } {
  const locals = new Locals();
  locals.visit(fields, 'row');
  if (locals.leaves.length === 0) throw new TypeError('a record needs a field');
  const checks = locals.checks.map((check) => (check.includes('&&') ? `(${check})` : check)).join(' || ');
  return {
    lines: [...locals.lines, `if (${checks}) throw new TypeError('a record has other keys');`],
    leaves: locals.leaves,
  };
}

/** Declares what `reading` calls for dates, where there are any. */
export function declarations(fields: readonly Field[]): string {
  if (!leavesOf(fields).some((leaf) => leaf.date)) return '';
  return `function timeOf(value) {
  if (!(value instanceof Date)) throw new TypeError('a record holds no Date there');
  return value.getTime();
}
`;
}

/** Source of the object literal of a record; `leaf` gives the source of the n-th leaf. */
export function building(fields: readonly Field[], leaf: (n: number, field: Leaf) => string): string {
  const leaves = leavesOf(fields);
  let n = 0;
  const value = (field: Leaf) => (field.date ? `new Date(${leaf(n++, field)})` : leaf(n++, field));
  const object = (list: readonly Field[]): string =>
    `{ ${list
      .map(({ key, fields: inside }) => {
        const source = inside === undefined ? value(leaves[n]!) : object(inside);
        return `${propertyName(key)}: ${source}`;
      })
      .join(', ')} }`;
  return object(fields);
}
