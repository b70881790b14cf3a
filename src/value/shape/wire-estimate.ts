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
function valueBytes(row: Facts): number {
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

// Bytes by place in the payload. Small entries of an object with many keys count as one place, like the items of a list.

/** It is less than the limit for masking: no user reads twenty similar rows. */
const MANY_KEYS = 20;
/** Of these, an entry with at least this share of the bytes keeps its key. */
const LARGE = 0.1;

/** `at`: the path of its first steps, where the small entries around it are one place. */
type Part = { at: string; steps: readonly PathStep[]; bytes: number };

const bytesOf = (parts: readonly Part[]): number => sumOf(parts, ({ bytes }) => bytes);

const extended = (part: Part, step: PathStep | undefined): Part =>
  step === undefined ? part : { ...part, at: part.at + formatPath([step]).slice(1) };

/** The parts one step further. @param depth steps that `at` has */
function furtherBy(parts: readonly Part[], depth: number): readonly Part[] {
  const keyed = parts.filter(({ steps }) => ['key', 'any-key'].includes(steps[depth]?.type ?? ''));
  const small = new Set<Part>();
  for (const inside of groupedBy(keyed, ({ at }) => at).values()) {
    const entries = groupedBy(inside, (part) => extended(part, part.steps[depth]).at);
    const least = entries.size < MANY_KEYS ? 0 : LARGE * bytesOf(inside);
    for (const entry of entries.values())
      if (bytesOf(entry) < least) for (const part of entry) small.add(part);
  }
  return parts.map((part) => extended(part, small.has(part) ? { type: 'any-key' } : part.steps[depth]));
}

/** Bytes of the values at each place, with their keys, without their contents. `$.results.*.out` is for all entries. */
export function bytesByPlace(rows: readonly Facts[]): Map<string, number> {
  const estimate = rowEstimate(rows);
  let parts: readonly Part[] = rows.flatMap((row): Part[] => {
    const steps = parsePath(row.pattern);
    return steps === null ? [] : [{ at: '$', steps, bytes: Math.max(0, estimate(row)) || 0 }];
  });
  const deepest = parts.reduce((most, { steps }) => Math.max(most, steps.length), 0);
  for (let depth = 0; depth < deepest; depth++) parts = furtherBy(parts, depth);
  return sumsBy(
    parts,
    ({ at }) => at,
    ({ bytes }) => bytes,
  );
}
