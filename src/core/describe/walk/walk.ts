/** Iterative walk over a value by descriptors and internal slots. Shared references are tracked, except in JSON. */

import { throws } from '../../../model/or-else.ts';
import { type Kind, PROXY_OF_ARRAY, PROXY_OF_FUNCTION } from '../../../model/vocabulary/shape.ts';
import type { TrailStep } from '../../paths.ts';
import { hasLoneSurrogate } from '../../value/intrinsics.ts';
import { type BufferFacts, bufferFacts, viewFacts } from '../inspect/buffers.ts';
import { BIGINT, BUFFER, BUFFERS, NUMBER, STORED, STRING, STRUCTURE } from '../inspect/flags.ts';
import { type InspectedObject, ObjectInspector } from '../inspect/object-inspector.ts';
import type { PlatformMemory } from '../inspect/platform-memory.ts';
import type { BuiltInType, Probe, Storage } from '../inspect/probe.ts';
import type { FactRow } from '../shape/fact-row.ts';
import type { PatternNode, ShapeBuilder } from '../shape/shape-builder.ts';

// Facts of strings and numbers.

/** True if the content needs two bytes a unit; false if the string was only cut from such a string. */
const isWide = (stored: number): boolean =>
  (stored & (STORED['two-byte'] | STORED['ascii-in-two-byte'])) === STORED['two-byte'];

/** Minimum units of a repeated string; repeating shorter strings costs little. */
const REPEAT_UNITS = 64;
const REPEAT_SLOTS = 4096;

/** Finds repeated strings, but not all: a table with one slot per hash bounds memory and needs only one comparison. */
class RepeatedStrings {
  readonly #slots: (string | undefined)[] = new Array<string | undefined>(REPEAT_SLOTS).fill(undefined);

  seen(text: string): boolean {
    const n = text.length;
    let hash = n;
    for (let i = 0; i < 8; i++) hash = (hash * 31 + text.charCodeAt(((i * (n - 1)) / 7) | 0)) | 0;
    const slot = hash & (REPEAT_SLOTS - 1);
    const known = this.#slots[slot] === text;
    if (!known) this.#slots[slot] = text;
    return known;
  }
}

/** Number of combinations of the seven bits of `numberBits`. */
const MASKS = 128;

class Scalars {
  readonly #builder: ShapeBuilder;
  readonly #storage: Storage;
  readonly #repeated = new RepeatedStrings();
  /** Counts by kind of number. Many payloads are mostly arrays of numbers, which are counted in a separate loop. */
  readonly #counts = new Uint32Array(MASKS);
  readonly #firsts = new Uint32Array(MASKS);

  constructor(builder: ShapeBuilder, storage: Storage) {
    this.#builder = builder;
    this.#storage = storage;
  }

  string(text: string, node: PatternNode, depth: number, parent: Kind | null): void {
    const stored = this.#storage.string(text, depth);
    const units = text.length;
    const bytes = (stored & STORED['two-byte']) === 0 ? units : units * 2;
    let bits = units < REPEAT_UNITS ? 0 : this.#longBits(text, bytes);
    if (isWide(stored) && hasLoneSurrogate(text)) bits |= STRING['lone-surrogate'];
    const row = this.#builder.add(node, depth, parent, 'string', bits, stored);
    row.addSize(units);
    row.addBytes(bytes);
  }

  #longBits(text: string, bytes: number): number {
    let bits = this.#repeated.seen(text) ? STRING.repeated : 0;
    if (text.length > 128) bits |= STRING['units-over-128'];
    if (text.length >= 256) bits |= STRING['units-from-256'];
    if (bytes >= 514) bits |= STRING['bytes-from-514'];
    return bits;
  }

  number(value: number, node: PatternNode, depth: number, parent: Kind | null): void {
    this.#builder.add(node, depth, parent, 'number', numberBits(value), 0);
  }

  /** Counts the leading numbers of `values`; returns the index of the first value that is not a number. */
  countNumbers(values: ArrayLike<unknown>): number {
    let end = 0;
    for (; end < values.length; end++) {
      const value = values[end];
      if (typeof value !== 'number') break;
      const bits = numberBits(value);
      if (this.#counts[bits]!++ === 0) this.#firsts[bits] = end;
    }
    return end;
  }

  /** Like `countNumbers`, for an array that contains only numbers. */
  countAllNumbers(values: Float64Array): number {
    for (let i = 0; i < values.length; i++) {
      const bits = numberBits(values[i]!);
      if (this.#counts[bits]!++ === 0) this.#firsts[bits] = i;
    }
    return values.length;
  }

  /**
   * Adds the counted numbers as elements at `node`, and resets the counts.
   *
   * @param steps index of each value in its array; null if it equals the position
   */
  addNumbers(node: PatternNode, depth: number, steps: readonly number[] | null): 'int32' | 'double' {
    let content: 'int32' | 'double' = 'int32';
    for (let i = 0; i < NUMBER_MASKS.length; i++) {
      const bits = NUMBER_MASKS[i]!;
      const count = this.#counts[bits]!;
      if (count === 0) continue;
      this.#counts[bits] = 0;
      if ((bits & NUMBER.double) !== 0) content = 'double';
      const first = this.#firsts[bits]!;
      this.#builder.trail[depth] = steps === null ? first : steps[first]!;
      const others = count - 1;
      this.#builder.add(node, depth, 'array', 'number', bits, 0).count += others;
      this.#builder.nodes += others;
    }
    return content;
  }
}

/** Smis have 31 bits with pointer compression (Chromium) and 32 bits on Node and Deno. */
const SMI31 = 2 ** 30;

/** All possible results of `numberBits`. */
const NUMBER_MASKS: readonly number[] = [
  NUMBER.int32,
  NUMBER.int32 | NUMBER['beyond-smi31'],
  NUMBER.double,
  NUMBER.double | NUMBER.int64,
  NUMBER.double | NUMBER['negative-zero'],
  NUMBER.double | NUMBER.infinite,
  NUMBER.double | NUMBER.nan,
];

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

const INT64_END = 2n ** 63n;
const UINT64_END = 2n ** 64n;

function bigintBits(value: bigint): number {
  const isInt64 = value >= -INT64_END && value < INT64_END;
  const isUint64 = value >= 0n && value < UINT64_END;
  return (isInt64 ? BIGINT.int64 : 0) | (isUint64 ? BIGINT.uint64 : 0);
}

interface OpenContainer {
  kind: Kind;
  node: PatternNode;
  depth: number;
  /** If null, the steps are the indices. */
  steps: readonly TrailStep[] | null;
  values: ArrayLike<unknown>;
  cursor: number;
}

/** Depth, row and size of each object at its first visit. Parallel arrays need only a few words for an object. */
class VisitedObjects {
  readonly #numbers = new Map<object, number>();
  readonly #depths: number[] = [];
  readonly #rows: FactRow[] = [];
  readonly #sizes: number[] = [];

  get size(): number {
    return this.#rows.length;
  }

  /** Returns -1 if the object has not been visited yet. */
  find(value: object): number {
    return this.#numbers.get(value) ?? -1;
  }

  add(value: object, depth: number, row: FactRow, size: number): void {
    this.#numbers.set(value, this.#rows.length);
    this.#depths.push(depth);
    this.#rows.push(row);
    this.#sizes.push(size);
  }

  at(number: number): { depth: number; row: FactRow; size: number } {
    return { depth: this.#depths[number]!, row: this.#rows[number]!, size: this.#sizes[number]! };
  }
}

/** Position of the current value. The one object is overwritten, so a walk allocates nothing for a scalar. */
interface WalkPosition {
  node: PatternNode;
  depth: number;
  parent: Kind | null;
}

/** Array.isArray runs no trap of a Proxy, but throws if the Proxy was revoked. */
function tagOfProxy(proxy: object): string | undefined {
  let isArray = false;
  throws(() => {
    isArray = Array.isArray(proxy);
  });
  return isArray ? PROXY_OF_ARRAY : undefined;
}

function addMemory(row: FactRow, { bytes, isCopied }: PlatformMemory): void {
  row.addBytes(bytes);
  row.addBacking(isCopied ? bytes : 0, isCopied ? 0 : bytes);
}

const ORDINARY: BuiltInType = { kind: 'object' };

export class Walk {
  readonly #builder: ShapeBuilder;
  readonly #probe: Probe;
  readonly #scalars: Scalars;
  readonly #inspector: ObjectInspector;
  readonly #stack: OpenContainer[] = [];
  readonly #visited = new VisitedObjects();
  /** The object last visited at each depth: the objects above the current value are its ancestors. */
  readonly #ancestors: object[] = [];
  /** Buffers; the value is true if a BigInt came before the buffer. */
  readonly #buffers = new Map<object, boolean>();
  /** Number of objects visited before the first BigInt. */
  #firstAfterBigint = Number.POSITIVE_INFINITY;
  readonly #position: WalkPosition;
  readonly #fromJson: boolean;

  /** @param fromJson the value is from JSON.parse: plain objects and arrays, each at one place */
  constructor(builder: ShapeBuilder, probe: Probe, fromJson: boolean) {
    this.#builder = builder;
    this.#probe = probe;
    this.#fromJson = fromJson;
    this.#scalars = new Scalars(builder, probe.storage);
    this.#inspector = new ObjectInspector(probe);
    this.#position = { node: builder.root, depth: 0, parent: null };
  }

  walk(root: unknown): void {
    this.#visit(root, this.#position);
    for (;;) {
      const top = this.#stack.at(-1);
      if (top === undefined) return;
      if (top.cursor >= top.values.length) this.#stack.pop();
      else this.#child(top);
    }
  }

  #child(top: OpenContainer): void {
    const i = top.cursor++;
    const step = top.steps === null ? i : top.steps[i]!;
    const at = this.#position;
    at.depth = top.depth + 1;
    at.node = this.#nodeFor(top, step, i);
    at.parent = top.kind;
    this.#builder.trail[at.depth] = step;
    this.#visit(top.values[i], at);
  }

  #nodeFor(top: OpenContainer, step: TrailStep, i: number): PatternNode {
    if (typeof step === 'string') return this.#builder.property(top.node, step, i);
    if (typeof step === 'number') return this.#builder.items(top.node);
    return this.#builder.entries(top.node, step.part);
  }

  #visit(value: unknown, at: WalkPosition): void {
    if (typeof value === 'string') this.#scalars.string(value, at.node, at.depth, at.parent);
    else if (typeof value === 'number') this.#scalars.number(value, at.node, at.depth, at.parent);
    else if (typeof value === 'object' && value !== null) this.#object(value, at);
    else if (typeof value === 'bigint') {
      this.#bigint();
      this.#add(at, 'bigint', bigintBits(value), 0);
    } else if (value === null) this.#add(at, 'null', 0, 0);
    else {
      const isProxy = typeof value === 'function' && this.#probe.types.isProxy(value);
      this.#add(
        at,
        isProxy ? 'proxy' : (typeof value as Kind),
        0,
        0,
        isProxy ? PROXY_OF_FUNCTION : undefined,
      );
    }
  }

  #bigint(): void {
    this.#firstAfterBigint = Math.min(this.#firstAfterBigint, this.#visited.size);
  }

  #add(at: WalkPosition, kind: Kind, observed: number, stored: number, tag?: string): FactRow {
    return this.#builder.add(at.node, at.depth, at.parent, kind, observed, stored, tag);
  }

  #object(value: object, at: WalkPosition): void {
    if (this.#fromJson) {
      this.#structure(value, this.#ofJson(value, at), at);
      return;
    }
    const number = this.#visited.find(value);
    if (number >= 0) {
      this.#addAgain(value, number, at);
      return;
    }
    this.#ancestors[at.depth] = value;
    if (this.#probe.types.isProxy(value))
      this.#visited.add(value, at.depth, this.#add(at, 'proxy', 0, 0, tagOfProxy(value)), -1);
    else if (Array.isArray(value)) this.#structure(value, this.#inspector.array(value, at.depth), at);
    else {
      const known = this.#inspector.asKnown(value, at.node.knownObjects);
      if (known === null) this.#builtIn(value, at);
      else this.#structure(value, known, at);
    }
  }

  #ofJson(value: object, { node, depth }: WalkPosition): InspectedObject {
    if (Array.isArray(value)) return this.#inspector.array(value, depth);
    const known = this.#inspector.asKnown(value, node.knownObjects);
    return known ?? this.#inspector.of(value, ORDINARY, depth, node.knownObjects);
  }

  /** Counts a further reference with the facts of the first; the object is not walked again. */
  #addAgain(value: object, number: number, at: WalkPosition): void {
    const { depth, row, size } = this.#visited.at(number);
    const cycle = depth < at.depth && this.#ancestors[depth] === value;
    const bits = BUFFERS.has(row.kind) ? BUFFER : STRUCTURE;
    const late = number >= this.#firstAfterBigint ? bits['after-bigint'] : 0;
    const observed = row.observed | late | (cycle ? bits.cycle : bits.repeated);
    const added = this.#add(at, row.kind, observed, row.stored, row.tag);
    if (size >= 0) added.addSize(size);
    if (row.backing >= 0) added.addBacking(0, 0);
  }

  #builtIn(value: object, at: WalkPosition): void {
    const type = this.#probe.types.of(value);
    const { prototypes } = this.#inspector;
    const { kind } = type;
    if (kind === 'typedarray' || kind === 'dataview') this.#buffer(value, viewFacts(value, prototypes), at);
    else if (kind === 'arraybuffer' || kind === 'sharedarraybuffer')
      this.#buffer(value, bufferFacts(value, kind, prototypes), at);
    else this.#structure(value, this.#inspector.of(value, type, at.depth, at.node.knownObjects), at);
  }

  #structure(value: object, found: InspectedObject, { node, depth, parent }: WalkPosition): void {
    const { kind, bits, size, steps, values } = found;
    if (kind === 'boxed' && found.tag === 'BigInt') this.#bigint();
    const row = this.#builder.add(node, depth, parent, kind, bits, found.stored, found.tag);
    if (size >= 0) row.addSize(size);
    if (found.memory !== undefined) addMemory(row, found.memory);
    if (!this.#fromJson) this.#visited.add(value, depth, row, size);
    if (found.numbers) {
      if (values instanceof Float64Array) this.#scalars.countAllNumbers(values);
      else this.#scalars.countNumbers(values);
      this.#scalars.addNumbers(this.#builder.items(node), depth + 1, steps as readonly number[] | null);
    } else if (values.length > 0) this.#stack.push({ kind, node, depth, steps, values, cursor: 0 });
  }

  #buffer(value: object, facts: BufferFacts, at: WalkPosition): void {
    const late = this.#buffers.get(facts.buffer) === true ? BUFFER['after-bigint'] : 0;
    const row = this.#add(at, facts.kind, facts.bits | late, 0, facts.tag);
    row.addBytes(facts.bytes);
    // All views on a buffer copy it only once: it has an identity, which the clone keeps.
    if (this.#buffers.has(facts.buffer)) row.addBacking(0, 0);
    else {
      row.addBacking(facts.backing, facts.shared);
      this.#buffers.set(facts.buffer, this.#visited.size >= this.#firstAfterBigint);
    }
    this.#visited.add(value, at.depth, row, -1);
  }
}
