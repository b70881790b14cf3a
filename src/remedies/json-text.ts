import type { Remedy } from '../model/rules/remedy.ts';
import type { Shape } from '../model/rules/shape.ts';
import { type RemedyCode, remedyFromCode } from './code/remedy-from-code.ts';
import { declareFromMessage, declareToMessage } from './code/rewrite.ts';
import { callsOf } from './code/target-trie.ts';
import { everyRow, isScalar, type PathsPlan, planFor, ShapeIndex } from './facts/shape-index.ts';

const WHOLE: RemedyCode = {
  sender: `function toMessage(payload) {
  if (payload === undefined) throw new TypeError('undefined has no JSON text');
  return JSON.stringify(payload);
}`,
  receiver: `function fromMessage(message) {
  return JSON.parse(message);
}`,
};

/** A string at the path would be mistaken for a JSON text. */
const TEXT = `function text(value) {
  if (typeof value !== 'object') throw new TypeError('JSON text is for objects and arrays');
  return JSON.stringify(value);
}`;

/** One text for each nested value of an otherwise flat root object: `{ ...payload, task: "…" }`. */
function partialPlans(index: ShapeIndex): PathsPlan[] {
  if (index.shape.representation.engine !== 'jsc' || index.root?.rows[0]?.kind !== 'object') return [];
  const values = index.children('$');
  const nested = values.filter((at) => !everyRow(at, isScalar));
  const isPossible =
    nested.length < values.length &&
    nested.every(
      ({ pattern, kinds }) =>
        [...kinds].every((kind) => kind === 'object' || kind === 'array') &&
        index.isRewritable(pattern) &&
        index.isJsonSafe(pattern),
    );
  return isPossible ? planFor(nested.map((at) => at.pattern)) : [];
}

function plans(shape: Shape): PathsPlan[] {
  const index = new ShapeIndex(shape);
  const root = index.root?.rows[0]?.kind;
  const isWhole = shape.jsonSafe && (root === 'object' || root === 'array');
  return [...(isWhole ? planFor(['$']) : []), ...partialPlans(index)];
}

/** Strings are sent whole: by reference in Bun, as one memcpy elsewhere. */
export const jsonText: Remedy = remedyFromCode<PathsPlan>({
  name: 'json-text',
  title: 'send one JSON text',
  plans,
  source: ({ paths }) =>
    paths.includes('$')
      ? WHOLE
      : {
          sender: `${TEXT}\n${declareToMessage(callsOf('text', paths))}`,
          receiver: declareFromMessage(callsOf('JSON.parse', paths)),
        },
});
