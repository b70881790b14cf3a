import type { Plan, Remedy } from '../model/remedy.ts';
import type { Facts, Shape } from '../model/shape.ts';
import { RECEIVES_ORIGINAL, remedyFromCode } from './code/remedy-from-code.ts';
import { declareToMessage } from './code/rewrite.ts';
import { anyRow, commonPath, has, ShapeIndex } from './facts/shape-index.ts';

interface OwnStringPlan extends Plan {
  paths: string[];
  /** own: a flat buffer of its own, which Bun shares. narrow: one byte a unit, where V8 holds two for no reason. */
  form: 'own' | 'narrow';
}

const isBorrowed = (row: Facts) =>
  row.kind === 'string' && has(row, 'substring', 'atom') && has(row, 'units-from-256');
const isWide = (row: Facts) => row.kind === 'string' && has(row, 'ascii-in-two-byte');

function wanted(shape: Shape): Plan[] {
  const spots = new ShapeIndex(shape);
  const onJsc = shape.representation.engine === 'jsc';
  const paths = spots
    .all()
    .filter((spot) => anyRow(spot, onJsc ? isBorrowed : isWide) && spots.isRewritable(spot.pattern))
    .map((spot) => spot.pattern);
  const path = commonPath(paths);
  return paths.length === 0 ? [] : [{ path, paths, form: onJsc ? 'own' : 'narrow' }];
}

/**
 * Joining with an empty string copies the units once into a fresh buffer (JSC's array join); what concatenation,
 * repeat(1) or normalize() return is still the old one. From 256 units on Bun shares such a buffer instead of copying.
 */
const OWN = `function own(text) {
  return typeof text === 'string' && text.length >= 256 ? [text, ''].join('') : text;
}`;

/** V8's JSON parser stores a string as narrow as its content allows. */
const NARROW = `function own(text) {
  return typeof text === 'string' ? JSON.parse(JSON.stringify(text)) : text;
}`;

export const ownString: Remedy = remedyFromCode({
  name: 'own-string',
  title: 'give the string its own flat buffer',
  loses: [],
  wanted,
  source(plan) {
    const { paths, form } = plan as OwnStringPlan;
    return {
      sender: `${form === 'own' ? OWN : NARROW}\n${declareToMessage(
        paths.map((path) => ({ path, rewrite: (value) => `own(${value})` })),
      )}`,
      receiver: RECEIVES_ORIGINAL,
    };
  },
});
