/** Estimates of what V8's ValueSerializer (src/objects/value-serializer.cc) writes for each kind, by the facts. */

import type { Facts, Shape } from '../../model/documents/shape.ts';
import { groupedBy, sumOf, sumsBy } from '../../model/sums.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import { formatPath, type PathStep, parsePath } from '../read/paths.ts';
import { has, isReference } from './shape-facts.ts';

export const varintBytes = (value: number): number =>
  value < 128 ? 1 : value < 16_384 ? 2 : value < 2_097_152 ? 3 : 4;

export const HEADER_BYTES = 2;
const SCALARS: Partial<Record<Kind, number>> = { date: 9, bigint: 10, boxed: 9, regexp: 8, error: 5 };

const SPARSE = ['holes', 'holey-kind', 'dictionary-elements', 'not-fast-elements'] as const;

const indices = (length: number): number =>
  2 * Math.min(length, 64) + 3 * Math.min(8128, Math.max(0, length - 64)) + 4 * Math.max(0, length - 8192);

export const isInteger = ({ kind, flags }: Facts): boolean =>
  kind === 'number' && flags.includes('int32') && !flags.includes('beyond-smi31');

/** Bytes of the values of a row, without the digits of integers and the stacks of errors. */
export function valueBytes(row: Facts): number {
  const { kind, flags, count, size, bytes } = row;
  // References contain the number of the object. Shared objects usually come first and have the shortest numbers.
  if (isReference(row) && kind !== 'string') return (flags.includes('cycle') ? 3 : 2) * count;
  const mean = count === 0 ? 0 : (size?.total ?? 0) / count;
  switch (kind) {
    case 'string': {
      const text = (bytes?.total ?? 0) / Math.max(1, count);
      const pad = flags.includes('two-byte') ? 0.5 : 0;
      return count * (1 + varintBytes(text) + text + pad);
    }
    case 'number':
      return count * (isInteger(row) ? 1 : flags.includes('int32') ? 6 : 9);
    case 'object':
      return count * (2 + varintBytes(mean));
    case 'array':
      return count * (3 + 2 * varintBytes(mean) + (has(row, ...SPARSE) ? indices(mean) : 0));
    case 'map':
    case 'set':
      return count * (2 + varintBytes(2 * mean));
    case 'arraybuffer':
    case 'typedarray':
    case 'dataview':
      // A message contains the whole buffer behind a view.
      return 6 * count + (bytes?.backing ?? bytes?.total ?? 0);
    default:
      return count * (SCALARS[kind] ?? 1) + (bytes?.backing ?? 0);
  }
}

export const storedBytes = (text: string) => (/[\u0100-\uffff]/.test(text) ? 2 * text.length : text.length);

function keyBytesOf(step: PathStep | null, { parent, keyBytes }: Facts): number {
  const isUnnamed = step?.type === 'any-key' || (step?.type === 'deeper' && parent === 'object');
  if (parent === 'error' || !(isUnnamed || step?.type === 'key')) return 0;
  return 2 + (step?.type === 'key' ? storedBytes(step.key) : (keyBytes ?? USUAL.keyUnits));
}

/** Usual sizes, for data that facts do not include. */
const USUAL = { integerBytes: 2, keyUnits: 8, stackUnits: 300 };

/** Estimates the bytes of all values of a row of these, with their keys. Arrays of doubles have their integers as doubles. */
export function rowEstimate(rows: readonly Facts[]): (row: Facts) => number {
  const inDoubles = new Set(
    rows.flatMap(({ pattern, flags }) => (flags.includes('packed-double') ? [`${pattern}[*]`] : [])),
  );
  return (row) => {
    const key = keyBytesOf(parsePath(row.pattern)?.at(-1) ?? null, row);
    const digits = inDoubles.has(row.pattern) ? 8 : USUAL.integerBytes;
    const stacks = row.kind === 'error' && !isReference(row) ? row.count * USUAL.stackUnits : 0;
    return valueBytes(row) + row.count * (key + (isInteger(row) ? digits : 0)) + stacks;
  };
}

export function estimatedSize({ patterns }: Shape): number {
  const bytesOf = rowEstimate(patterns);
  return Math.round(patterns.reduce((bytes, row) => bytes + bytesOf(row), HEADER_BYTES));
}

// Bytes by place in the payload. All entries of a dictionary count as one place, like the items of a list.

/** Minimum keys of a dictionary. It is less than the limit for masking: no user reads twenty similar rows. */
const MANY_KEYS = 20;
/** Minimum share of the entries of a dictionary whose values have the same kinds. */
const MOST = 0.9;
/** An entry with at least this share of all bytes is listed under its own key. */
const LARGE = 0.5;

interface Place {
  own: number;
  kinds: Set<string>;
  /** Bytes of the values at this place, including all values inside them. */
  bytes: number;
  children: Map<string, { step: PathStep; place: Place }>;
}

const newPlace = (): Place => ({ own: 0, kinds: new Set(), bytes: 0, children: new Map() });

const textOf = (step: PathStep): string => formatPath([step]).slice(1);

function placesOf(rows: readonly Facts[]): Place {
  const root = newPlace();
  const bytesOfRow = rowEstimate(rows);
  for (const row of rows) {
    const steps = parsePath(row.pattern);
    if (steps === null) continue;
    const trail = [root];
    for (const step of steps) {
      const { children } = trail.at(-1)!;
      const text = textOf(step);
      const known = children.get(text) ?? { step, place: newPlace() };
      children.set(text, known);
      trail.push(known.place);
    }
    const own = Math.max(0, bytesOfRow(row)) || 0;
    const place = trail.at(-1)!;
    place.own += own;
    place.kinds.add(`${row.kind} ${row.tag ?? ''}`);
    for (const one of trail) one.bytes += own;
  }
  return root;
}

type Entry = { step: PathStep; places: Place[] };

const bytesOf = ({ places }: Entry): number => sumOf(places, ({ bytes }) => bytes);

function areAlike(entries: readonly Entry[]): boolean {
  const kindsOf = ({ places }: Entry) =>
    [...new Set(places.flatMap(({ kinds }) => [...kinds]))].sort().join();
  const counts = sumsBy(entries, kindsOf, () => 1);
  return Math.max(...counts.values()) >= MOST * entries.length;
}

function entriesOf(places: readonly Place[]): Entry[] {
  const byText = groupedBy(
    places.flatMap(({ children }) => [...children]),
    ([text]) => text,
  );
  const all = [...byText.values()].map((same): Entry => {
    return { step: same[0]![1].step, places: same.map(([, { place }]) => place) };
  });
  const keyed = all.filter(({ step }) => step.type === 'key' || step.type === 'any-key');
  if (keyed.length < MANY_KEYS || !areAlike(keyed)) return all;
  const whole = sumOf(keyed, bytesOf);
  const isApart = (entry: Entry) => entry.step.type === 'key' && bytesOf(entry) >= LARGE * whole;
  const others = keyed.filter((entry) => !isApart(entry)).flatMap((entry) => entry.places);
  const rest = all.filter((entry) => !keyed.includes(entry) || isApart(entry));
  return [...rest, { step: { type: 'any-key' }, places: others }];
}

/** Bytes of the values at each place, with their keys, without their contents. `$.results.*.out` is for all entries. */
export function bytesByPlace(rows: readonly Facts[]): Map<string, number> {
  const told = new Map<string, number>();
  const open: { places: Place[]; steps: PathStep[] }[] = [{ places: [placesOf(rows)], steps: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { places, steps } = next;
    const own = sumOf(places, (place) => place.own);
    if (places.some(({ kinds }) => kinds.size > 0)) told.set(formatPath(steps), own);
    for (const { step, places: below } of entriesOf(places))
      open.push({ places: below, steps: [...steps, step] });
  }
  return told;
}
