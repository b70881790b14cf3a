import type { Plan, Remedy } from '../model/remedy.ts';
import type { Facts, Shape } from '../model/shape.ts';
import { RECEIVES_ORIGINAL, remedyFromCode } from './code/remedy-from-code.ts';
import { declareToMessage } from './code/rewrite.ts';
import { anyRow, everyRow, has, ShapeIndex } from './facts/shape-index.ts';

interface RepackPlan extends Plan {
  paths: string[];
}

/** Arrays that their engine clones the slow way though nothing is missing in them. */
const isSpoiled = (row: Facts) =>
  row.kind === 'array' &&
  has(
    row,
    'holey-kind',
    'not-fast-elements',
    'dictionary-elements',
    'array-storage',
    'slow-put',
    'named-props-history',
    'frozen',
    'sealed',
    'non-extensible',
  );

/** A copy would lose what these have. */
const isMore = (row: Facts) => has(row, 'holes', 'named-props', 'symbol-key', 'accessor');

function wanted(shape: Shape): Plan[] {
  const spots = new ShapeIndex(shape);
  // Bun has a fast path for the root alone: packing what is nested changes nothing there.
  const deepest = shape.representation.engine === 'jsc' ? 0 : Number.POSITIVE_INFINITY;
  const paths = spots
    .all()
    .filter(
      (spot) =>
        spot.depth <= deepest &&
        anyRow(spot, (row) => isSpoiled(row) && !has(row, 'empty')) &&
        everyRow(spot, (row) => row.kind !== 'array' || !isMore(row)) &&
        spots.isRewritable(spot.pattern),
    )
    .map((spot) => spot.pattern);
  return paths.length === 0 ? [] : [{ path: paths[0]!, paths }];
}

/** Pushing gives packed elements in V8 and contiguous ones in JSC; slice and spread keep what V8 calls holey. */
const PACKED = `function packed(list) {
  if (!Array.isArray(list)) return list;
  const copy = [];
  for (let i = 0; i < list.length; i++) {
    const item = list[i];
    if (item === undefined && !Object.hasOwn(list, i)) throw new TypeError('the array has holes');
    copy.push(item);
  }
  return copy;
}`;

export const repack: Remedy = remedyFromCode({
  name: 'repack',
  title: 'copy the array into a packed one',
  loses: [],
  wanted,
  source: (plan) => ({
    sender: `${PACKED}\n${declareToMessage(
      (plan as RepackPlan).paths.map((path) => ({ path, rewrite: (value) => `packed(${value})` })),
    )}`,
    receiver: RECEIVES_ORIGINAL,
  }),
});
