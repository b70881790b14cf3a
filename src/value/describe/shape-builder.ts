/** A trie of path patterns, each with a few rows of counts: bounded (`truncated` says so), but counts are exact. */

import type { Facts } from '../../model/documents/shape.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import { flatMap, map } from '../read/lists.ts';
import { type EntryPart, keyText, pathOfTrail, type TrailStep } from '../read/paths.ts';
import { storedBytes } from '../shape/wire-estimate.ts';
import { listFlags } from './inspect/flags.ts';
import type { KnownObject } from './inspect/object-inspector.ts';

const MAX_DEPTH = 64;
const MAX_KEYS = 64;
const MAX_PATTERNS = 2000;
/** The same from half of the patterns on: room is left for what one of them holds. */
const MAX_KEYS_LATE = 20;
/** Further combinations of flags at one pattern are counted in the first row of their kind. */
const MAX_ROWS = 128;
const MAX_KEY_LENGTH = 200;

export type FactRow = ReturnType<typeof newRow>;

/** Counts of the values at a pattern with these facts. All counts are small integers at first, which engines keep unboxed. */
function newRow(parent: Kind | null, kind: Kind, observed: number, stored: number, tag: string | undefined) {
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

function toFacts({ pattern, depth, folded }: PatternNode, row: FactRow): Facts {
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

export class PatternNode {
  readonly rows: FactRow[] = [];
  readonly properties = new Map<string, PatternNode>();
  items: PatternNode | null = null;
  others: PatternNode | null = null;
  /** Keys of the values here, if their patterns are folded, and the bytes of these. */
  readonly folded = { keys: 0, bytes: 0 };
  readonly parts: Partial<Record<EntryPart, PatternNode>> = {};
  /** Objects visited here; each is a sample of its hidden class. */
  readonly knownObjects: KnownObject[] = [];
  /** True for the node of all that is below a node that is too deep or beyond the limit of patterns: its own child. */
  readonly isDeeper: boolean;
  readonly pattern: string;
  readonly depth: number;

  constructor(pattern: string, depth: number) {
    this.pattern = pattern;
    this.depth = depth;
    this.isDeeper = pattern.endsWith('..');
  }
}

export interface Place {
  node: PatternNode;
  depth: number;
  parent: Kind | null;
}

export class ShapeBuilder {
  readonly root = new PatternNode('$', 0);
  readonly trail: TrailStep[];
  readonly truncated = { patterns: false, depth: false, items: false };
  nodes = 0;
  depth = 0;
  readonly #patterns: PatternNode[] = [this.root];

  constructor(trail: TrailStep[]) {
    this.trail = trail;
  }

  add({ node, depth, parent }: Place, kind: Kind, observed: number, stored: number, tag?: string): FactRow {
    this.nodes++;
    if (depth > this.depth) this.depth = depth;
    const rows = node.rows;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      if (
        row.observed === observed &&
        row.kind === kind &&
        row.stored === stored &&
        row.parent === parent &&
        row.tag === tag
      ) {
        row.count++;
        return row;
      }
    }
    return this.#addRow(node, depth, newRow(parent, kind, observed, stored, tag));
  }

  #addRow(node: PatternNode, depth: number, fresh: FactRow): FactRow {
    const isFull = node.rows.length >= MAX_ROWS;
    const alike = isFull ? node.rows.find(({ kind }) => kind === fresh.kind) : undefined;
    if (alike !== undefined) {
      // Unlike folded patterns, this loses facts: the value is counted in a row with different flags.
      this.truncated.items = true;
      alike.count++;
      return alike;
    }
    fresh.example = pathOfTrail(this.trail, depth);
    node.rows.push(fresh);
    return fresh;
  }

  #newNode(parent: PatternNode, step: string): PatternNode {
    const node = new PatternNode(parent.pattern + step, parent.depth + 1);
    this.#patterns.push(node);
    return node;
  }

  #child(parent: PatternNode, step: string): PatternNode {
    if (parent.isDeeper) return parent;
    if (parent.depth >= MAX_DEPTH) this.truncated.depth = true;
    else if (this.#patterns.length >= MAX_PATTERNS) this.truncated.patterns = true;
    else return this.#newNode(parent, step);
    return this.#newNode(parent, '..');
  }

  property(parent: PatternNode, key: string): PatternNode {
    const known = parent.properties.get(key);
    if (known !== undefined) return known;
    if (parent.isDeeper) return parent;
    const hasRoom = parent.depth < MAX_DEPTH && this.#patterns.length < MAX_PATTERNS;
    const maxKeys = this.#patterns.length < MAX_PATTERNS / 2 ? MAX_KEYS : MAX_KEYS_LATE;
    if (!hasRoom || parent.properties.size >= maxKeys || key.length > MAX_KEY_LENGTH) {
      if (hasRoom) this.truncated.patterns = true;
      parent.others ??= this.#child(parent, '.*');
      const { folded } = parent.others;
      folded.keys++;
      folded.bytes += storedBytes(key);
      return parent.others;
    }
    const node = this.#newNode(parent, keyText(key));
    parent.properties.set(key, node);
    return node;
  }

  items(parent: PatternNode): PatternNode {
    parent.items ??= this.#child(parent, '[*]');
    return parent.items;
  }

  entries(parent: PatternNode, part: EntryPart): PatternNode {
    parent.parts[part] ??= this.#child(parent, `{${part}}`);
    return parent.parts[part];
  }

  facts(): Facts[] {
    return flatMap(this.#patterns, (node) => map(node.rows, (row) => toFacts(node, row)));
  }
}
