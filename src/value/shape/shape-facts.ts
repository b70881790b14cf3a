import type { Facts, Shape } from '../../model/documents/shape.ts';
import { type Channel, type EngineName, isJson, isOfProcesses } from '../../model/names.ts';
import { sumOf } from '../../model/sums.ts';
import type { Flag, Kind } from '../../model/vocabulary/shape.ts';
import { filter } from '../read/lists.ts';

export const has = ({ flags }: Facts, ...wanted: readonly Flag[]): boolean =>
  wanted.some((flag) => flags.includes(flag));

export const isBuffer = ({ kind }: Facts): boolean =>
  kind === 'arraybuffer' || kind === 'typedarray' || kind === 'dataview';

export const isScalar = ({ kind }: Facts): boolean =>
  ['string', 'number', 'boolean', 'null', 'undefined'].includes(kind);

/** True for a repeated reference or a cycle: `describe` counts the children only at the first place of the object. */
export const isReference = (facts: Facts): boolean => has(facts, 'repeated', 'cycle');

/** True if JSC stores integers as doubles, or numbers as any values: built-ins learn from arrays of other payloads. */
export const isStoredAsLearned = ({ patterns }: Shape): boolean =>
  patterns.some((row) => {
    if (row.kind !== 'array' || !has(row, 'double-storage', 'contiguous')) return false;
    const items = filter(
      patterns,
      ({ pattern, parent }) => parent === 'array' && pattern === `${row.pattern}[*]`,
    );
    const narrow = (item: Facts) => item.kind === 'number' && (has(row, 'contiguous') || has(item, 'int32'));
    return items.length > 0 && items.every(narrow);
  });

/** Built-in objects that are not of plain data. Written as text or by v8.serialize, they are ordinary objects. */
export const HOST_KINDS: ReadonlySet<Kind> = new Set<Kind>([
  ...(['promise', 'weakmap', 'weakset', 'weakref', 'generator', 'iterator'] as const),
  ...(['not-cloneable', 'platform'] as const),
]);
const NOT_SERIALIZED: ReadonlySet<Kind> = new Set<Kind>(['not-cloneable', 'platform']);
const NONE: ReadonlySet<Kind> = new Set();
/** Only JavaScriptCore sends own properties of Maps and Sets. Seen on Bun 1.2.20-1.4.5. */
const OPEN_IN_JSC: ReadonlySet<Kind> = new Set<Kind>(['map', 'set']);
const OPEN_AS_TEXT_IN_JSC: ReadonlySet<Kind> = new Set([...HOST_KINDS, ...OPEN_IN_JSC]);

/** True if V8 writes the message without steps of the platform: a DOMException is an Error there, with a cause. */
export const isSerialized = (engine: EngineName, channel: Channel): boolean =>
  engine === 'v8' && isOfProcesses(channel) && !isJson(channel);

/** Kinds of built-in objects whose own properties are sent over a channel, and described as its children. */
export function openKinds(engine: EngineName, channel: Channel): ReadonlySet<Kind> {
  const isJsc = engine === 'jsc' || engine === 'webkit';
  if (isJson(channel)) return isJsc ? OPEN_AS_TEXT_IN_JSC : HOST_KINDS;
  if (isJsc) return OPEN_IN_JSC;
  return isSerialized(engine, channel) ? NOT_SERIALIZED : NONE;
}

/** Total length of all strings, UTF-16 units. A string counts at each of its places. */
export const textUnits = (rows: readonly Facts[]): number =>
  sumOf(rows, ({ kind, size }) => (kind === 'string' ? (size?.total ?? 0) : 0));

/**
 * Amounts by their subject: "values", "strings", "characters of strings". They are equal on each build, independent of how
 * an engine stores the value.
 */
export type ValueFacts = Record<string, number>;

export function valueFacts({ nodes, depth, patterns }: Shape): ValueFacts {
  const facts: ValueFacts = { values: nodes, levels: depth };
  const add = (name: string, more: number) => {
    facts[name] = (facts[name] ?? 0) + more;
  };
  for (const { kind, count, size, bytes } of patterns) {
    add(`values of kind ${kind}`, count);
    add(`as sizes of kind ${kind}`, size?.total ?? bytes?.total ?? 0);
  }
  return facts;
}

/** First difference: "331 values, not 2"; null if all amounts are equal. */
export function otherThan(expected: ValueFacts, is: ValueFacts): string | null {
  const names = Object.keys({ ...expected, ...is });
  const differing = names.find((name) => (expected[name] ?? 0) !== (is[name] ?? 0));
  return differing === undefined
    ? null
    : `${is[differing] ?? 0} ${differing}, not ${expected[differing] ?? 0}`;
}
