/**
 * The class and the extent of every message. Messages of one class are taken to be alike: by kind, number of keys,
 * first and last key, and whether something is transferred, which has no bytes then. None of the program's code runs.
 *
 * The extent of a message: a cheap size that every message has, from the values near its root. It is about as large as
 * the bytes that are written if all of it is read: lengths of texts, keys and lists, bytes of buffers. Messages are
 * looked at by order of magnitude, and the bytes of all others are estimated from it.
 */

import * as kept from '../realm/intrinsics.ts';
import { canBeRead, transferList, types } from '../realm/platform.ts';

/** Bytes around what is in an object, a list, a text or a buffer, and of a number. */
const OBJECT = 4;
const LIST = 5;
const TEXT = 3;
const BUFFER = 6;
const NUMBER = 5;
const MAX_DEPTH = 6;
/** Fields of a message up to which all are read; of others and below them, this number of values. */
const MAX_READ = 12;
/** Children of a container that are read: they stand for all, and near the root more are read. */
const MAX_CHILDREN = 4;
const someOf = (children: number, depth: number): number =>
  children <= MAX_CHILDREN ? children : depth < 2 ? MAX_CHILDREN : 3;
/** Extent of a Map's or Set's entry: reading the entries would run through all. */
const ENTRY = 24;

/** Listing the keys of a large object takes long: mean limits for each message and each millisecond of posting. */
const FREE_KEYS = 48;
const FREE_KEYS_PER_MS = 500;
const MOST_FREE = 4000;
/** Extent of an object that is not read. */
const USUAL = 50;

const isBinary = (value: object): boolean => kept.isView(value) || types.isAnyArrayBuffer(value);

export class Extents {
  /** Values of the message that may still be read. */
  #left = 0;
  #freeKeys = MOST_FREE;
  /** Average extent of objects whose keys were listed and were many. */
  #usual = USUAL;

  /** @param names its keys, if they are known */
  of(value: unknown, names: readonly string[] | null = null): number {
    this.#left = MAX_READ;
    this.#freeKeys = kept.min(MOST_FREE, this.#freeKeys + FREE_KEYS);
    return this.#extent(value, 0, names);
  }

  /** Messages that take long to post have time for longer looks. */
  posted(ms: number): void {
    this.#freeKeys = kept.min(MOST_FREE, this.#freeKeys + ms * FREE_KEYS_PER_MS);
  }

  #extent(value: unknown, depth: number, names: readonly string[] | null = null): number {
    if (typeof value === 'string') return TEXT + value.length;
    if (typeof value === 'number') return NUMBER;
    if (!canBeRead(value)) return 1;
    if (kept.isArray(value)) return this.#list(value, depth);
    if (isBinary(value)) return BUFFER + kept.memoryBehind(value);
    return this.#entries(value, depth, names);
  }

  #list(value: readonly unknown[], depth: number): number {
    const { length } = value;
    const isRead = depth < MAX_DEPTH && this.#left > 0;
    return LIST + (isRead ? this.#children(value, null, length, depth) : NUMBER * length);
  }

  #entries(value: object, depth: number, known: readonly string[] | null): number {
    if (depth > 0 && this.#freeKeys < 0) return depth === 1 ? this.#usual : USUAL;
    const names = known ?? kept.keys(value);
    const { length } = names;
    if (length === 0) return this.#slots(value);
    if (known === null || length > MAX_READ) this.#freeKeys -= length;
    if (depth >= MAX_DEPTH || this.#left <= 0) return OBJECT + ENTRY * length;
    const all = OBJECT + this.#children(value, names, length, depth);
    if (depth === 1 && length > MAX_CHILDREN)
      this.#usual += (all - this.#usual) / (this.#usual === USUAL ? 1 : 4);
    return all;
  }

  /** @param names null for a list */
  #children(value: object, names: readonly string[] | null, length: number, depth: number): number {
    const isMessage = depth === 0 && names !== null && length <= MAX_READ;
    const some = isMessage ? length : someOf(length, depth);
    let sum = 0;
    for (let i = 0; i < some; i++) {
      if (!isMessage) this.#left--;
      const at = some === length ? i : kept.floor((i * (length - 1)) / (some - 1));
      const name = names === null ? at : names[at]!;
      if (typeof name === 'string') sum += TEXT + name.length;
      sum += this.#extent(kept.dataOf(value, name), depth + 1);
    }
    return some === 0 ? 0 : (sum * length) / some;
  }

  #slots(value: object): number {
    if (types.isMap(value)) return OBJECT + ENTRY * kept.mapSize(value);
    return OBJECT + (types.isSet(value) ? ENTRY * kept.setSize(value) : 0);
  }
}

/** Messages with a smaller extent are small: more of them are looked at and kept. */
export const SMALL_EXTENT = 4096;

/** Smaller ones are of one size. */
const SMALL_LOG = 6;
const SMALLEST = 2 ** SMALL_LOG;
const STEP_LOG = 3;

/** Order of magnitude: each is eight times the one before. */
export const sizeClass = (extent: number): number =>
  extent < SMALLEST ? 0 : kept.floor((kept.log2(extent) - SMALL_LOG) / STEP_LOG) + 1;

export interface MessageClass {
  kind: string;
  /** Keys of an object; elements of an array, up to TUPLE. */
  size: number;
  first: string;
  last: string;
}

/** Longer arrays are lists of any length. */
const TUPLE = 8;
/** More keys make a map-like object, whose keys are its content. */
const MAP_LIKE = 24;

const TRANSFERS = ' and a list';

/** Overwritten for each message: nothing is allocated. */
export class Classifier {
  kind = '';
  size = 0;
  first = '';
  last = '';
  /** Keys of an object that is neither a list nor a view. */
  names: readonly string[] | null = null;

  of(value: unknown, transfer?: unknown): void {
    this.size = 0;
    this.first = '';
    this.last = '';
    this.names = null;
    this.kind = typeof value;
    if (typeof value === 'object') this.#ofObject(value);
    if (transfer !== undefined && (transferList(transfer)?.length ?? 0) > 0) this.kind += TRANSFERS;
  }

  #ofObject(value: object | null): void {
    if (value === null) this.kind = 'null';
    else if (types.isProxy(value)) this.kind = 'proxy';
    else if (kept.isArray(value)) {
      this.kind = 'array';
      this.size = value.length > TUPLE ? TUPLE + 1 : value.length;
    } else if (kept.isView(value)) this.kind = 'view';
    else this.#object(value);
  }

  is(known: MessageClass): boolean {
    return (
      known.kind === this.kind &&
      known.size === this.size &&
      known.first === this.first &&
      known.last === this.last
    );
  }

  #object(value: object): void {
    const names = kept.keys(value);
    this.names = names;
    const { length } = names;
    if (kept.getPrototypeOf(value) !== kept.objectPrototype && length === 0)
      this.kind = this.#slotKind(value);
    else if (length > MAP_LIKE) this.size = MAP_LIKE + kept.floor(kept.log2(length));
    else if (length > 0) {
      this.size = length;
      this.first = names[0]!;
      this.last = names[length - 1]!;
    }
  }

  #slotKind(value: object): string {
    if (types.isAnyArrayBuffer(value)) return 'buffer';
    if (types.isMap(value)) return 'map';
    return types.isSet(value) ? 'set' : 'object';
  }
}
