import type { Remedy } from '../model/rules/remedy.ts';
import type { Facts, Shape } from '../model/rules/shape.ts';
import { inline } from './code/inline.ts';
import { type RemedyCode, remedyFromCode } from './code/remedy-from-code.ts';
import { declareFromMessage, declareToMessage } from './code/rewrite.ts';
import { callsOf } from './code/target-trie.ts';
import {
  everyRow,
  isScalar,
  type PathsPlan,
  type PatternRows,
  planFor,
  ShapeIndex,
} from './facts/shape-index.ts';

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

const isNested = ({ kinds }: PatternRows): boolean =>
  [...kinds].every((kind) => kind === 'object' || kind === 'array');

const canBeText = (index: ShapeIndex, at: PatternRows): boolean =>
  isNested(at) && index.isRewritable(at.pattern) && index.isJsonSafe(at.pattern);

/** One text for each nested value of an otherwise flat root object: `{ ...payload, task: "…" }`. Bun then sends it flat. */
function flattening(index: ShapeIndex): string[] {
  if (index.shape.representation.engine !== 'jsc' || index.root?.rows[0]?.kind !== 'object') return [];
  const values = index.children('$');
  const nested = values.filter((at) => !everyRow(at, isScalar));
  const isPossible = nested.length < values.length && nested.every((at) => canBeText(index, at));
  return isPossible ? nested.map((at) => at.pattern) : [];
}

/** Values in one text; for each of many small ones, JSON takes longer than it saves. */
const FEWEST_NODES = 64;
/** Of the values of the payload; what is left is sent as it is and costs the same. */
const LEAST_SHARE = 0.5;

/** UTF-16 units of a text that V8 copies faster than JSON escapes and parses it. */
const LONG_TEXT = 16_384;

/** Bun shares or copies a text wherever it is; there `unwrap-string` takes them out. */
function longTexts(index: ShapeIndex): string[] {
  if (index.shape.representation.engine !== 'v8') return [];
  const isLong = ({ kind, size }: Facts) => kind === 'string' && (size?.max ?? 0) >= LONG_TEXT;
  return index
    .all()
    .filter((at) => at.rows.some(isLong))
    .map((at) => at.pattern);
}

/** The largest parts that can be JSON text and hold none of the texts, such as rows beside a buffer, a Date or a text. */
function heavyBranches(index: ShapeIndex, texts: readonly string[]): string[] {
  const branches: string[] = [];
  let nodes = 0;
  const open = index.children('$');
  for (let at = open.pop(); at; at = open.pop()) {
    const { pattern, count } = at;
    const inside = index.nodesAt(at);
    if (inside < FEWEST_NODES * count) continue;
    if (!canBeText(index, at) || texts.some((text) => text.startsWith(pattern))) {
      open.push(...index.children(pattern));
      continue;
    }
    branches.push(pattern);
    nodes += inside;
  }
  return nodes >= LEAST_SHARE * index.shape.nodes ? branches.sort() : [];
}

function plans(shape: Shape): JsonTextPlan[] {
  const index = new ShapeIndex(shape);
  if (index.root === null || !isNested(index.root)) return [];
  const flat = flattening(index);
  const texts = longTexts(index);
  if (!shape.jsonSafe) return planFor(flat.length > 0 ? flat : heavyBranches(index, texts));
  const besideTexts = texts.length > 0 ? heavyBranches(index, texts) : [];
  return [...planFor(besideTexts), { path: '$', paths: ['$'], inline: true }, ...planFor(flat)];
}

/**
 * Strings are sent whole: by reference in Bun, as one memcpy elsewhere. Rows with two tiny arrays beside a buffer, as one
 * text: 0.58 of the time on Node 20, 0.48 on Node 26, 0.33 on Bun 1.4. Beside 100 kB of text: 0.76 on Node 20, with the text
 * in the JSON 1.73.
 */
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
