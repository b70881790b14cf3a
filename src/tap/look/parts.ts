/**
 * Finds how much of a message equals the previous one, by hashes of its parts, in memory only. They are read after the
 * message was posted, because reading a rope would flatten it.
 */
import { isKeyName } from '../../core/masking.ts';
import { keyText } from '../../core/paths.ts';
import { MAX_NAMED_KEYS } from '../../core/recording/values/masked-tree.ts';
import { callOn, DATE, MAP, SET, viewRange } from '../../core/value/intrinsics.ts';
import { readParts } from '../../core/value/spread.ts';
import type { ChangesSeen } from '../../model/documents/recorded/thread-file.ts';
import { orElse } from '../../model/or-else.ts';
import { typeDetection } from '../../probe/type-detection/type-detection.ts';
import * as kept from '../realm/intrinsics.ts';
import { types } from '../realm/platform.ts';

/** The part of a message's value that was read. */
export interface Part {
  hash: number;
  /** About its bytes. */
  weight: number;
  /** Keys of an object; null for other values. */
  keys: readonly string[] | null;
  inner: Part[];
  /** Number of children that each of `inner` stands for. */
  each: number;
  /** True for a text that is JSON: `inner` are then the parts of its value. */
  isJson?: boolean;
}

/** Values that are read, about, and at most. */
const NODES = 4000;
const MOST = 8000;
const MAX_DEPTH = 32;
/** Number of children above which some of them stand for all. */
const FEW = 32;
/** Units of a text that are read; spread over longer ones. */
const UNITS = 256;
const END_UNITS = 8;
/** Bytes of a buffer that are read: all of a short one. */
const BYTES = { most: 1 << 12, parts: 64, units: 64 };
/** Shorter texts are not looked into, and longer ones would take too long. */
const JSON_UNITS = { least: 64, most: 1 << 18 };
const MAX_PATHS = 8;

const Bytes = Uint8Array;

const mixed = (hash: number, word: number): number => {
  const next = kept.imul(hash ^ word, 0x01000193);
  return next ^ (next >>> 15);
};

function textHash(text: string, seed: number): number {
  let hash = mixed(seed, text.length);
  const step = kept.max(1, text.length / UNITS);
  for (let at = 0; at < text.length; at += step) hash = mixed(hash, kept.charCodeAt(text, kept.floor(at)));
  // A counter may stand there.
  const end = kept.max(0, text.length - END_UNITS);
  for (let at = end; at < text.length; at++) hash = mixed(hash, kept.charCodeAt(text, at));
  return hash;
}

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

function numberHash(value: number, seed = 5): number {
  double[0] = value;
  return mixed(mixed(seed, words[0]!), words[1]!);
}

function bytesHash(bytes: Uint8Array): number {
  let hash = mixed(31, bytes.length);
  readParts(bytes.length, BYTES, (from, to) => {
    for (let i = from; i < to; i++) hash = mixed(hash, bytes[i]!);
  });
  return hash;
}

const leaf = (hash: number, weight: number): Part => ({ hash, weight, keys: null, inner: [], each: 1 });

/** Nothing equals it: a value whose content is not read. */
let others = 0;
const unread = (): Part => leaf(mixed(0x5bd1e995, ++others), 8);

class Reader {
  #visited = 0;

  read(value: unknown, nodes: number, depth: number): Part {
    this.#visited++;
    if (typeof value === 'string') return this.#text(value, nodes, depth);
    if (typeof value === 'number') return leaf(numberHash(value), 6);
    if (typeof value === 'bigint') return leaf(textHash(kept.bigintText(value), 7), 10);
    if (typeof value === 'boolean') return leaf(value ? 11 : 13, 1);
    if (value === undefined || value === null) return leaf(value === null ? 17 : 19, 1);
    return typeof value === 'object' ? this.#object(value, nodes, depth) : unread();
  }

  /** A text that is JSON has the parts of its value. */
  #text(text: string, nodes: number, depth: number): Part {
    const { length } = text;
    const mayBeJson = length >= JSON_UNITS.least && length <= JSON_UNITS.most;
    const value: unknown =
      mayBeJson && (text[0] === '{' || text[0] === '[') ? orElse(() => kept.parsed(text), null) : null;
    if (value === null) return leaf(textHash(text, 3), length + 2);
    return { ...this.read(value, nodes, depth + 1), weight: length + 2, isJson: true };
  }

  #object(value: object, nodes: number, depth: number): Part {
    if (types.isProxy(value) || depth > MAX_DEPTH || this.#visited > MOST) return unread();
    if (kept.isArray(value)) return this.#children(value, null, value.length, nodes, depth);
    if (kept.isView(value) || types.isAnyArrayBuffer(value)) return buffer(value);
    const prototype = kept.getPrototypeOf(value);
    if (prototype === null || prototype === kept.objectPrototype)
      return this.#properties(value, nodes, depth);
    const { kind } = typeDetection().of(value);
    if (kind === 'object') return this.#properties(value, nodes, depth);
    if (kind === 'date') return leaf(numberHash(callOn(DATE.getTime, value) as number, 37), 9);
    if (kind !== 'map' && kind !== 'set') return unread();
    const all: unknown[] = [];
    callOn((kind === 'map' ? MAP : SET).forEach, value, (one: unknown, key: unknown) => {
      if (kind === 'map') all[all.length] = key;
      all[all.length] = one;
    });
    return this.#children(all, null, all.length, nodes, depth);
  }

  #properties(value: object, nodes: number, depth: number): Part {
    const keys = kept.keys(value);
    return this.#children(value, keys, keys.length, nodes, depth);
  }

  #children(value: object, keys: string[] | null, length: number, nodes: number, depth: number): Part {
    const taken = length <= FEW ? length : kept.min(length, kept.max(8, nodes >> 3));
    const part = leaf(mixed(keys === null ? 23 : 29, length), 4);
    if (taken === 0) return part;
    const names: string[] = [];
    let weight = 0;
    for (let i = 0; i < taken; i++) {
      const at = kept.floor((i * length) / taken);
      const key = keys === null ? kept.toText(at, 10) : keys[at]!;
      const child = this.read(kept.dataOf(value, key), kept.max(4, (nodes - taken) / taken), depth + 1);
      names[i] = key;
      part.inner[i] = child;
      part.hash = mixed(keys === null ? part.hash : textHash(key, part.hash), child.hash);
      weight += child.weight + (keys === null ? 0 : key.length + 2);
    }
    part.keys = keys === null ? null : names;
    part.each = length / taken;
    part.weight += weight * part.each;
    return part;
  }
}

/** A view counts by the bytes that it shows. A buffer without content was transferred, or is empty. */
function buffer(value: object): Part {
  const range = kept.isView(value) ? viewRange(value) : null;
  const bytes = range ? new Bytes(range.buffer, range.offset, range.bytes) : new Bytes(value as ArrayBuffer);
  return bytes.length === 0 ? unread() : leaf(bytesHash(bytes), kept.memoryBehind(value));
}

/** The values at each place of the message; null if it cannot be read. */
export const partsOf = (value: unknown): Part | null =>
  orElse(() => new Reader().read(value, NODES, 0), null);

class Difference {
  changed = 0;
  readonly paths: string[] = [];

  between(before: Part, after: Part, path: string, times: number): void {
    if (before.hash === after.hash) return;
    const isSame = (before.keys === null) === (after.keys === null) && before.isJson === after.isJson;
    if (!isSame || before.inner.length === 0 || after.inner.length === 0) {
      this.changed += after.weight * times;
      this.#add(path);
      return;
    }
    const inside = after.isJson === true ? `JSON.parse(${path})` : path;
    if (after.keys === null) this.#lists(before, after, inside, times);
    else this.#objects(before, after, after.keys, inside, times);
  }

  #lists(before: Part, after: Part, path: string, times: number): void {
    const both = kept.min(before.inner.length, after.inner.length);
    for (let i = 0; i < after.inner.length; i++) {
      if (i < both) this.between(before.inner[i]!, after.inner[i]!, `${path}[*]`, times * after.each);
      else this.changed += after.inner[i]!.weight * times * after.each;
    }
    if (before.inner.length !== after.inner.length) this.#add(`${path}[*]`);
  }

  #objects(before: Part, after: Part, keys: readonly string[], path: string, times: number): void {
    const isMap = keys.length > MAX_NAMED_KEYS || after.each > 1;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]!;
      const inner = isMap || !isKeyName(key) ? `${path}.*` : path + keyText(key);
      const known = before.keys![i] === key ? before.inner[i] : childOf(before, key);
      const child = after.inner[i]!;
      if (known !== undefined) this.between(known, child, inner, times * after.each);
      else {
        this.changed += child.weight * times * after.each;
        this.#add(inner);
      }
    }
    if (before.inner.length > after.inner.length) this.#add(path);
  }

  #add(path: string): void {
    for (let i = 0; i < this.paths.length; i++) if (this.paths[i] === path) return;
    if (this.paths.length < MAX_PATHS) this.paths[this.paths.length] = path;
  }
}

function childOf({ keys, inner }: Part, key: string): Part | undefined {
  for (let i = 0; i < keys!.length; i++) if (keys![i] === key) return inner[i];
  return undefined;
}

/** The share of a message that equals the previous one, and the paths that differ. */
export function changesOf(before: Part, after: Part): ChangesSeen {
  const difference = new Difference();
  difference.between(before, after, '$', 1);
  const share = kept.max(0, kept.min(1, 1 - difference.changed / kept.max(1, after.weight)));
  return { equal: kept.floor(share * 1000) / 1000, paths: difference.paths };
}
