/** Chooses the children of a container that are visited, if not all can be. */
import { readLength } from '../../value/array-reads.ts';
import { isObject } from '../../value/own-data.ts';
import { spreadShare } from '../../value/spread.ts';

/** Number of children up to which all are visited. */
const FEW = 8;
/** Children that are at most this share of the visits are all visited, independent of their content. */
const FEW_SHARE = 1 / 16;
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
  let extent = 0;
  for (let i = 0; i < count && (isFew || extent <= nodes); i++) extent += extentOf(children.at(i));
  const isSome = !isFew && extent > nodes;
  if (isSome) visitSome(children, nodes, visits);
  else visitAll(children, nodes, visits, extent);
  return isSome;
}

/** @param extent of all: a larger child gets more of what may be visited */
function visitAll({ count, at, visit }: Children, nodes: number, visits: Visits, extent: number): void {
  const end = visits.visited + nodes;
  let open = extent;
  for (let i = 0; i < count; i++) {
    const own = extentOf(at(i));
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
