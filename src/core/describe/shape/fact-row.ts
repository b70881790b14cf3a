/** Values with the same pattern, parent, kind and flags, as counts and sums. */
import type { Facts } from '../../../model/documents/shape.ts';
import type { Kind } from '../../../model/vocabulary/shape.ts';
import { listFlags } from '../inspect/flags.ts';

export class FactRow {
  count = 0;
  /** -1 if no size was added. All fields are small integers at first, which engines keep unboxed. */
  min = -1;
  max = 0;
  total = 0;
  bytes = 0;
  maxBytes = 0;
  backing = -1;
  shared = 0;
  readonly parent: Kind | null;
  readonly kind: Kind;
  readonly observed: number;
  readonly stored: number;
  readonly tag: string | undefined;
  /** Concrete path of the first value. */
  example = '';

  constructor(parent: Kind | null, kind: Kind, observed: number, stored: number, tag: string | undefined) {
    this.parent = parent;
    this.kind = kind;
    this.observed = observed;
    this.stored = stored;
    this.tag = tag;
  }

  addSize(size: number): void {
    this.total += size;
    if (size > this.max) this.max = size;
    if (size < this.min || this.min < 0) this.min = size;
  }

  addBytes(bytes: number): void {
    this.bytes += bytes;
    if (bytes > this.maxBytes) this.maxBytes = bytes;
  }

  addBacking(bytes: number, shared: number): void {
    this.backing = Math.max(this.backing, 0) + bytes;
    this.shared += shared;
  }
}

function differentBits(a: number, b: number): number {
  let bits = 0;
  for (let rest = a ^ b; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}

/** Returns the row of the same kind with the most flags in common; a different parent counts like 40 flags. */
export function nearestRow(rows: readonly FactRow[], wanted: FactRow): FactRow | null {
  let best: FactRow | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    if (row.kind !== wanted.kind) continue;
    const distance =
      differentBits(row.observed, wanted.observed) +
      differentBits(row.stored, wanted.stored) +
      (row.parent === wanted.parent ? 0 : 40);
    if (distance < least) {
      least = distance;
      best = row;
    }
  }
  return best;
}

export function toFacts(pattern: string, depth: number, row: FactRow): Facts {
  const facts: Facts = {
    pattern,
    depth,
    parent: row.parent,
    kind: row.kind,
    flags: listFlags(row.kind, row.observed, row.stored),
    count: row.count,
    example: row.example,
  };
  if (row.tag !== undefined) facts.tag = row.tag;
  if (row.min >= 0) facts.size = { min: row.min, max: row.max, total: row.total };
  if (row.min >= 0 && row.kind === 'string') facts.bytes = { total: row.bytes, max: row.maxBytes };
  if (row.backing >= 0) {
    facts.bytes = { total: row.bytes, max: row.maxBytes, backing: row.backing };
    if (row.shared > 0) facts.bytes.shared = row.shared;
  }
  return facts;
}
