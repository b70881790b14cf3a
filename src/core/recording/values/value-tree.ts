/**
 * A live value as data, for a recording that keeps values. It runs inside the recorded program: no getter, no trap and no
 * `toJSON` of the program's is called, arrays are read by descriptors.
 */
import type { ValueTree } from '../../../model/documents/recorded/value-tree.ts';
import type { Kind } from '../../../model/vocabulary/shape.ts';
import { isKeyName, MAX_NAMES, maskedKey, maskedText } from '../../masking.ts';
import { callOn, MAP, SET, unboxed } from '../../value/intrinsics.ts';
import { ownData } from '../../value/own-data.ts';
import { base64Of, dateOf, errorName, memoryOf, regexpOf, TOO_LARGE } from './value-leaves.ts';

export interface ValueTreeOptions {
  /** Types by internal slots, as `describe` has them. */
  types: {
    isProxy(value: object): boolean;
    of(value: object): { kind: Kind; tag?: string };
    isNodeBuffer?(view: object): boolean;
  };
  /** Texts, keys that are no names and bytes become others of the same size. Numbers, dates and booleans stay. */
  mask: boolean;
  /** What is beyond so many bytes, roughly, is left out. */
  maxBytes: number;
}

/** Containers are written into each other by recursion. */
const MAX_DEPTH = 200;
/** Bytes of a number, a reference, a hole; of the braces of a container. */
const USUAL_BYTES = 8;

const { getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;

/** Never throws, and never runs code of the value's owner. What cannot be kept is `{ left }`, with the reason. */
export const valueTree = (value: unknown, options: ValueTreeOptions): ValueTree =>
  new TreeWriter(options).any(value, 0);

class TreeWriter {
  readonly #options: ValueTreeOptions;
  readonly #met = new Map<object, number>();
  #left: number;

  constructor(options: ValueTreeOptions) {
    this.#options = options;
    this.#left = options.maxBytes;
  }

  any(value: unknown, depth: number): ValueTree {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'number') return this.#number(value);
    if (typeof value === 'bigint') return this.#spend(USUAL_BYTES) ? { bigint: String(value) } : TOO_LARGE;
    if (typeof value === 'undefined') return { undefined: true };
    if (value === null || typeof value === 'boolean') return value;
    return typeof value === 'object' ? this.#object(value, depth) : { left: typeof value };
  }

  #spend(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0;
  }

  /** Masked keys and members stay different, as far as their lengths allow. */
  #distinct(value: unknown, index: number, depth: number): ValueTree {
    if (typeof value !== 'string' || !this.#options.mask) return this.any(value, depth + 1);
    return this.#spend(2 * value.length + USUAL_BYTES) ? maskedKey(value, index) : TOO_LARGE;
  }

  #text(text: string): ValueTree {
    return this.#spend(2 * text.length + USUAL_BYTES) ? this.#shown(text) : TOO_LARGE;
  }

  #shown(text: string): string {
    return this.#options.mask ? maskedText(text) : text;
  }

  #number(value: number): ValueTree {
    if (!this.#spend(USUAL_BYTES)) return TOO_LARGE;
    const isJson = value - value === 0 && (value !== 0 || 1 / value > 0);
    return isJson ? value : { number: value === 0 ? '-0' : String(value) };
  }

  #object(value: object, depth: number): ValueTree {
    const before = this.#met.get(value);
    if (before !== undefined) return { same: before };
    const { types } = this.#options;
    if (types.isProxy(value)) return { left: 'proxy' };
    if (depth > MAX_DEPTH) return { left: 'too deep' };
    if (!this.#spend(USUAL_BYTES)) return TOO_LARGE;
    const { kind, tag } = Array.isArray(value) ? { kind: 'array' as const } : types.of(value);
    const known = this.#met.size;
    this.#met.set(value, known);
    const tree = this.#of(kind, tag, value, depth);
    // Only what is kept counts as met; nothing was met inside of what is not.
    if (typeof tree === 'object' && tree !== null && 'left' in tree) this.#met.delete(value);
    return tree;
  }

  #of(kind: Kind, tag: string | undefined, value: object, depth: number): ValueTree {
    if (kind === 'object') return this.#properties(value, depth);
    if (kind === 'array') return this.#array(value as unknown[], depth);
    if (kind === 'date') return dateOf(value);
    if (kind === 'regexp') return regexpOf(value, this.#options.mask);
    if (kind === 'error') return this.#error(value);
    if (kind === 'map') {
      const entries: [ValueTree, ValueTree][] = [];
      callOn(MAP.forEach, value, (inner: unknown, key: unknown) => {
        entries.push([this.#distinct(key, entries.length, depth), this.any(inner, depth + 1)]);
      });
      return { map: entries };
    }
    if (kind === 'set') {
      const members: ValueTree[] = [];
      const add = (member: unknown) => members.push(this.#distinct(member, members.length, depth));
      callOn(SET.forEach, value, add);
      return { set: members };
    }
    if (kind !== 'boxed') return this.#memory(kind, tag, value);
    const inner = unboxed(value);
    return typeof inner === 'symbol' ? { left: 'symbol' } : { boxed: this.any(inner, depth + 1) };
  }

  #properties(value: object, depth: number): ValueTree {
    const object: [string, ValueTree][] = [];
    const keys = ownKeys(value);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]!;
      if (typeof key === 'symbol') continue;
      const found = getOwnPropertyDescriptor(value, key)!;
      if (found.enumerable !== true) continue;
      if (!this.#spend(2 * key.length)) break;
      const inner = 'value' in found ? this.any(found.value, depth + 1) : { left: 'accessor' };
      object.push([this.#key(key, i, keys.length), inner]);
    }
    const prototype = getPrototypeOf(value);
    if (prototype === null) return { object, prototype: 'null' };
    return prototype === Object.prototype ? { object } : { object, prototype: 'other' };
  }

  #key(key: string, index: number, count: number): string {
    return this.#options.mask && (count > MAX_NAMES || !isKeyName(key)) ? maskedKey(key, index) : key;
  }

  #array(value: unknown[], depth: number): ValueTree {
    const length = ownData(value, 'length') as number;
    if (!this.#spend(length)) return TOO_LARGE;
    const array: ValueTree[] = [];
    const holes: number[] = [];
    for (let i = 0; i < length; i++) {
      const found = getOwnPropertyDescriptor(value, i);
      if (found === undefined) holes.push(i);
      const inner = found === undefined || 'value' in found ? found?.value : null;
      array.push(found === undefined ? null : this.any(inner, depth + 1));
    }
    return holes.length > 0 ? { array, holes } : { array };
  }

  #error(value: object): ValueTree {
    const message = ownData(value, 'message');
    const said = typeof message === 'string' && this.#spend(2 * message.length) ? this.#shown(message) : '';
    return { error: [errorName(value, this.#options.types.isProxy), said] };
  }

  #memory(kind: Kind, tag: string | undefined, value: object): ValueTree {
    const { types, mask } = this.#options;
    const isBuffer = kind === 'typedarray' && types.isNodeBuffer?.(value) === true;
    const keep = (bytes: Uint8Array) =>
      this.#spend(2 * bytes.length) ? base64Of(mask ? new Uint8Array(bytes.length) : bytes) : null;
    return memoryOf(kind, value, isBuffer, keep) ?? { left: tag ?? kind };
  }
}
