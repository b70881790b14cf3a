/**
 * The class and the extent of every message. Messages of one class are taken to be alike: by kind, number of keys,
 * first and last key, and whether something is transferred, which has no bytes then. None of the program's code runs.
 *
 * The extent of a message: a cheap size that every message has, from the values near its root. It is about as large as
 * the bytes that are written if all of it is read: lengths of texts, keys and lists, bytes of buffers. Messages are
 * looked at by order of magnitude, and the bytes of all others are estimated from it.
 */

import * as kept from '../realm/intrinsics.ts';
import { canBeRead, isBuffer, transferList, types } from '../realm/platform.ts';

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

const isBinary = (value: object): boolean => kept.isView(value) || isBuffer(value);

/** Values of the message that may still be read. */
let left = 0;

/** @param names keys of an object that is neither a list nor a view, if they are known */
export function extentOf(value: unknown, names: readonly string[] | null = null): number {
  left = MAX_READ;
  if (names === null || names.length === 0) return extentAt(value, 0);
  return OBJECT + childrenOf(value as object, names, names.length, 0);
}

function extentAt(value: unknown, depth: number): number {
  if (typeof value === 'string') return TEXT + value.length;
  if (typeof value === 'number') return NUMBER;
  if (!canBeRead(value)) return 1;
  const isRead = depth < MAX_DEPTH && left > 0;
  if (kept.isArray(value)) {
    const { length } = value;
    return LIST + (isRead ? childrenOf(value, null, length, depth) : NUMBER * length);
  }
  if (isBinary(value)) return BUFFER + kept.memoryBehind(value);
  const names = kept.keys(value);
  const { length } = names;
  if (length > 0) return OBJECT + (isRead ? childrenOf(value, names, length, depth) : ENTRY * length);
  if (types.isMap(value)) return OBJECT + ENTRY * kept.mapSize(value);
  return OBJECT + (types.isSet(value) ? ENTRY * kept.setSize(value) : 0);
}

/** Extent of all children, by some of them. @param names null for a list */
function childrenOf(value: object, names: readonly string[] | null, length: number, depth: number): number {
  const isMessage = depth === 0 && names !== null && length <= MAX_READ;
  const some = isMessage ? length : someOf(length, depth);
  let sum = 0;
  for (let i = 0; i < some; i++) {
    if (!isMessage) left--;
    const at = some === length ? i : kept.floor((i * (length - 1)) / (some - 1));
    const name = names === null ? at : names[at]!;
    if (typeof name === 'string') sum += TEXT + name.length;
    sum += extentAt(kept.dataOf(value, name), depth + 1);
  }
  return some === 0 ? 0 : (sum * length) / some;
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
  /** Order of magnitude of the extents, and true if others of the class were known before. */
  sizeClass: number;
  isFurther: boolean;
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
    if (isBuffer(value)) return 'buffer';
    if (types.isMap(value)) return 'map';
    return types.isSet(value) ? 'set' : 'object';
  }
}
