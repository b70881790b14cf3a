/** Chooses the children of a container that are visited, if not all can be. */
import { readLength } from '../../value/read/array-reads.ts';
import { isObject } from '../../value/read/own-data.ts';
import { spreadShare } from '../../value/read/spread.ts';

/** Number of children up to which all are visited. */
const FEW = 8;
/** Children that are at most this share of the visits are all visited, independent of their content. */
const FEW_SHARE = 1 / 16;
/** One child of many gets at most this share of what may be visited. */
const MOST_FOR_ONE = 1 / 24;

/** Number of values that may be in a value, roughly. */
const extentOf = (value: unknown): number =>
  !isObject(value) ? 1 : Array.isArray(value) ? 2 + readLength(value) : 8;

/**
 * @param nodes about how many values may be visited in all children
 * @param visits how many values were visited so far
 * @param visit gets the index of a child, and about how many values may be visited in it
 * @param isRecord how many are visited does not depend on what is in them: else, where a large field was met, fewer others
 *   would stand for the rest
 * @returns whether some stand for all
 */
export function visitChildren(
  children: ArrayLike<unknown>,
  nodes: number,
  visits: { visited: number },
  visit: (index: number, nodes: number) => void,
  isRecord = false,
): boolean {
  const { length } = children;
  const end = visits.visited + nodes;
  const isFew = length <= nodes * FEW_SHARE || (length <= FEW && nodes >= 2);
  let extent = 0;
  let read = 0;
  for (; read < length && (isFew || extent <= nodes); read++) extent += extentOf(children[read]);
  if (!isFew && extent > nodes) {
    const taken = new Set<number>();
    const most = isRecord ? Math.max(1, Math.floor((read * nodes) / extent)) : length;
    const hasTime = () => isRecord || taken.size === 0 || visits.visited < end;
    // Containers of one length are not all read at the same indices.
    let turn = visits.visited;
    while (taken.size < most && hasTime()) {
      let index = Math.floor(spreadShare(++turn) * length);
      while (taken.has(index)) index = (index + 1) % length;
      taken.add(index);
      visit(index, nodes < FEW ? nodes : Math.max(FEW, nodes * MOST_FOR_ONE));
    }
    return true;
  }
  // A larger child gets more of what may be visited.
  for (let i = 0; i < length; i++) {
    const own = extentOf(children[i]);
    visit(i, Math.max(1, ((end - visits.visited) * own) / extent));
    extent -= own;
  }
  return false;
}
