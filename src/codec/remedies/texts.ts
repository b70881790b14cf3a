/** Rewrites to one JSON text, and of texts. */

import type { Facts, Shape } from '../../model/documents/shape.ts';
import type { Remedy } from '../../model/rules/remedy.ts';
import type { StrategyName } from '../../model/vocabulary/words.ts';
import { has, isScalar } from '../../value/shape/shape-facts.ts';
import { declared, propertyName } from '../code/javascript.ts';
import { type RemedyCode, remedyFromCode } from '../code/remedy-from-code.ts';
import { convertedAt, plainKeys, readAt, toMessageCode } from '../code/rewrite.ts';
import { hasPlainKeys, type PathsPlan, type PatternRows, planFor, ShapeIndex } from './shape-index.ts';

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
  return index.all().flatMap(({ pattern, rows }) => (rows.some(isLong) ? [pattern] : []));
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
  const open = [...(index.at('$')?.children ?? [])];
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
  isText: true,
  sender: { takes: 'payload', body: 'return jsonText(payload);' },
  receiver: { takes: 'message', body: 'return JSON.parse(message);' },
};

/** A string at the path would be mistaken for a JSON text. */
const TEXT = `function text(value) {
  if (typeof value !== 'object') throw new TypeError('JSON text is for objects and arrays');
  return jsonText(value);
}

const parsed = (value/*: unknown */)/*: unknown */ => JSON.parse(value/*as string */);`;

/** One text per nested value of an otherwise flat root: `{ ...payload, task: "…" }`; else one per heavy branch. */
function partialPlans(index: ShapeIndex): PathsPlan[] {
  const canBeFlat = index.shape.representation.engine === 'jsc' && index.at('$')?.rows[0]?.kind === 'object';
  const values = index.at('$')?.children ?? [];
  const nested = values.filter((at) => !at.rows.every(isScalar));
  const isPossible = canBeFlat && nested.length < values.length && nested.every((at) => canBeText(index, at));
  return planFor(isPossible ? nested.map((at) => at.pattern) : heavyBranches(index));
}

function jsonPlans(shape: Shape): PathsPlan[] {
  const index = new ShapeIndex(shape);
  const root = index.at('$')?.rows[0]?.kind;
  const isWhole = shape.jsonSafe && (root === 'object' || root === 'array');
  return [...(isWhole ? planFor(['$']) : []), ...partialPlans(index)];
}

/** Strings are sent whole: Bun sends a reference, other engines use one memcpy. */
export const jsonText: Remedy = remedyFromCode<PathsPlan>({
  name: 'json-text',
  title: 'send one JSON text',
  plans: jsonPlans,
  assumes: ({ paths }) => paths.map((path) => ({ path, what: 'JSON values' })),
  helpers: TEXT,
  content: ({ paths }) => (paths.includes('$') ? 'json' : 'serialized'),
  source: ({ paths }) => (paths.includes('$') ? WHOLE : convertedAt(paths, 'text', 'parsed')),
});

/** Minimum length of a JSON text of an object or array: `{}` and `[]`. */
const MIN_TEXT = 2;

/** The reverse of json-text, for programs that stringify without a gain. */
export const parseText: Remedy = remedyFromCode({
  name: 'parse-text',
  title: 'send the object instead of its JSON text',
  plans(shape) {
    const root = new ShapeIndex(shape).at('$')?.rows[0];
    return root?.kind === 'string' && (root.size?.max ?? 0) >= MIN_TEXT ? [{ path: '$' }] : [];
  },
  assumes: () => [{ path: '$', what: 'JSON text as JSON.stringify writes it' }],
  source: () => ({
    sender: {
      takes: 'payload',
      body: `const value = typeof payload === 'string' ? JSON.parse(payload) : null;
if (typeof value !== 'object' || value === null)
  throw new TypeError('not the JSON text of an object or array');
if (JSON.stringify(value) !== payload)
  throw new TypeError('its JSON text is written in another way');
return value;`,
    },
    receiver: { takes: 'message', body: 'return JSON.stringify(message);' },
  }),
});

interface OwnStringPlan extends PathsPlan {
  /** own: a separate flat buffer, which Bun can share. narrow: one byte per unit, although V8 stores two. */
  form: 'own' | 'narrow';
}

const isNotShareable = (row: Facts) =>
  row.kind === 'string' && has(row, 'substring', 'atom') && has(row, 'units-from-256');
const isWide = (row: Facts) => row.kind === 'string' && has(row, 'ascii-in-two-byte');

/**
 * Joining with an empty string copies the units once into a fresh buffer (JSC's array join); concatenation, repeat(1)
 * and normalize() return the old string. Bun shares such a buffer from 256 units on. V8's JSON parser stores a string as
 * narrow as its content allows.
 */
const OWN = `function own(text) {
  return typeof text === 'string' && text.length >= 256 ? [text, ''].join('') : text;
}

function narrow(text) {
  return typeof text === 'string' ? JSON.parse(JSON.stringify(text)) : text;
}`;

export const ownString: Remedy = remedyFromCode<OwnStringPlan>({
  name: 'own-string',
  title: 'give the string its own flat buffer',
  forms: { own: 'copied', narrow: 'one byte a character' },
  plans(shape) {
    const isJsc = shape.representation.engine === 'jsc';
    const paths = new ShapeIndex(shape).rewritable(isJsc ? isNotShareable : isWide);
    return planFor(paths).map((plan) => ({ ...plan, form: isJsc ? 'own' : 'narrow' }));
  },
  helpers: OWN,
  source: ({ paths, form }) => ({ sender: toMessageCode(paths, form) }),
});

interface UnwrapPlan extends PathsPlan {
  /** bare: the payload holds only this string, so the string is the message. beside: the rest is sent as JSON text. */
  form: 'bare' | 'beside';
}

/** Minimum length of strings that Bun shares instead of copying, UTF-16 units. */
const SHARED_FROM = 256;
const MAX_STRINGS = 8;

const isBigText = (at: PatternRows): boolean =>
  at.count === 1 && at.kinds.has('string') && at.size >= SHARED_FROM;

/** True if the payload holds nothing else: each object on the path has one key. */
function isAlone(index: ShapeIndex, { pattern, depth }: PatternRows): boolean {
  const all = index.all();
  return (
    all.length === depth + 1 &&
    all.every((at) => at.pattern === pattern || at.rows.every((row) => row.kind === 'object'))
  );
}

function unwrapPlans(shape: Shape): UnwrapPlan[] {
  const index = new ShapeIndex(shape);
  // Bun is the only runtime with cheaper strings at the root or in a flat object than deeper.
  if (shape.representation.engine !== 'jsc' || index.at('$')?.rows[0]?.kind !== 'object') return [];
  const big = index.all().filter((at) => isBigText(at) && at.depth > 0 && hasPlainKeys(at));
  const [first, ...others] = big.slice(0, MAX_STRINGS);
  if (first === undefined) return [];
  const paths = [first, ...others].map((at) => at.pattern);
  if (!paths.every((path) => index.isRewritable(path))) return [];
  if (isAlone(index, first)) return [{ path: first.pattern, paths, form: 'bare' }];
  const isFlat = index.all().every((at) => at.depth <= 1);
  return shape.jsonSafe && !isFlat ? planFor(paths).map((plan) => ({ ...plan, form: 'beside' })) : [];
}

/** If the key count equals the number of records on the path, and the text is there, the payload holds nothing else. */
const UNWRAPPING = `function checkKeys(keys/*: number */, records/*: object[] */)/*: void */ {
  for (const one of records)
    keys -= Object.getPrototypeOf(one) === Object.prototype ? Object.keys(one).length : NaN;
  if (keys !== 0) throw new TypeError('other keys');
}

const zero = (text/*: unknown */)/*: unknown */ => (typeof text === 'string' ? 0 : text);`;

/** `{ a: { b: inner } }` */
const nested = (path: string, inner: string): string =>
  plainKeys(path).reduceRight((text, key) => `{ ${propertyName(key)}: ${text} }`, inner);

const pathsText = (paths: readonly string[]): string =>
  `const parts = payload/*as unknown as ${paths.map((path) => nested(path, 'unknown')).join(' & ')} */;`;

function bareSource(path: string): RemedyCode {
  const keys = plainKeys(path);
  const text = readAt('parts', keys);
  const records = keys.map((_, depth) => readAt('parts', keys.slice(0, depth)));
  const body = `${pathsText([path])}
checkKeys(${keys.length}, [${records.join(', ')}]);
if (typeof ${text} !== 'string') throw new TypeError('not a string');
return ${text};`;
  return {
    isText: true,
    sender: { takes: 'payload', body },
    receiver: {
      takes: 'message',
      body: `const payload/*: unknown */ = ${nested(path, 'message')};\nreturn payload/*as Payload */;`,
    },
  };
}

/** The rest contains 0 in place of each string, to keep the order of the keys. */
function besideSource(paths: readonly string[]): RemedyCode {
  const texts = paths.map((path, i) => ({ name: `text${i}`, keys: plainKeys(path) }));
  const list = texts.map(({ name }) => name).join(', ');
  const without = toMessageCode(paths, 'zero');
  const body = `${pathsText(paths)}
${texts.map(({ name, keys }) => `const ${name} = ${readAt('parts', keys)};`).join('\n')}
if (${texts.map(({ name }) => `typeof ${name} !== 'string'`).join(' || ')}) throw new TypeError('not a string');
return { rest: jsonText(withoutTexts(payload)), ${list} };`;
  return {
    messageType: `{ rest: string; ${texts.map(({ name }) => `${name}: string`).join('; ')} }`,
    sender: { calls: [...without.calls, declared('withoutTexts', without)], takes: 'payload', body },
    receiver: {
      takes: 'message',
      body: `const { rest, ${list} } = message/*as Record<string, string> */;
const payload = JSON.parse(rest/*as string */);
${texts.map(({ name, keys }) => `${readAt('payload', keys)} = ${name};`).join('\n')}
return payload;`,
    },
  };
}

export const unwrapString: Remedy = remedyFromCode<UnwrapPlan>({
  name: 'unwrap-string',
  title: 'take the big string out of the object',
  forms: { bare: 'alone', beside: 'beside the rest' },
  plans: unwrapPlans,
  assumes: ({ paths, form }) => [
    ...paths.map((path) => ({ path, what: 'string' })),
    ...(form === 'bare' ? [] : [{ path: '$', what: 'JSON values' }]),
  ],
  helpers: UNWRAPPING,
  source: ({ paths, form }) => (form === 'bare' ? bareSource(paths[0]!) : besideSource(paths)),
});

// What others recommend for texts: sweeps time it beside the remedies, and nothing advises it.

const IS_JSON =
  "if (typeof payload !== 'object') throw new TypeError('JSON text is for objects and arrays');";

/** Sends JSON text as UTF-8 in a buffer that is transferred, not copied. */
const bytesTransferred: Remedy = remedyFromCode({
  name: 'bytes-transferred',
  title: 'transfer the JSON text as UTF-8 bytes',
  transfers: true,
  plans: () => [{ path: '$' }],
  helpers: 'const encoder = new TextEncoder();\n\nconst decoder = new TextDecoder();',
  source: () => ({
    sender: {
      takes: 'payload',
      body: `${IS_JSON}\nreturn encoder.encode(JSON.stringify(payload)).buffer;`,
    },
    receiver: { takes: 'message', body: 'return JSON.parse(decoder.decode(message));' },
    transfer: 'export function transferList(message) {\n  return [message];\n}',
  }),
});

/** The form that Nolan Lawson's benchmark of 2016 calls "partly stringified". */
const partialText: Remedy = remedyFromCode({
  name: 'partial-text',
  title: 'send { msg: JSON text }',
  plans: () => [{ path: '$' }],
  source: () => ({
    sender: { takes: 'payload', body: `${IS_JSON}\nreturn { msg: JSON.stringify(payload) };` },
    receiver: { takes: 'message', body: 'return JSON.parse(message.msg);' },
  }),
});

/** Strategies that sweeps time to compare remedies with published advice. `json-text` is a remedy as well. */
export const STRATEGIES = {
  'json-text': jsonText,
  'partial-text': partialText,
  'bytes-transferred': bytesTransferred,
} as const satisfies Record<StrategyName, Remedy>;
