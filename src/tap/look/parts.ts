/**
 * What of a message equals the one before: hashes of its parts, in memory only. Read after the message was posted, because to
 * read a rope would flatten it.
 */
import { isKeyName } from '../../core/masking.ts';
import { keyText } from '../../core/paths.ts';
import { MAX_NAMED_KEYS } from '../../core/recording/values/masks.ts';
import type { ChangesSeen } from '../../model/documents/recorded/thread-file.ts';
import { orElse } from '../../model/or-else.ts';
import {
  bigintText,
  charCodeAt,
  dataOf,
  floor,
  getPrototypeOf,
  imul,
  isArray,
  keys as keysOf,
  max,
  min,
  objectPrototype,
  toText,
} from '../realm/intrinsics.ts';
import type { Part, TypeTests } from '../realm/platform.ts';

/** Values that are read, about, and at most. */
const NODES = 1000;
const MOST = 4000;
const MAX_DEPTH = 32;
/** Of longer containers some children stand for all. */
const FEW = 32;
/** Units of a text that are read; spread over longer ones. */
const UNITS = 256;
const MAX_PATHS = 8;

const mixed = (hash: number, word: number): number => {
  const next = imul(hash ^ word, 0x01000193);
  return next ^ (next >>> 15);
};

function textHash(text: string, seed: number): number {
  let hash = mixed(seed, text.length);
  const step = max(1, text.length / UNITS);
  for (let at = 0; at < text.length; at += step) hash = mixed(hash, charCodeAt(text, floor(at)));
  return hash;
}

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

function numberHash(value: number): number {
  double[0] = value;
  return mixed(mixed(5, words[0]!), words[1]!);
}

const leaf = (hash: number, weight: number): Part => ({ hash, weight, keys: null, inner: [], each: 1 });

/** Nothing equals it: a value whose content is not read. */
let others = 0;
const unread = (): Part => leaf(mixed(0x5bd1e995, ++others), 8);

class Reader {
  readonly #types: TypeTests;
  #visited = 0;

  constructor(types: TypeTests) {
    this.#types = types;
  }

  read(value: unknown, nodes: number, depth: number): Part {
    this.#visited++;
    if (typeof value === 'string') return leaf(textHash(value, 3), value.length + 2);
    if (typeof value === 'number') return leaf(numberHash(value), 6);
    if (typeof value === 'bigint') return leaf(textHash(bigintText(value), 7), 10);
    if (typeof value === 'boolean') return leaf(value ? 11 : 13, 1);
    if (value === undefined || value === null) return leaf(value === null ? 17 : 19, 1);
    return typeof value === 'object' ? this.#object(value, nodes, depth) : unread();
  }

  #object(value: object, nodes: number, depth: number): Part {
    if (this.#types.isProxy(value) || depth > MAX_DEPTH || this.#visited > MOST) return unread();
    const isList = isArray(value);
    const prototype = isList ? null : getPrototypeOf(value);
    if (prototype !== null && prototype !== objectPrototype) return unread();
    const keys = isList ? null : keysOf(value);
    return this.#children(value, keys, isList ? value.length : keys!.length, nodes, depth);
  }

  #children(value: object, keys: string[] | null, length: number, nodes: number, depth: number): Part {
    const taken = length <= FEW ? length : min(length, max(8, nodes >> 3));
    const part: Part = {
      hash: mixed(keys === null ? 23 : 29, length),
      weight: 4,
      keys: null,
      inner: [],
      each: 1,
    };
    if (taken === 0) return part;
    const names: string[] = [];
    let weight = 0;
    for (let i = 0; i < taken; i++) {
      const at = floor((i * length) / taken);
      const key = keys === null ? toText(at, 10) : keys[at]!;
      const child = this.read(dataOf(value, key), max(4, (nodes - taken) / taken), depth + 1);
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

/** What stands at a place of the message; null if it cannot be read. */
export const partsOf = (value: unknown, types: TypeTests): Part | null =>
  typeof value === 'object' && value !== null
    ? orElse(() => new Reader(types).read(value, NODES, 0), null)
    : null;

class Difference {
  changed = 0;
  readonly paths: string[] = [];

  between(before: Part, after: Part, path: string, times: number): void {
    if (before.hash === after.hash) return;
    const isSame = (before.keys === null) === (after.keys === null);
    if (!isSame || before.inner.length === 0 || after.inner.length === 0) {
      this.changed += after.weight * times;
      this.#add(path);
    } else if (after.keys === null) this.#lists(before, after, path, times);
    else this.#objects(before, after, after.keys, path, times);
  }

  #lists(before: Part, after: Part, path: string, times: number): void {
    const both = min(before.inner.length, after.inner.length);
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

/** How much of a message equals the one before, and where it differs. */
export function changesOf(before: Part, after: Part): ChangesSeen {
  const difference = new Difference();
  difference.between(before, after, '$', 1);
  const share = max(0, min(1, 1 - difference.changed / max(1, after.weight)));
  return { equal: floor(share * 1000) / 1000, paths: difference.paths };
}
