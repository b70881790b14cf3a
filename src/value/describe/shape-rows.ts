/** Rows of a shape: counts of the values at a pattern that have the same facts. */

import type { Facts, Shape } from '../../model/documents/shape.ts';
import { groupedBy } from '../../model/sums.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import { patternOf } from '../read/paths.ts';
import { listFlags } from './inspect/flags.ts';

export type FactRow = ReturnType<typeof newRow>;

/** Counts of the values at a pattern with these facts. All counts are small integers at first, which engines keep unboxed. */
export function newRow(parent: Kind | null, kind: Kind, observed: number, stored: number, tag?: string) {
  return {
    parent,
    kind,
    observed,
    stored,
    tag,
    example: '',
    count: 1,
    /** -1 if no size was added. */
    min: -1,
    max: 0,
    total: 0,
    bytes: 0,
    maxBytes: 0,
    /** -1 if it has no memory outside. */
    backing: -1,
    shared: 0,
  };
}

export function addSize(row: FactRow, size: number): void {
  row.total += size;
  if (size > row.max) row.max = size;
  if (size < row.min || row.min < 0) row.min = size;
}

export function addBytes(row: FactRow, bytes: number): void {
  row.bytes += bytes;
  if (bytes > row.maxBytes) row.maxBytes = bytes;
}

export function addBacking(row: FactRow, bytes: number, shared: number): void {
  row.backing = Math.max(row.backing, 0) + bytes;
  row.shared += shared;
}

interface RowPlace {
  pattern: string;
  depth: number;
  /** Keys of the values here, if their patterns are folded, and the bytes of these. */
  folded: { keys: number; bytes: number };
}

export function toFacts({ pattern, depth, folded }: RowPlace, row: FactRow): Facts {
  const { parent, kind, count, example, tag, min, max, total, backing, shared } = row;
  const bytes = { total: row.bytes, max: row.maxBytes };
  return {
    ...{ pattern, depth, parent, kind, flags: listFlags(kind, row.observed, row.stored), count, example },
    ...(tag !== undefined && { tag }),
    ...(min >= 0 && { size: { min, max, total } }),
    ...(min >= 0 && kind === 'string' && { bytes }),
    ...(folded.keys > 0 && { keyBytes: Math.round((10 * folded.bytes) / folded.keys) / 10 }),
    ...(backing >= 0 && { bytes: { ...bytes, backing, ...(shared > 0 && { shared }) } }),
  };
}

/** They look ordinary, so they were counted in the largest unmarked row of the pattern. */
function rowFor(rows: readonly Facts[], pattern: string): number {
  let best = -1;
  rows.forEach((row, i) => {
    const fits = row.pattern === pattern && row.kind === 'object' && !row.flags.includes('hidden-state');
    if (fits && (best < 0 || row.count > rows[best]!.count)) best = i;
  });
  return best;
}

function split(row: Facts, paths: readonly string[]): Facts[] {
  const marked: Facts = { ...row, flags: [...row.flags, 'hidden-state'], example: paths[0]! };
  if (paths.length >= row.count) return [marked];
  // Sizes are known only for marked and unmarked objects together.
  const { size: _, ...unsized } = marked;
  return [
    { ...row, count: row.count - paths.length },
    { ...unsized, count: paths.length },
  ];
}

/** Adds the flag `hidden-state` to the objects at these concrete paths. A path without a matching object is ignored. */
export function withHidden(shape: Shape, paths: readonly string[]): Shape {
  let patterns = shape.patterns;
  for (const [pattern, found] of groupedBy(paths, patternOf)) {
    const at = pattern === null ? -1 : rowFor(patterns, pattern);
    if (at >= 0) patterns = patterns.toSpliced(at, 1, ...split(patterns[at]!, found));
  }
  return { ...shape, patterns };
}
