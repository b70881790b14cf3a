/** Values and plans for the cases of the remedies. */
import type { Plan } from '../../../src/model/documents/trial.ts';
import type { Outcome } from '../outcomes.ts';

/** Name of the value, how to make a fresh one, the plan, and the outcome: equal without one. */
export type Case = [name: string, make: () => unknown, plan: Plan, outcome?: Outcome];

export const holey = (length: number, entries: object) => Object.assign([] as unknown[], entries, { length });
export const big = (units: number) => 'x'.repeat(units);
export const JSON_ROOT = { path: '$', paths: ['$'] };
export const at = (...paths: string[]) => ({ path: paths[0] ?? '$', paths });
export const formed = (form: string, ...paths: string[]) => ({ ...at(...paths), form });
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
export const throwing = () => ({
  get a() {
    throw new Error('no');
  },
});
export const bytes = (...values: number[]) => new Uint8Array(values);
export const part = (buffer = new ArrayBuffer(64)) => new Uint8Array(buffer, 8, 4).fill(7);
export const overlapping = () => {
  const one = new ArrayBuffer(64);
  return [part(one), part(one)];
};
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

/** Records in arrays in records, and arrays of scalars beside them. */
export const orders = () =>
  rows(9, (i) => ({
    id: `o${i}`,
    items: rows(i % 3, (n) => ({ sku: `s${n}`, n: n / 2, lots: rows(n, (l) => ({ l })) })),
    at: { rows: i, column: 'name' },
    tags: i === 4 ? ['a', '\ud800', null] : [],
    scores: [i, -i],
  })) as Record<string, unknown>[];
