/** Values and plans for the cases of the remedies. */
import type { Plan } from '../../../src/model/documents/trial.ts';
import type { Outcome } from '../outcomes.ts';

/** Name of the value, how to make a fresh one, the plan, and the outcome ([]: equal). */
export type Case = [name: string, make: () => unknown, plan: Plan, outcome: Outcome];

export const holey = (length: number, entries: object) => Object.assign([] as unknown[], entries, { length });
export const big = (units: number) => 'x'.repeat(units);
export const JSON_ROOT = { path: '$', paths: ['$'] };
export const at = (...paths: string[]) => ({ path: paths[0] ?? '$', paths });
export const ODD = {
  'a b': 1,
  '"': 2,
  '\n\u2028\u0007': 3,
  toString: 4,
  constructor: 5,
  '': 6,
  ünï: 7,
  '0': 8,
};
export const withProto = (json: string) => JSON.parse(json) as unknown;
export const ring = () => {
  const value: Record<string, unknown> = { list: [1] };
  value.self = value;
  return value;
};
export const twice = () => {
  const one = { list: [1, 2] };
  return { a: one, b: one };
};
export const bytes = (...values: number[]) => new Uint8Array(values);
export const part = (buffer = new ArrayBuffer(64)) => new Uint8Array(buffer, 8, 4).fill(7);
export const dates = { path: '$', forms: [{ path: '$[*].at', form: 'date' }] };
export const form = (path: string, name: string) => ({ path, forms: [{ path, form: name }] });
export class Point {
  x = 1;
  get double() {
    return this.x * 2;
  }
}

export const rows = (count: number, make: (i: number) => unknown) =>
  Array.from({ length: count }, (_, i) => make(i));
export const numbers = (path: string, type: string) => ({ path, lists: [{ path, type }] });

interface Fields {
  key: string;
  fields?: Fields[];
  type?: string;
}
function grow(fields: Fields[], [key, ...rest]: readonly string[], type = ''): void {
  const known = fields.find((field) => field.key === key);
  const field: Fields = known ?? {
    key: key!,
    ...(rest.length > 0 ? { fields: [] } : {}),
    ...(type === 'maybe' ? { maybe: true } : type ? { type } : {}),
  };
  if (known === undefined) fields.push(field);
  if (rest.length > 0) grow(field.fields!, rest, type);
}
export function flat(...leaves: string[][]) {
  const fields: Fields[] = [];
  for (const leaf of leaves) grow(fields, leaf);
  return { path: '$', fields };
}
/** `{ 'geo.lat': 'Float64Array' }` for each column. */
export function table(kind: string, ...leaves: Record<string, string>[]) {
  const fields: Fields[] = [];
  for (const leaf of leaves)
    for (const [name, type] of Object.entries(leaf)) grow(fields, name.split('.'), type);
  return { path: '$', fields, form: kind };
}

export const dated = (kind: string) => ({
  path: '$',
  fields: ['d', 'e'].map((key) => ({ key, date: true, type: 'Float64Array' })),
  form: kind,
});

/** Records in arrays in records, and arrays of scalars beside them. */
export const orders = () =>
  rows(9, (i) => ({
    id: `o${i}`,
    items: rows(i % 3, (n) => ({ sku: `s${n}`, n: n / 2, lots: rows(n, (l) => ({ l })) })),
    at: { rows: i, column: 'name' },
    tags: i === 4 ? ['a', '\ud800', null] : [],
    scores: [i, -i],
  })) as Record<string, unknown>[];
export const nested = {
  path: '$',
  fields: [
    { key: 'id' },
    {
      key: 'items',
      items: [
        { key: 'sku' },
        { key: 'n', type: 'Float64Array' },
        { key: 'lots', items: [{ key: 'l', type: 'Int32Array' }] },
      ],
    },
    { key: 'at', fields: [{ key: 'rows', type: 'Int32Array' }, { key: 'column' }] },
    { key: 'tags', list: true },
    { key: 'scores', list: true, type: 'Float64Array' },
  ],
};
