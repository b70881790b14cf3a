/** Which objects of a pattern get which keys, and which arrays get which elements. */
import type { Facts } from '../../../model/documents/shape.ts';
import type { Kind } from '../../../model/vocabulary/shape.ts';
import { has, isReference } from '../../shape-facts.ts';
import { filter, map } from '../../value/lists.ts';
import { isIndexKey } from '../../value/own-data.ts';
import type { PatternTree } from './pattern-tree.ts';

export type Dealt = { row: Facts; count: number };

export interface KeyShare {
  node: PatternTree;
  /** How many objects of the row have the key; values in all where there are any number of keys. */
  count: number;
  /** The first object that has it: the next ones follow, around the end. */
  first: number;
}

export type KeyShares = readonly KeyShare[];

export const containersOf = (node: PatternTree, kind: Kind): Facts[] =>
  filter(node.rows, (row) => row.kind === kind && row.count > 0 && !isReference(row));

export const dealtTo = (child: PatternTree, parent: Kind): Dealt[] =>
  map(
    filter(child.rows, (row) => row.parent === parent && row.count > 0),
    (row) => ({ row, count: row.count }),
  );

export const countOf = (dealt: readonly Dealt[]): number => dealt.reduce((sum, { count }) => sum + count, 0);

/** Objects with certain keys have rows of their own. */
function keyFits({ step }: PatternTree, { kind, flags }: Facts): boolean {
  if (kind === 'array') return flags.includes('named-props');
  if (kind === 'error') return step?.type !== 'key' || step.key !== 'cause' || flags.includes('has-cause');
  if (flags.includes('empty')) return false;
  if (step?.type !== 'key') return true;
  if (step.key === '__proto__') return flags.includes('proto-key');
  return !isIndexKey(step.key) || flags.includes('indexed-key');
}

/** The keys of each row of objects at a pattern. */
export function keysOf(node: PatternTree, kind: Kind): Map<Facts, KeyShare[]> {
  // Rows with index keys or `__proto__` first: only they can have these.
  const rank = (row: Facts) => (has(row, 'indexed-key', 'proto-key') ? 0 : 1);
  const rows = containersOf(node, kind).sort((a, b) => rank(a) - rank(b));
  const keyed = filter(node.children, ({ step }) => step?.type === 'key' || step?.type === 'any-key');
  const children = filter(keyed, (child) => dealtTo(child, kind).length > 0);
  const given = allot(
    map(rows, ({ count, size }) => ({
      count,
      // A size of the other kinds is no number of keys, or there is none: they get what is there.
      total: kind === 'object' ? (size?.total ?? count) : count * children.length,
    })),
    map(children, (child) => ({
      count: countOf(dealtTo(child, kind)),
      each: child.step?.type === 'any-key' ? Number.MAX_SAFE_INTEGER : 1,
      fits: (i: number) => keyFits(child, rows[i]!),
    })),
  );
  return new Map(map(rows, (row, i) => [row, keysOfRow(row, children, given[i]!)]));
}

/** Optional keys follow each other around the objects: all objects get as many, as far as possible (McNaughton's rule). */
function keysOfRow(row: Facts, children: readonly PatternTree[], given: readonly number[]): KeyShare[] {
  let next = 0;
  const shares = map(children, (node, j) => {
    const [count, first] = [given[j]!, next];
    if (count < row.count) next = (next + count) % row.count;
    return { node, count, first };
  });
  return filter(shares, ({ count }) => count > 0);
}

export interface ItemShare {
  items: Dealt[];
  /** Elements that are there; less than the lengths where there are holes. */
  filled: number;
}

/** 0: integers only. 1: numbers only. 2: anything. */
function generality(row: Facts): number {
  if (has(row, 'packed-smi', 'int32-storage')) return 0;
  return has(row, 'packed-double', 'double-storage') ? 1 : 2;
}

function itemFits(item: Facts, array: Facts): boolean {
  const needs = generality(array);
  return needs === 2 || (item.kind === 'number' && (needs === 1 || has(item, 'int32')));
}

/** The elements of each row of arrays at a pattern. */
export function itemsOf(node: PatternTree): Map<Facts, ItemShare> {
  const rows = containersOf(node, 'array').sort((a, b) => generality(a) - generality(b));
  const child = node.children.find(({ step }) => step?.type === 'index');
  const items = child === undefined ? [] : dealtTo(child, 'array');
  const isHoley = (row: Facts) => has(row, 'holes');
  const lengthOf = (row: Facts) => row.size?.total ?? 0;
  const sum = (of: readonly Facts[]) => of.reduce((all, row) => all + lengthOf(row), 0);
  const holey = filter(rows, isHoley);
  const inHoley = Math.max(0, countOf(items) - (sum(rows) - sum(holey)));
  const totals = map(rows, (row) =>
    isHoley(row) ? Math.floor((inHoley * lengthOf(row)) / Math.max(1, sum(holey))) : lengthOf(row),
  );
  const given = allot(
    map(rows, (row, i) => ({ count: row.count, total: totals[i]! })),
    map(items, ({ row, count }) => ({
      count,
      each: Number.MAX_SAFE_INTEGER,
      fits: (i: number) => itemFits(row, rows[i]!),
    })),
  );
  return new Map(
    map(rows, (row, i) => {
      const own = map(items, (dealt, j) => ({ row: dealt.row, count: given[i]![j]! }));
      return [row, { items: filter(own, ({ count }) => count > 0), filled: totals[i]! }];
    }),
  );
}

/** Objects of a row, and the children that they have together. */
type Parents = Record<'count' | 'total', number>;

interface Children {
  count: number;
  /** How many of them one parent can have: one value of each key, any number of elements. */
  each: number;
  fits: (parents: number) => boolean;
}

/**
 * `result[i][j]`: how many of children j go to parents i. Each row of parents gets its total where that is possible, and
 * nothing is left over but what fits nowhere.
 */
function allot(parents: readonly Parents[], children: readonly Children[]): number[][] {
  const left = children.map(({ count }) => count);
  return parents.map((own, i) => {
    const bounds = children.map((child, j) => boundsOf(parents, i, child, left[j]!));
    // Share of the children that are left, by the totals that are left.
    const rest = parents.slice(i).reduce((sum, { total }) => sum + total, 0);
    const share = rest === 0 ? 1 : own.total / rest;
    const given = bounds.map(([low, high], j) => Math.min(high, Math.max(low, Math.round(left[j]! * share))));
    fitTotal(given, bounds, own.total);
    given.forEach((count, j) => {
      left[j] = left[j]! - count;
    });
    return given;
  });
}

function boundsOf(parents: readonly Parents[], i: number, child: Children, left: number): [number, number] {
  if (!child.fits(i)) return [0, 0];
  const later = parents.reduce((sum, { count }, k) => (k > i && child.fits(k) ? sum + count : sum), 0);
  const high = Math.min(left, parents[i]!.count * child.each);
  const takenLater = later === 0 ? 0 : later * child.each;
  return [Math.min(high, Math.max(0, left - takenLater)), high];
}

function fitTotal(given: number[], bounds: readonly [number, number][], total: number): void {
  let missing = total - given.reduce((sum, count) => sum + count, 0);
  for (let j = 0; j < given.length && missing !== 0; j++) {
    const [low, high] = bounds[j]!;
    const fitted = Math.min(high, Math.max(low, given[j]! + missing));
    missing -= fitted - given[j]!;
    given[j] = fitted;
  }
}
