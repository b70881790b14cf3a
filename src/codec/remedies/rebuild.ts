import type { Facts, Shape } from '../../model/documents/shape.ts';
import type { Remedy } from '../../model/rules/remedy.ts';
import { has } from '../../value/shape/shape-facts.ts';
import { remedyFromCode } from '../code/remedy-from-code.ts';
import { callTargets, toMessageCode } from '../code/rewrite.ts';
import { IS_OBJECT } from '../code/shared-declarations.ts';
import { isPlainArray, isScalar, type PathsPlan, planFor, ShapeIndex } from './facts/shape-index.ts';

const SLOW_STORAGE = [
  'dictionary',
  'uncacheable-dictionary',
  'hidden-state',
  'frozen',
  'sealed',
  'non-extensible',
  'non-enumerable',
  'non-configurable',
  'symbol-key',
  'accessor',
] as const;

const isSlowObject = (row: Facts) => row.kind === 'object' && !has(row, 'empty') && has(row, ...SLOW_STORAGE);

function plans(shape: Shape): PathsPlan[] {
  // Bun has fast paths only for the root object and for objects in a root array.
  const isTaken = ({ pattern }: Facts) =>
    shape.representation.engine !== 'jsc' || pattern === '$' || pattern === '$[*]';
  const isAllowed = (row: Facts) => isTaken(row) && (row.kind === 'object' || isScalar(row));
  const paths = ShapeIndex.of(shape).rewritable(isSlowObject, isAllowed);
  return planFor(paths, paths[0]);
}

/** Spreading would copy symbol keys, which are never cloned but keep an object off Bun's fast path. */
const FRESH = `function fresh(value) {
  if (!isObject(value) || Object.prototype.toString.call(value) !== '[object Object]') return value;
  if (Object.getOwnPropertySymbols(value).length === 0) return { ...value };
  return Object.fromEntries(Object.entries(value));
}`;

export const rebuild: Remedy = remedyFromCode<PathsPlan>({
  name: 'rebuild',
  title: 'copy the object into a fresh one',
  plans,
  source: ({ paths }) => ({ sender: toMessageCode(callTargets('fresh', paths), [IS_OBJECT, FRESH]) }),
});

/** True for storage that the engine clones slowly, although no element is missing. */
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

function repackPlans(shape: Shape): PathsPlan[] {
  // Bun has a fast path only for a root array.
  const deepest = shape.representation.engine === 'jsc' ? 0 : Number.POSITIVE_INFINITY;
  const isAllowed = (row: Facts) => row.depth <= deepest && (row.kind !== 'array' || isPlainArray(row));
  const paths = ShapeIndex.of(shape).rewritable(isSlowArray, isAllowed);
  return planFor(paths, paths[0]);
}

/** Pushing makes packed elements in V8 and contiguous elements in JSC; slice and spread keep the holey kind in V8. */
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
  plans: repackPlans,
  source: ({ paths }) => ({ sender: toMessageCode(callTargets('packed', paths), [PACKED]) }),
});
