import { has } from '../core/shape-facts.ts';
import type { Facts, Shape } from '../model/documents/shape.ts';
import type { Remedy } from '../model/rules/remedy.ts';
import { RECEIVES_ORIGINAL, remedyFromCode } from './code/remedy-from-code.ts';
import { declareToMessage } from './code/rewrite.ts';
import { anyRow, everyRow, type PathsPlan, planFor, ShapeIndex } from './facts/shape-index.ts';
import { callTargets } from './facts/target-trie.ts';

/** Stored in a way that the engine clones slowly, though no element is missing. */
const isSlowArray = (row: Facts) =>
  row.kind === 'array' &&
  !has(row, 'empty') &&
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

/** A copy of the elements would lose something. */
const isMoreThanElements = (row: Facts) =>
  row.kind === 'array' && has(row, 'holes', 'named-props', 'symbol-key', 'accessor');

function plans(shape: Shape): PathsPlan[] {
  // Bun has a fast path for a root array only.
  const deepest = shape.representation.engine === 'jsc' ? 0 : Number.POSITIVE_INFINITY;
  const paths = ShapeIndex.of(shape).rewritable(
    (at) => at.depth <= deepest && anyRow(at, isSlowArray) && everyRow(at, (row) => !isMoreThanElements(row)),
  );
  return planFor(paths, paths[0]);
}

/** Pushing gives packed elements in V8 and contiguous ones in JSC; slice and spread keep the holey kind in V8. */
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

export const repack: Remedy = remedyFromCode<PathsPlan>({
  name: 'repack',
  title: 'copy the array into a packed one',
  plans,
  source: ({ paths }) => ({
    sender: `${PACKED}\n${declareToMessage(callTargets('packed', paths))}`,
    receiver: RECEIVES_ORIGINAL,
  }),
});
