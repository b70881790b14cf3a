/** Chooses the children of a container that are visited, if not all can be. */
import { readLength } from '../../value/array-reads.ts';
import { isObject } from '../../value/own-data.ts';
import { spreadShare } from '../../value/spread.ts';

/** Number of children up to which all are visited. */
const FEW = 8;
/** Children that are at most this share of the visits are all visited, independent of their content. */
const FEW_SHARE = 1 / 16;
/** Children whose extents are compared, so that a larger one gets more of what may be visited. */
const MAX_COMPARED = 512;
const FEW_EXTENTS = 32;
/** One child of many gets at most this share of what may be visited. */
const MOST_FOR_ONE = 1 / 24;

/** Number of values that may be in a value, roughly. */
const extentOf = (value: unknown): number =>
  !isObject(value) ? 1 : Array.isArray(value) ? 2 + readLength(value) : 8;

/** Number of values that were visited so far. */
interface Visits {
  visited: number;
}

export interface Children {
  /** Number of children that can be visited, and the child at an index. */
  count: number;
  at(index: number): unknown;
  /** @param nodes about how many values may be visited in it */
  visit(index: number, nodes: number): void;
}

/** @param nodes about how many values may be visited in all children @returns whether some stand for all */
export function visitChildren(children: Children, nodes: number, visits: Visits): boolean {
  const { count } = children;
  const isFew = count <= nodes * FEW_SHARE || (count <= FEW && nodes >= 2);
  const isSome = !isFew && extents(children) > nodes;
  if (isSome) visitSome(children, nodes, visits);
  else visitAll(children, nodes, visits);
  return isSome;
}

function visitAll({ count, at, visit }: Children, nodes: number, visits: Visits): void {
  const end = visits.visited + nodes;
  const of = (i: number) => (count > MAX_COMPARED ? 1 : extentOf(at(i)));
  let open = 0;
  for (let i = 0; i < count; i++) open += of(i);
  for (let i = 0; i < count; i++) {
    const own = of(i);
    visit(i, Math.max(1, ((end - visits.visited) * own) / open));
    open -= own;
  }
}

function visitSome({ count, visit }: Children, nodes: number, visits: Visits): void {
  const end = visits.visited + nodes;
  const taken = new Set<number>();
  // Containers of one length are not all read at the same indices.
  let turn = visits.visited;
  while (taken.size < count && (taken.size === 0 || visits.visited < end)) {
    let index = Math.floor(spreadShare(++turn) * count);
    while (taken.has(index)) index = (index + 1) % count;
    taken.add(index);
    visit(index, nodes < FEW ? nodes : Math.max(FEW, nodes * MOST_FOR_ONE));
  }
}

/** Number of values that may be in all children, estimated from some of them. */
function extents({ count, at }: Children): number {
  const stride = Math.ceil(count / FEW_EXTENTS) || 1;
  let [sum, read] = [0, 0];
  for (let i = 0; i < count; i += stride) {
    sum += extentOf(at(i));
    read++;
  }
  return read === 0 ? 0 : (sum * count) / read;
}
