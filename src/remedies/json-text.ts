import type { Shape } from '../model/documents/shape.ts';
import type { Remedy } from '../model/rules/remedy.ts';
import { JSON_TEXT } from './code/json-guard.ts';
import { type RemedyCode, remedyFromCode } from './code/remedy-from-code.ts';
import { declareFromMessage, declareToMessage } from './code/rewrite.ts';
import { heavyBranches } from './facts/branches.ts';
import { everyRow, isScalar, type PathsPlan, planFor, ShapeIndex } from './facts/shape-index.ts';
import { callsOf } from './facts/target-trie.ts';

const WHOLE: RemedyCode = {
  message: 'text',
  sender: `${JSON_TEXT}
function toMessage(payload) {
  return jsonText(payload);
}`,
  receiver: `function fromMessage(message) {
  return JSON.parse(message);
}`,
};

/** A string at the path would be mistaken for a JSON text. */
const TEXT = `function text(value) {
  if (typeof value !== 'object') throw new TypeError('JSON text is for objects and arrays');
  return jsonText(value);
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

function plans(shape: Shape): PathsPlan[] {
  const index = ShapeIndex.of(shape);
  const root = index.root?.rows[0]?.kind;
  const isWhole = shape.jsonSafe && (root === 'object' || root === 'array');
  return [...(isWhole ? planFor(['$']) : []), ...partialPlans(index)];
}

/** Strings are sent whole: by reference in Bun, as one memcpy elsewhere. */
export const jsonText: Remedy = remedyFromCode<PathsPlan>({
  name: 'json-text',
  title: 'send one JSON text',
  plans,
  assumes: ({ paths }) => paths.map((path) => ({ path, what: 'JSON values' })),
  source: ({ paths }) =>
    paths.includes('$')
      ? WHOLE
      : {
          sender: `${JSON_TEXT}\n${TEXT}\n${declareToMessage(callsOf('text', paths))}`,
          receiver: declareFromMessage(
            paths.map((path) => ({ path, rewrite: (value) => `JSON.parse(${value}/*as string */)` })),
          ),
        },
});
