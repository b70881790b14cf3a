import type { Facts, Shape } from '../../model/documents/shape.ts';
import type { Remedy } from '../../model/rules/remedy.ts';
import { type RemedyCode, remedyFromCode } from '../code/remedy-from-code.ts';
import { callTargets, fromMessageCode, toMessageCode } from '../code/rewrite.ts';
import { JSON_TEXT } from '../code/shared-declarations.ts';
import { isScalar, type PathsPlan, type PatternRows, planFor, ShapeIndex } from './facts/shape-index.ts';

/** Minimum number of values in one text: JSON text of fewer values, repeated many times, costs more than it saves. */
const MIN_NODES = 64;
/** Minimum share of the payload's values in one branch. The rest is sent unchanged, at the same cost. */
const MIN_SHARE = 0.5;
/** Minimum length, in UTF-16 units, of texts that V8 copies faster than it escapes and parses them in JSON. */
const LONG_TEXT = 16_384;

const canBeText = (index: ShapeIndex, { pattern, kinds }: PatternRows): boolean =>
  [...kinds].every((kind) => kind === 'object' || kind === 'array') &&
  index.isRewritable(pattern) &&
  index.isJsonSafe(pattern);

/** Bun shares or copies texts at any depth; for Bun, `unwrap-string` takes them out. */
function longTexts(index: ShapeIndex): string[] {
  if (index.shape.representation.engine !== 'v8') return [];
  const isLong = ({ kind, size }: Facts) => kind === 'string' && (size?.max ?? 0) >= LONG_TEXT;
  const found = index.all().filter((at) => at.rows.some(isLong));
  return found.map(({ pattern }) => pattern);
}

/**
 * The largest parts that can be JSON text, if the whole payload should not be: rows next to a buffer, a Date or a long
 * text. With two tiny arrays in each row, next to a buffer, they take 0.58 of the time on Node 20, 0.48 on Node 26,
 * 0.33 on Bun 1.4; next to 100 kB of text they take 0.76 on Node 20, and 1.73 if that text is JSON too.
 */
function heavyBranches(index: ShapeIndex): string[] {
  const texts = longTexts(index);
  if (index.shape.jsonSafe && texts.length === 0) return [];
  const branches: string[] = [];
  let nodes = 0;
  const open = [...(index.root?.children ?? [])];
  for (let at = open.pop(); at; at = open.pop()) {
    const { pattern, count } = at;
    const inside = index.nodesAt(at);
    if (inside < MIN_NODES * count) continue;
    if (!canBeText(index, at) || texts.some((text) => text.startsWith(pattern))) {
      open.push(...at.children);
      continue;
    }
    branches.push(pattern);
    nodes += inside;
  }
  return nodes >= MIN_SHARE * index.shape.nodes ? branches.sort() : [];
}

const WHOLE: RemedyCode = {
  message: 'text',
  sender: { calls: JSON_TEXT, takes: 'payload', body: 'return jsonText(payload);' },
  receiver: { takes: 'message', body: 'return JSON.parse(message);' },
};

/** A string at the path would be mistaken for a JSON text. */
const TEXT = `function text(value) {
  if (typeof value !== 'object') throw new TypeError('JSON text is for objects and arrays');
  return jsonText(value);
}`;

/** One text per nested value of an otherwise flat root: `{ ...payload, task: "…" }`; else one per heavy branch. */
function partialPlans(index: ShapeIndex): PathsPlan[] {
  const canBeFlat = index.shape.representation.engine === 'jsc' && index.root?.rows[0]?.kind === 'object';
  const values = index.root?.children ?? [];
  const nested = values.filter((at) => !at.rows.every(isScalar));
  const isPossible = canBeFlat && nested.length < values.length && nested.every((at) => canBeText(index, at));
  return planFor(isPossible ? nested.map((at) => at.pattern) : heavyBranches(index));
}

function plans(shape: Shape): PathsPlan[] {
  const index = ShapeIndex.of(shape);
  const root = index.root?.rows[0]?.kind;
  const isWhole = shape.jsonSafe && (root === 'object' || root === 'array');
  return [...(isWhole ? planFor(['$']) : []), ...partialPlans(index)];
}

/** Strings are sent whole: Bun sends a reference, other engines use one memcpy. */
export const jsonText: Remedy = remedyFromCode<PathsPlan>({
  name: 'json-text',
  title: 'send one JSON text',
  plans,
  assumes: ({ paths }) => paths.map((path) => ({ path, what: 'JSON values' })),
  content: ({ paths }) => (paths.includes('$') ? 'json' : 'serialized'),
  source: ({ paths }) =>
    paths.includes('$')
      ? WHOLE
      : {
          sender: toMessageCode(callTargets('text', paths), [...JSON_TEXT, TEXT]),
          receiver: fromMessageCode(
            paths.map((path) => ({ path, rewrite: (value) => `JSON.parse(${value}/*as string */)` })),
          ),
        },
});
