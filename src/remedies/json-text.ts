import type { Plan, Remedy } from '../model/remedy.ts';
import type { Shape } from '../model/shape.ts';
import { type RemedyCode, remedyFromCode } from './code/remedy-from-code.ts';
import { declareFromMessage, declareToMessage } from './code/rewrite.ts';
import { commonPath, everyRow, isScalar, ShapeIndex } from './facts/shape-index.ts';

/** One text for the whole payload, or one for each nested part of a flat object: `{ ...payload, task: "…" }`. */
interface JsonTextPlan extends Plan {
  paths: string[];
}

const WHOLE: RemedyCode = {
  sender: `function toMessage(payload) {
  if (payload === undefined) throw new TypeError('undefined has no JSON text');
  return JSON.stringify(payload);
}`,
  receiver: `function fromMessage(message) {
  return JSON.parse(message);
}`,
};

/** A string there would be taken for a text. */
const TEXT = `function text(value) {
  if (typeof value !== 'object') throw new TypeError('JSON text is for objects and arrays');
  return JSON.stringify(value);
}`;

function partsSource(paths: readonly string[]): RemedyCode {
  return {
    sender: `${TEXT}\n${declareToMessage(paths.map((path) => ({ path, rewrite: (value) => `text(${value})` })))}`,
    receiver: declareFromMessage(paths.map((path) => ({ path, rewrite: (value) => `JSON.parse(${value})` }))),
  };
}

/** What keeps a root object off the flat-object path becomes text; its other values must already be flat. */
function partialPlan(spots: ShapeIndex): JsonTextPlan[] {
  if (spots.shape.representation.engine !== 'jsc' || spots.root?.rows[0]?.kind !== 'object') return [];
  const values = spots.children('$');
  const nested = values.filter((spot) => !everyRow(spot, isScalar));
  const fits =
    nested.length > 0 &&
    nested.length < values.length &&
    nested.every(
      ({ pattern, kinds }) =>
        [...kinds].every((kind) => kind === 'object' || kind === 'array') &&
        spots.isRewritable(pattern) &&
        spots.isJsonSafe(pattern),
    );
  const paths = nested.map((spot) => spot.pattern);
  return fits ? [{ path: commonPath(paths), paths }] : [];
}

function wanted(shape: Shape): Plan[] {
  const spots = new ShapeIndex(shape);
  const root = spots.root?.rows[0]?.kind;
  const whole = shape.jsonSafe && (root === 'object' || root === 'array');
  return [...(whole ? [{ path: '$', paths: ['$'] }] : []), ...partialPlan(spots)];
}

/** Strings travel whole: by reference in Bun, as one memcpy elsewhere. */
export const jsonText: Remedy = remedyFromCode({
  name: 'json-text',
  title: 'send one JSON text',
  loses: [
    'undefined, NaN, Infinity, -0, holes, shared references, and every type that JSON does not have; a value that holds one is not offered this',
  ],
  wanted,
  source(plan) {
    const { paths } = plan as JsonTextPlan;
    return paths.includes('$') ? WHOLE : partsSource(paths);
  },
});
