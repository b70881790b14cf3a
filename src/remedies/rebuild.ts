import { has } from '../core/shape-facts.ts';
import type { Remedy } from '../model/rules/remedy.ts';
import type { Facts, Shape } from '../model/rules/shape.ts';
import { inline, isInline, replacedAt } from './code/inline.ts';
import { RECEIVES_ORIGINAL, remedyFromCode } from './code/remedy-from-code.ts';
import { declareToMessage } from './code/rewrite.ts';
import { callsOf } from './code/target-trie.ts';
import { anyRow, everyRow, isScalar, type PathsPlan, planFor, ShapeIndex } from './facts/shape-index.ts';

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

interface RebuildPlan extends PathsPlan {
  /** One expression copies the only object. */
  inline?: boolean;
}

function plans(shape: Shape): RebuildPlan[] {
  // Bun has fast paths for the root object and for the objects of a root array only.
  const isTaken = (pattern: string) =>
    shape.representation.engine !== 'jsc' || pattern === '$' || pattern === '$[*]';
  const index = new ShapeIndex(shape);
  const paths = index.rewritable(
    (at) =>
      isTaken(at.pattern) &&
      anyRow(at, isSlowObject) &&
      everyRow(at, (row) => row.kind === 'object' || isScalar(row)),
  );
  const one = paths.length === 1 ? index.at(paths[0]!)! : null;
  const isOne = one !== null && isInline(one) && !anyRow(one, (row) => has(row, 'symbol-key'));
  return planFor(paths, paths[0]).map((plan) => (isOne ? { ...plan, inline: true } : plan));
}

/** Spreading copies symbol keys too; they are never cloned, but keep an object off Bun's fast path. */
const FRESH = `function fresh(value) {
  if (Object.prototype.toString.call(value) !== '[object Object]') return value;
  if (Object.getOwnPropertySymbols(value).length === 0) return { ...value };
  return Object.fromEntries(Object.entries(value));
}`;

export const rebuild: Remedy = remedyFromCode<RebuildPlan>({
  name: 'rebuild',
  title: 'copy the object into a fresh one',
  plans,
  source: ({ paths, ...plan }) => ({
    sender: `${FRESH}\n${declareToMessage(callsOf('fresh', paths))}`,
    receiver: RECEIVES_ORIGINAL,
    ...(plan.inline
      ? { inline: inline({ message: replacedAt(paths[0]!, (object) => `{ ...${object} }`) }) }
      : {}),
  }),
});
