import type { Remedy } from '../model/rules/remedy.ts';
import type { Shape } from '../model/rules/shape.ts';
import { inline } from './code/inline.ts';
import { type RemedyCode, remedyFromCode } from './code/remedy-from-code.ts';
import { declareFromMessage, declareToMessage } from './code/rewrite.ts';
import { callsOf } from './code/target-trie.ts';
import { heavyBranches } from './facts/branches.ts';
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

/** For a payload whose root was an object or an array. */
const INLINE = inline({ message: 'JSON.stringify(payload)', restored: 'JSON.parse(message)' });

interface JsonTextPlan extends PathsPlan {
  inline?: boolean;
}

/** A string at the path would be mistaken for a JSON text. */
const TEXT = `function text(value) {
  if (typeof value !== 'object') throw new TypeError('JSON text is for objects and arrays');
  return JSON.stringify(value);
}`;

/** One text for each nested value of an otherwise flat root object: `{ ...payload, task: "…" }`; else for the heavy ones. */
function partialPlans(index: ShapeIndex): PathsPlan[] {
  const canBeFlat = index.shape.representation.engine === 'jsc' && index.root?.rows[0]?.kind === 'object';
  const values = index.children('$');
  const nested = values.filter((at) => !everyRow(at, isScalar));
  const isPossible =
    canBeFlat &&
    nested.length < values.length &&
    nested.every(
      ({ pattern, kinds }) =>
        [...kinds].every((kind) => kind === 'object' || kind === 'array') &&
        index.isRewritable(pattern) &&
        index.isJsonSafe(pattern),
    );
  return planFor(isPossible ? nested.map((at) => at.pattern) : heavyBranches(index));
}

function plans(shape: Shape): JsonTextPlan[] {
  const index = new ShapeIndex(shape);
  const root = index.root?.rows[0]?.kind;
  const isWhole = shape.jsonSafe && (root === 'object' || root === 'array');
  return [...(isWhole ? [{ path: '$', paths: ['$'], inline: true }] : []), ...partialPlans(index)];
}

/** Strings are sent whole: by reference in Bun, as one memcpy elsewhere. */
export const jsonText: Remedy = remedyFromCode<JsonTextPlan>({
  name: 'json-text',
  title: 'send one JSON text',
  plans,
  source: ({ paths, ...plan }) =>
    paths.includes('$')
      ? plan.inline
        ? INLINE
        : WHOLE
      : {
          sender: `${TEXT}\n${declareToMessage(callsOf('text', paths))}`,
          receiver: declareFromMessage(callsOf('JSON.parse', paths)),
        },
});
