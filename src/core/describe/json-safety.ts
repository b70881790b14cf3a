/** What JSON text keeps of a payload, read off its facts. */
import type { Facts, Shape } from '../../model/documents/shape.ts';
import type { Obstacle } from '../../model/documents/trial.ts';
import type { Flag, Kind } from '../../model/vocabulary/shape.ts';
import { has, textUnits } from '../shape-facts.ts';

const SCALARS: ReadonlySet<Kind> = new Set<Kind>(['null', 'boolean', 'number', 'string']);
const KEPT_KINDS: ReadonlySet<Kind> = new Set<Kind>([...SCALARS, 'object', 'array']);

/** Changed by JSON.stringify followed by JSON.parse. */
const LOST = [
  ...(['nan', 'negative-zero', 'infinite'] as const),
  ...(['holes', 'named-props', 'symbol-key', 'to-json'] as const),
] as const satisfies readonly Flag[];
/** Equal strings stay equal strings; only objects have an identity to lose. */
const LOST_IDENTITY = ['repeated', 'cycle'] as const satisfies readonly Flag[];
/**
 * Changed by structured clone in the same way, or JSON.stringify would run code of the payload's owner. Integrity levels
 * and attributes are not in these lists: no data is lost with them.
 */
const LOST_BY_CLONE = [
  ...(['class-instance', 'null-prototype', 'subclass', 'accessor', 'non-enumerable'] as const),
] as const satisfies readonly Flag[];

/** JSON text of such values restores to what their structured clone is. */
export function keepsClone(row: Facts): boolean {
  if (!KEPT_KINDS.has(row.kind) || has(row, ...LOST)) return false;
  return row.kind === 'string' || !has(row, ...LOST_IDENTITY);
}

/** A flag of what JSON text does not give back. */
type JsonLoss = (typeof LOST)[number] | (typeof LOST_IDENTITY)[number] | (typeof LOST_BY_CLONE)[number];

/** The kind or the flag of the row for which JSON text does not restore to an equal value; null where it does. */
function findJsonLoss(row: Facts): { kind: Kind } | { flag: JsonLoss } | null {
  if (!KEPT_KINDS.has(row.kind)) return { kind: row.kind };
  const identity = row.kind === 'string' ? [] : LOST_IDENTITY;
  const flag = [...LOST, ...identity, ...LOST_BY_CLONE].find((one) => has(row, one));
  return flag === undefined ? null : { flag };
}

/** Engines recurse in JSON.stringify; at this depth it may overflow their stack. */
const MAX_JSON_DEPTH = 2000;

/** JSON text of the payload restores to an equal value. */
export const isJsonSafe = (rows: readonly Facts[], depth: number): boolean =>
  depth <= MAX_JSON_DEPTH && rows.every((row) => findJsonLoss(row) === null);

/** `undefined` is dropped or becomes null, but JSON.stringify runs no user code for it. */
const isHarmless = (row: Facts): boolean =>
  (KEPT_KINDS.has(row.kind) || row.kind === 'undefined') && !has(row, 'accessor', 'to-json', 'cycle');

/** Each hole becomes "null": a text of hundreds of megabytes, which takes an engine tens of seconds. */
const MAX_HOLES = 5_000_000;
/** No engine but JavaScriptCore has longer strings. */
const MAX_UNITS = 2 ** 29;

/** UTF-8 bytes of JSON.stringify(value); null when there is no text, or getting it takes long or runs foreign code. */
export function jsonBytes(
  value: unknown,
  rows: readonly Facts[],
  depth: number,
  utf8Bytes: (text: string) => number,
): number | null {
  const isMostlyHoles = rows.some((row) => has(row, 'holes') && (row.size?.total ?? 0) > MAX_HOLES);
  if (depth > MAX_JSON_DEPTH || !rows.every(isHarmless) || isMostlyHoles) return null;
  if (textUnits(rows) > MAX_UNITS) return null;
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? null : utf8Bytes(text);
  } catch {
    // Longer than the longest string of the engine.
    return null;
  }
}

const FLAG_WORDS: Readonly<Record<JsonLoss, string>> = {
  nan: 'is NaN',
  'negative-zero': 'is -0',
  infinite: 'is not finite',
  holes: 'has holes',
  'named-props': 'has properties beside its elements',
  'symbol-key': 'has a symbol as a key',
  'to-json': 'has a toJSON method',
  repeated: 'occurs more than once',
  cycle: 'contains itself',
  'class-instance': 'is an instance of a class',
  'null-prototype': 'has no prototype',
  subclass: 'is an instance of a subclass',
  accessor: 'has a getter or setter',
  'non-enumerable': 'has a property that is not enumerable',
};

/** Those that can be posted; others have a name of their own, or none. */
const KIND_WORDS: Partial<Record<Kind, string>> = {
  undefined: 'is undefined',
  bigint: 'is a BigInt',
  arguments: 'is an arguments object',
  date: 'is a Date',
  regexp: 'is a RegExp',
  map: 'is a Map',
  set: 'is a Set',
  error: 'is an error',
  boxed: 'is a boxed primitive',
  arraybuffer: 'is an ArrayBuffer',
  sharedarraybuffer: 'is a SharedArrayBuffer',
  typedarray: 'is a typed array',
  dataview: 'is a DataView',
};

/** The first value that JSON text does not give back, in words; null where there is none, or it is not known why. */
export function jsonObstacle(shape: Shape | null): Obstacle | null {
  if (shape === null) return null;
  const { patterns, depth } = shape;
  const [root] = patterns;
  if (root !== undefined && SCALARS.has(root.kind)) {
    return { path: '$', what: root.kind === 'null' ? 'is null' : `is one ${root.kind}` };
  }
  for (const row of patterns) {
    const what = lossWords(row);
    if (what !== null) return { path: row.example, what };
  }
  return depth > MAX_JSON_DEPTH
    ? { path: '$', what: `is nested more than ${MAX_JSON_DEPTH} levels deep` }
    : null;
}

function lossWords(row: Facts): string | null {
  const loss = findJsonLoss(row);
  if (loss === null) return null;
  if ('flag' in loss) return FLAG_WORDS[loss.flag];
  return KIND_WORDS[loss.kind] ?? `is of type ${row.tag ?? loss.kind}`;
}
