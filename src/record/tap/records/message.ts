/**
 * The class and the extent of every message; none of the program's code runs. Messages of one class are taken to be
 * alike: by kind, number of keys, first and last key, and whether something is transferred, which has no bytes then.
 * The extent is a cheap size from the values near the root, about as large as the bytes that are written: messages are
 * looked at by its order of magnitude, and the bytes of all others are estimated from it.
 */

import { callOn, MAP, SET } from '../../../value/read/intrinsics.ts';
import * as kept from '../realm/intrinsics.ts';
import { canBeRead, isBuffer, type Listed, types } from '../realm/platform.ts';

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
/** An error with its stack, which is not read. */
const ERROR = 500;

const isBinary = (value: object): boolean => kept.isView(value) || isBuffer(value);

/** Values of the message that may still be read. */
let left = 0;

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
  const isError = kept.getPrototypeOf(value) !== kept.objectPrototype && types.isNativeError(value);
  const own = isError ? ERROR : OBJECT;
  if (length > 0) return own + (isRead ? childrenOf(value, names, length, depth) : ENTRY * length);
  const size = types.isMap(value) ? MAP.size : types.isSet(value) ? SET.size : null;
  return own + (size === null ? 0 : ENTRY * (callOn(size, value) as number));
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

const SMALL_LOG = 6;
const SMALLEST = 2 ** SMALL_LOG;
const STEP_LOG = 3;

/** Order of magnitude: each is eight times the one before. */
export const sizeClass = (extent: number): number =>
  extent < SMALLEST ? 0 : kept.floor((kept.log2(extent) - SMALL_LOG) / STEP_LOG) + 1;

/** Longer arrays are lists of any length. */
const TUPLE = 8;
/** More keys make a map-like object, whose keys are its content. */
const MAP_LIKE = 24;

export function classify(value: unknown, listed: readonly Listed[] = []) {
  left = MAX_READ;
  const isObject = canBeRead(value) && !kept.isArray(value) && !kept.isView(value);
  const names = isObject ? kept.keys(value) : [];
  let extent =
    names.length > 0 ? OBJECT + childrenOf(value as object, names, names.length, 0) : extentAt(value, 0);
  // After the post they have moved away.
  for (let i = 0; i < listed.length; i++)
    if (listed[i]!.bytes > 0) extent += listed[i]!.bytes - kept.memoryBehind(listed[i]!.value as object);
  return { class: classText(value, names) + (listed.length > 0 ? ' and a list' : ''), extent };
}

/** Most messages are like the one before: joining texts takes longer than all else here. */
let recent = { length: 0, first: '', last: '', text: '' };

function recordText(length: number, first: string, last: string): string {
  if (recent.length !== length || recent.first !== first || recent.last !== last)
    recent = { length, first, last, text: `object|${length}|${first}|${last}` };
  return recent.text;
}

/** @param names keys of an object that is neither a list nor a view, nor a Proxy */
function classText(value: unknown, names: readonly string[]): string {
  const { length } = names;
  if (length > MAP_LIKE) return `object|${MAP_LIKE + kept.floor(kept.log2(length))}`;
  if (length > 0) return recordText(length, names[0]!, names[length - 1]!);
  if (typeof value !== 'object') return typeof value;
  if (value === null) return 'null';
  if (types.isProxy(value)) return 'proxy';
  if (kept.isArray(value)) return `array|${kept.min(value.length, TUPLE + 1)}`;
  if (kept.isView(value)) return 'view';
  if (kept.getPrototypeOf(value) === kept.objectPrototype) return 'object';
  if (isBuffer(value)) return 'buffer';
  if (types.isMap(value)) return 'map';
  return types.isSet(value) ? 'set' : 'object';
}
