/**
 * A cheap size that every message has, by what is near its root: lengths of texts and lists, bytes of buffers, numbers of keys.
 * Messages are looked at by its order of magnitude, and bytes of those that were not are estimated from it by regression.
 */

import {
  dataOf,
  floor,
  isArray,
  isView,
  keys,
  log2,
  mapSize,
  memoryBehind,
  min,
  setSize,
} from '../realm/intrinsics.ts';
import { canBeRead, type TypeTests } from '../realm/platform.ts';

/** Keys of messages of one class whose values may be of any size. */
export type HintPlan = readonly string[] | null;

const MAX_DEPTH = 6;
/** Values of one message that are read. */
const MAX_READ = 12;
/** Children of a container that are read: more are told by some of them, near the root by more. */
const MAX_CHILDREN = 4;
const someOf = (children: number, depth: number): number =>
  children <= MAX_CHILDREN ? children : depth < 2 ? MAX_CHILDREN : 3;
const LEAF = 6;
/** Entries of a Map or Set: to read them runs through all. */
const ENTRY = 24;

/** Listing the keys of a large object takes long: so many for each message, and for each millisecond of posting, on average. */
const FREE_KEYS = 48;
const FREE_KEYS_PER_MS = 500;
const MOST_FREE = 4000;
/** What is not read. */
const USUAL = 50;

/** For the messages that have the class of this one: numbers and booleans stay such. */
export function hintPlan(value: unknown, types: TypeTests): HintPlan {
  if (!canBeRead(value, types) || isArray(value) || isBinary(value, types)) return null;
  const names = keys(value);
  if (names.length === 0 || names.length > MAX_READ) return null;
  const plan: string[] = [];
  for (let i = 0; i < names.length; i++) {
    const kind = typeof dataOf(value, names[i]!);
    if (kind !== 'number' && kind !== 'boolean') plan[plan.length] = names[i]!;
  }
  return plan;
}

const isBinary = (value: object, types: TypeTests): boolean => isView(value) || types.isAnyArrayBuffer(value);

export class Hints {
  readonly #types: TypeTests;
  /** Values of the message that may still be read. */
  #left = 0;
  #freeKeys = MOST_FREE;
  /** Of an object whose keys were listed and were many. */
  #usual = USUAL;

  constructor(types: TypeTests) {
    this.#types = types;
  }

  /** @param names its keys, where they are known */
  of(value: unknown, plan: HintPlan, names: readonly string[] | null): number {
    // Most small messages: nothing of them is read.
    if (plan !== null && plan.length === 0) return 1;
    this.#left = MAX_READ;
    this.#freeKeys = min(MOST_FREE, this.#freeKeys + FREE_KEYS);
    if (plan === null) return 1 + this.#extent(value, 0, names);
    let sum = 1;
    for (let i = 0; i < plan.length; i++) sum += this.#extent(dataOf(value as object, plan[i]!), 1);
    return sum;
  }

  /** Messages that take long to post have time for longer looks. */
  posted(ms: number): void {
    this.#freeKeys = min(MOST_FREE, this.#freeKeys + ms * FREE_KEYS_PER_MS);
  }

  #extent(value: unknown, depth: number, names: readonly string[] | null = null): number {
    if (typeof value === 'string') return value.length;
    if (!canBeRead(value, this.#types)) return typeof value === 'number' ? LEAF : 1;
    if (isArray(value)) return this.#list(value, depth);
    if (isBinary(value, this.#types)) return memoryBehind(value);
    return this.#entries(value, depth, names);
  }

  #list(value: readonly unknown[], depth: number): number {
    const { length } = value;
    if (depth >= MAX_DEPTH || this.#left <= 0) return LEAF * length;
    const some = someOf(length, depth);
    let sum = 0;
    for (let i = 0; i < some; i++) {
      this.#left--;
      const at = some === length ? i : floor((i * (length - 1)) / (some - 1));
      sum += 1 + this.#extent(dataOf(value, at), depth + 1);
    }
    return some === 0 ? 0 : (sum * length) / some;
  }

  #entries(value: object, depth: number, known: readonly string[] | null): number {
    if (depth > 0 && this.#freeKeys < 0) return depth === 1 ? this.#usual : USUAL;
    const names = known ?? keys(value);
    const { length } = names;
    if (length === 0) return this.#slots(value);
    this.#freeKeys -= length;
    const some = someOf(length, depth);
    if (depth >= MAX_DEPTH || this.#left <= 0) return LEAF * length;
    let sum = 0;
    for (let i = 0; i < some; i++) {
      this.#left--;
      const name = names[some === length ? i : floor((i * (length - 1)) / (some - 1))]!;
      sum += name.length + this.#extent(dataOf(value, name), depth + 1);
    }
    const all = (sum * length) / some;
    if (depth === 1 && length > MAX_CHILDREN)
      this.#usual += (all - this.#usual) / (this.#usual === USUAL ? 1 : 4);
    return all;
  }

  #slots(value: object): number {
    if (this.#types.isMap(value)) return ENTRY * mapSize(value);
    return this.#types.isSet(value) ? ENTRY * setSize(value) : 1;
  }
}

/** Smaller ones are of one size. */
const SMALL_LOG = 8;
const SMALLEST = 2 ** SMALL_LOG;
const STEP_LOG = 3;

/** Order of magnitude: each is eight times the one before. */
export const sizeClass = (hint: number): number =>
  hint < SMALLEST ? 0 : floor((log2(hint) - SMALL_LOG) / STEP_LOG) + 1;
