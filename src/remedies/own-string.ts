import { has } from '../core/shape-facts.ts';
import type { Facts, Shape } from '../model/documents/shape.ts';
import type { Remedy } from '../model/rules/remedy.ts';
import { RECEIVES_ORIGINAL, remedyFromCode } from './code/remedy-from-code.ts';
import { declareToMessage } from './code/rewrite.ts';
import { anyRow, type PathsPlan, planFor, ShapeIndex } from './facts/shape-index.ts';
import { callTargets } from './facts/target-trie.ts';

interface OwnStringPlan extends PathsPlan {
  /** own: a flat buffer of its own, which Bun shares. narrow: one byte per unit, where V8 needlessly stores two. */
  form: 'own' | 'narrow';
}

const isNotShareable = (row: Facts) =>
  row.kind === 'string' && has(row, 'substring', 'atom') && has(row, 'units-from-256');
const isWide = (row: Facts) => row.kind === 'string' && has(row, 'ascii-in-two-byte');

function plans(shape: Shape): OwnStringPlan[] {
  const [form, matches] =
    shape.representation.engine === 'jsc'
      ? (['own', isNotShareable] as const)
      : (['narrow', isWide] as const);
  const paths = ShapeIndex.of(shape).rewritable((at) => anyRow(at, matches));
  return planFor(paths).map((plan) => ({ ...plan, form }));
}

/**
 * Joining with an empty string copies the units once into a fresh buffer (JSC's array join); concatenation, repeat(1) and
 * normalize() return the old one. From 256 units on Bun shares such a buffer instead of copying.
 */
const OWN = `function own(text) {
  return typeof text === 'string' && text.length >= 256 ? [text, ''].join('') : text;
}`;

/** V8's JSON parser stores a string as narrow as its content allows. */
const NARROW = `function own(text) {
  return typeof text === 'string' ? JSON.parse(JSON.stringify(text)) : text;
}`;

export const ownString: Remedy = remedyFromCode<OwnStringPlan>({
  name: 'own-string',
  title: 'give the string its own flat buffer',
  forms: { own: 'copied', narrow: 'one byte a character' },
  plans,
  source: ({ paths, form }) => ({
    sender: `${form === 'own' ? OWN : NARROW}\n${declareToMessage(callTargets('own', paths))}`,
    receiver: RECEIVES_ORIGINAL,
  }),
});
