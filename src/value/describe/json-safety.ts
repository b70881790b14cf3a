/** The parts of a payload that JSON text keeps, by its facts. */
import type { Facts, Shape } from '../../model/documents/shape.ts';
import type { Obstacle } from '../../model/documents/trial.ts';
import { orElse } from '../../model/or-else.ts';
import type { Flag, Kind } from '../../model/vocabulary/shape.ts';
import { CONSTRUCTOR_OF } from '../read/built-in-types.ts';
import { has, textUnits } from '../shape/shape-facts.ts';

const SCALARS: ReadonlySet<Kind> = new Set<Kind>(['null', 'boolean', 'number', 'string']);
const KEPT_KINDS: ReadonlySet<Kind> = new Set<Kind>([...SCALARS, 'object', 'array']);

/** Flags of values that JSON text changes, in words. */
const LOST: readonly [flag: Flag, what: string, of?: 'identity' | 'clone'][] = [
  ['nan', 'is NaN'],
  ['negative-zero', 'is -0'],
  ['infinite', 'is not finite'],
  ['holes', 'has holes'],
  ['named-props', 'has properties beside its elements'],
  ['symbol-key', 'has a symbol as a key'],
  ['to-json', 'has a toJSON method'],
  ['repeated', 'occurs more than once', 'identity'],
  ['cycle', 'contains itself', 'identity'],
  // Structured clone changes these too, or they make JSON.stringify run the user's code. Integrity levels and attributes
  // are not included, because no data is lost with them.
  ['class-instance', 'is an instance of a class', 'clone'],
  ['null-prototype', 'has no prototype', 'clone'],
  ['subclass', 'is an instance of a subclass', 'clone'],
  ['accessor', 'has a getter or setter', 'clone'],
  ['non-enumerable', 'has a property that is not enumerable', 'clone'],
];

/** Only objects have an identity: equal strings stay equal strings. */
const firstLost = (row: Facts) =>
  LOST.find(([flag, , of]) => has(row, flag) && !(of === 'identity' && row.kind === 'string'));

export function keepsClone(row: Facts): boolean {
  const lost = firstLost(row);
  return KEPT_KINDS.has(row.kind) && (lost === undefined || lost[2] === 'clone');
}

/** null if JSON text restores an equal value. */
const lossWords = (row: Facts): string | null =>
  KEPT_KINDS.has(row.kind)
    ? (firstLost(row)?.[1] ?? null)
    : `is of type ${row.tag ?? CONSTRUCTOR_OF[row.kind] ?? row.kind}`;

/** Maximum depth for JSON.stringify: engines recurse there, and deeper values may overflow their stack. */
const MAX_JSON_DEPTH = 2000;

export const isJsonSafe = (rows: readonly Facts[], depth: number): boolean =>
  depth <= MAX_JSON_DEPTH && rows.every((row) => lossWords(row) === null);

/** `undefined` is dropped or becomes null, but JSON.stringify runs no user code for it. */
const isHarmless = (row: Facts): boolean =>
  (KEPT_KINDS.has(row.kind) || row.kind === 'undefined') && !has(row, 'accessor', 'to-json', 'cycle');

/** Maximum holes. Each becomes "null": a text of hundreds of megabytes, which takes an engine tens of seconds. */
const MAX_HOLES = 5_000_000;
/** Maximum length of a string; only JavaScriptCore has longer strings. */
const MAX_UNITS = 2 ** 29;

/** UTF-8 bytes of JSON.stringify(value); null if there is no text, or if it takes long or runs the user's code. */
export function jsonBytes(
  value: unknown,
  rows: readonly Facts[],
  depth: number,
  utf8Bytes: (text: string) => number,
): number | null {
  const isMostlyHoles = rows.some((row) => has(row, 'holes') && (row.size?.total ?? 0) > MAX_HOLES);
  if (depth > MAX_JSON_DEPTH || !rows.every(isHarmless) || isMostlyHoles) return null;
  if (textUnits(rows) > MAX_UNITS) return null;
  // It throws if the text is longer than the longest string of the engine.
  return orElse(() => {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? null : utf8Bytes(text);
  }, null);
}

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
