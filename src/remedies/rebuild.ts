import type { Plan, Remedy } from '../model/remedy.ts';
import type { Facts, Shape } from '../model/shape.ts';
import { RECEIVES_ORIGINAL, remedyFromCode } from './code/remedy-from-code.ts';
import { declareToMessage } from './code/rewrite.ts';
import { anyRow, everyRow, has, isScalar, ShapeIndex } from './facts/shape-index.ts';

interface RebuildPlan extends Plan {
  paths: string[];
}

const STORED_BADLY = [
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

const isScarred = (row: Facts) => row.kind === 'object' && !has(row, 'empty') && has(row, ...STORED_BADLY);

function wanted(shape: Shape): Plan[] {
  const spots = new ShapeIndex(shape);
  // Bun takes flat objects in memory as the root or directly in a root array, nowhere else.
  const isLooked = (pattern: string) =>
    shape.representation.engine !== 'jsc' || pattern === '$' || pattern === '$[*]';
  const paths = spots
    .all()
    .filter(
      (spot) =>
        isLooked(spot.pattern) &&
        anyRow(spot, isScarred) &&
        everyRow(spot, (row) => row.kind === 'object' || isScalar(row)) &&
        spots.isRewritable(spot.pattern),
    )
    .map((spot) => spot.pattern);
  return paths.length === 0 ? [] : [{ path: paths[0]!, paths }];
}

/** Spreading would carry symbol keys along, which no clone does and which keep an object off Bun's fast path. */
const FRESH = `function fresh(value) {
  if (Object.prototype.toString.call(value) !== '[object Object]') return value;
  if (Object.getOwnPropertySymbols(value).length === 0) return { ...value };
  return Object.fromEntries(Object.entries(value));
}`;

export const rebuild: Remedy = remedyFromCode({
  name: 'rebuild',
  title: 'copy the object into a fresh one',
  loses: ['symbol keys and non-enumerable properties, as the clone itself does'],
  wanted,
  source: (plan) => ({
    sender: `${FRESH}\n${declareToMessage(
      (plan as RebuildPlan).paths.map((path) => ({ path, rewrite: (value) => `fresh(${value})` })),
    )}`,
    receiver: RECEIVES_ORIGINAL,
  }),
});
