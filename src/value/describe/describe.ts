/** Describes a value by a Shape. Runs no code of the user: no getter, no Proxy trap, no toJSON. */

import type { Facts, Shape } from '../../model/documents/shape.ts';
import type { Channel } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import { type Kind, PROXY_OF_ARRAY, PROXY_OF_FUNCTION } from '../../model/vocabulary/shape.ts';
import type { BuiltInType } from '../read/built-in-types.ts';
import { hasLoneSurrogate } from '../read/intrinsics.ts';
import { flatMap, map } from '../read/lists.ts';
import { type EntryPart, keyText, pathOfTrail, type TrailStep } from '../read/paths.ts';
import type { HeldMemory } from '../read/platform-class.ts';
import { type Container, Walk } from '../read/walk.ts';
import { storedBytes } from '../shape/wire-estimate.ts';
import { BIGINT, BUFFER, BUFFERS, NUMBER, STORED, STRING, STRUCTURE } from './inspect/flags.ts';
import { type InspectedObject, type KnownObject, ObjectInspector } from './inspect/object-inspector.ts';
import type { Probe } from './inspect/storage.ts';
import { isJsonSafe, jsonBytes } from './json-safety.ts';
import { addBacking, addBytes, addSize, type FactRow, newRow, toFacts } from './shape-rows.ts';

// The shape is a trie of path patterns, each with a few rows: bounded (`truncated` says so), but counts are exact.

const MAX_DEPTH = 64;
const MAX_KEYS = 64;
const MAX_PATTERNS = 2000;
/** The same from half of the patterns on: room is left for what one of them holds. */
const MAX_KEYS_LATE = 20;
/** Further combinations of flags at one pattern are counted in the first row of their kind. */
const MAX_ROWS = 128;
const MAX_KEY_LENGTH = 200;

class PatternNode {
  readonly rows: FactRow[] = [];
  readonly properties = new Map<string, PatternNode>();
  items: PatternNode | null = null;
  others: PatternNode | null = null;
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

interface Place {
  node: PatternNode;
  depth: number;
  parent: Kind | null;
}

class ShapeBuilder {
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

// The walk.

/** True if the content needs two bytes a unit; false if the string was only cut from such a string. */
const isWide = (stored: number): boolean =>
  (stored & (STORED['two-byte'] | STORED['ascii-in-two-byte'])) === STORED['two-byte'];

const REPEAT_UNITS = 64;
/** Wide texts with narrow content that are compared with further ones. */
const MOST_WIDE = 100;

/** Smis have 31 bits with pointer compression (Chromium) and 32 bits on Node and Deno. */
const SMI31 = 2 ** 30;

/** From 2^53 on, every number is an integer. */
const isInt64 = (value: number): boolean =>
  (value >= 2 ** 53 && value <= 2 ** 63) || (value <= -(2 ** 53) && value >= -(2 ** 63));

function numberBits(value: number): number {
  if (value === (value | 0)) {
    if (value === 0 && 1 / value < 0) return NUMBER.double | NUMBER['negative-zero'];
    return value >= SMI31 || value < -SMI31 ? NUMBER.int32 | NUMBER['beyond-smi31'] : NUMBER.int32;
  }
  if (value - value === 0) return isInt64(value) ? NUMBER.double | NUMBER.int64 : NUMBER.double;
  return NUMBER.double | (Number.isNaN(value) ? NUMBER.nan : NUMBER.infinite);
}

interface DescribedContainer extends Container {
  owner: object;
  kind: Kind;
  node: PatternNode;
  /** Number of arrays that end with it, each an element of the one before. */
  arrays: number;
  /** Depth of the outermost Map or Set, it or one around it; -1 if there is none. */
  collectionAt: number;
}

interface Visit {
  nth: number;
  depth: number;
  row: FactRow;
  size: number;
}

/** Array.isArray runs no trap of a Proxy, but throws if the Proxy was revoked. */
const tagOfProxy = (proxy: object): string | undefined =>
  orElse(() => Array.isArray(proxy), false) ? PROXY_OF_ARRAY : undefined;

const ORDINARY: BuiltInType = { kind: 'object' };

/** Shared references are tracked, except in JSON. */
class Description {
  readonly #walk = new Walk<DescribedContainer>();
  readonly #builder = new ShapeBuilder(this.#walk.trail);
  readonly #probe: Probe;
  readonly #texts = new Set<string>();
  /** With narrow content. V8 15 stores such a text narrow once it is a key of a Set, or is looked for (Deno 2.9.6). */
  readonly #wide: string[] = [];
  readonly #inspector: ObjectInspector;
  readonly #visited = new Map<object, Visit>();
  /** Buffers; the value is true if a BigInt came before the buffer. */
  readonly #buffers = new Map<object, boolean>();
  #firstAfterBigint = Number.POSITIVE_INFINITY;
  readonly #fromJson: boolean;
  /** A program may have given BigInt.prototype a toJSON. */
  readonly #bigintToJson: number;

  /** @param fromJson the value is from JSON.parse: plain objects and arrays, each at one place */
  constructor(probe: Probe, fromJson: boolean, channel: Channel) {
    this.#probe = probe;
    this.#fromJson = fromJson;
    this.#inspector = new ObjectInspector(probe, channel);
    this.#bigintToJson = this.#inspector.prototypes.hasToJson(BigInt.prototype) ? BIGINT['to-json'] : 0;
  }

  of(root: unknown): ShapeBuilder {
    // The one place is overwritten, so a walk allocates nothing for a scalar.
    const at: Place = { node: this.#builder.root, depth: 0, parent: null };
    const { open } = this.#walk;
    this.#visit(root, at);
    this.#walk.run((child, { kind, node }, step) => {
      at.depth = open.length;
      at.node = this.#nodeFor(node, step);
      at.parent = kind;
      this.#visit(child, at);
    });
    return this.#builder;
  }

  #nodeFor(node: PatternNode, step: TrailStep): PatternNode {
    if (typeof step === 'string') return this.#builder.property(node, step);
    if (typeof step === 'number') return this.#builder.items(node);
    return this.#builder.entries(node, step.part);
  }

  #visit(value: unknown, at: Place): void {
    const builder = this.#builder;
    if (typeof value === 'string') this.#string(value, at);
    else if (typeof value === 'number') builder.add(at, 'number', numberBits(value), 0);
    else if (typeof value === 'object' && value !== null) this.#object(value, at);
    else if (typeof value === 'bigint') {
      this.#bigint();
      builder.add(at, 'bigint', this.#bigintToJson, 0);
    } else if (value === null) builder.add(at, 'null', 0, 0);
    else if (typeof value === 'function' && this.#probe.types.isProxy(value))
      builder.add(at, 'proxy', 0, 0, PROXY_OF_FUNCTION);
    else builder.add(at, typeof value as Kind, 0, 0);
  }

  #string(text: string, at: Place): void {
    const stored = this.#probe.storage.string(text, at.depth);
    const units = text.length;
    const bytes = (stored & STORED['two-byte']) === 0 ? units : units * 2;
    let bits = units < REPEAT_UNITS ? 0 : this.#longBits(text, bytes, stored);
    if (isWide(stored) && hasLoneSurrogate(text)) bits |= STRING['lone-surrogate'];
    const row = this.#builder.add(at, 'string', bits, stored);
    addSize(row, units);
    addBytes(row, bytes);
  }

  #longBits(text: string, bytes: number, stored: number): number {
    const isNarrow = (stored & STORED['ascii-in-two-byte']) === 0;
    const isRepeated = isNarrow ? this.#texts.has(text) : this.#wide.includes(text);
    if (isNarrow) this.#texts.add(text);
    else if (!isRepeated && this.#wide.length < MOST_WIDE) this.#wide.push(text);
    let bits = isRepeated ? STRING.repeated : 0;
    if (text.length > 128) bits |= STRING['units-over-128'];
    if (text.length >= 256) bits |= STRING['units-from-256'];
    if (bytes >= 514) bits |= STRING['bytes-from-514'];
    return bits;
  }

  #bigint(): void {
    this.#firstAfterBigint = Math.min(this.#firstAfterBigint, this.#visited.size);
  }

  #met(value: object, depth: number, row: FactRow, size: number): void {
    this.#visited.set(value, { nth: this.#visited.size, depth, row, size });
  }

  #object(value: object, at: Place): void {
    const first = this.#fromJson ? undefined : this.#visited.get(value);
    if (first !== undefined) this.#addAgain(value, first, at);
    else if (!this.#fromJson && this.#probe.types.isProxy(value))
      this.#met(value, at.depth, this.#builder.add(at, 'proxy', 0, 0, tagOfProxy(value)), -1);
    else this.#structure(value, this.#inspected(value, at), at);
  }

  #inspected(value: object, { node, depth }: Place): InspectedObject {
    if (Array.isArray(value)) return this.#inspector.array(value, depth);
    const known = this.#inspector.asKnown(value, node.knownObjects);
    if (known !== null) return known;
    const type = this.#fromJson ? ORDINARY : this.#probe.types.of(value);
    return this.#inspector.of(value, type, depth, node.knownObjects);
  }

  /** A further reference has the facts of the first; the object is not walked again. */
  #addAgain(value: object, { nth, depth, row, size }: Visit, at: Place): void {
    const cycle = this.#walk.open[depth]?.owner === value;
    const bits = BUFFERS.has(row.kind) ? BUFFER : STRUCTURE;
    const late = nth >= this.#firstAfterBigint ? bits['after-bigint'] : 0;
    const observed = row.observed | late | (cycle ? this.#cycleBits(depth) : bits.repeated);
    const added = this.#builder.add(at, row.kind, observed, row.stored, row.tag);
    if (size >= 0) addSize(added, size);
    if (row.backing >= 0) addBacking(added, 0, 0);
  }

  /** @param from depth of the object that contains itself, which is open */
  #cycleBits(from: number): number {
    const { open, trail } = this.#walk;
    const { arrays, collectionAt } = open.at(-1)!;
    const isOfArrays = from >= open.length - arrays && typeof trail[open.length] === 'number';
    const bits = STRUCTURE.cycle | (isOfArrays ? STRUCTURE['array-cycle'] : 0);
    return collectionAt > from ? bits | STRUCTURE['collection-cycle'] : bits;
  }

  #structure(value: object, found: InspectedObject, at: Place): void {
    const { kind, bits, size, values, memory } = found;
    const { depth } = at;
    if (kind === 'boxed' && found.tag === 'BigInt') this.#bigint();
    const isLate = memory?.buffer !== undefined && this.#buffers.get(memory.buffer) === true;
    const observed = isLate ? bits | BUFFER['after-bigint'] : bits;
    const row = this.#builder.add(at, kind, observed, found.stored, found.tag);
    if (size >= 0) addSize(row, size);
    if (memory !== undefined) this.#memory(row, memory);
    if (!this.#fromJson) this.#met(value, depth, row, size);
    if (values.length > 0) this.#open(value, found, at);
  }

  #open(owner: object, { kind, steps, values }: InspectedObject, { node, depth }: Place): void {
    const { open, trail } = this.#walk;
    const { arrays: before, collectionAt: outer } = open.at(-1) ?? { arrays: 0, collectionAt: -1 };
    const isCollection = kind === 'map' || kind === 'set';
    const arrays = kind !== 'array' ? 0 : typeof trail[depth] === 'number' ? before + 1 : 1;
    const collectionAt = outer < 0 && isCollection ? depth : outer;
    open.push({ owner, kind, node, steps, values, next: 0, arrays, collectionAt });
  }

  #memory(row: FactRow, { bytes, backing, shared, buffer }: HeldMemory): void {
    addBytes(row, bytes);
    // All views on a buffer copy it only once: it has an identity, which the clone keeps.
    const isCounted = buffer !== undefined && this.#buffers.has(buffer);
    addBacking(row, isCounted ? 0 : backing, isCounted ? 0 : shared);
    if (buffer !== undefined && !isCounted)
      this.#buffers.set(buffer, this.#visited.size >= this.#firstAfterBigint);
  }
}

interface DescribeOptions {
  fromJson?: boolean;
  /** Measures the JSON text, unless that would run the user's code. Costs one JSON.stringify. */
  jsonBytes?: boolean;
  /** Channel of the message, by which own properties of built-in objects are sent or not; default "worker". */
  channel?: Channel;
}

export function describe(value: unknown, probe: Probe, options: DescribeOptions = {}): Shape {
  const { fromJson = false, channel = 'worker' } = options;
  const builder = new Description(probe, fromJson, channel).of(value);
  const patterns = builder.facts();
  const { nodes, depth, truncated } = builder;
  return {
    nodes,
    depth,
    jsonBytes:
      options.jsonBytes === true ? jsonBytes(value, patterns, depth, (text) => probe.utf8Bytes(text)) : null,
    jsonSafe: isJsonSafe(patterns, depth),
    patterns,
    truncated: { ...truncated },
    representation: { by: probe.storage.by, engine: probe.storage.engine },
  };
}
