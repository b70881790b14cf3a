/**
 * A live value as data, for a recording that keeps values. It runs inside the recorded program: no getter, no trap and no
 * `toJSON` of the program's is called, arrays are read by descriptors.
 */
import type { ValueTree } from '../../model/recording/value-tree.ts';
import type { Kind } from '../../model/rules/shape.ts';
import { isKeyName, MOST_NAMES, maskedKey, maskedText } from '../masked-text.ts';
import { classNameOf } from '../value/built-in-names.ts';
import { callOn, MAP, type Method, methodOf, SET, viewRange, viewType } from '../value/intrinsics.ts';
import { ownData } from '../value/own-data.ts';

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
const DEEPEST = 200;
/** Of a number, a reference, a hole; of the braces of a container. */
const USUAL_BYTES = 8;

const { getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
/** As they were when this was loaded: the program may put others into their place. */
const Bytes = Uint8Array;
const dateTime = methodOf(Date.prototype, 'getTime')!;
const BOXED: Readonly<Record<string, Method>> = {
  Number: methodOf(Number.prototype, 'valueOf')!,
  String: methodOf(String.prototype, 'valueOf')!,
  Boolean: methodOf(Boolean.prototype, 'valueOf')!,
  BigInt: methodOf(BigInt.prototype, 'valueOf')!,
};
const source = getOwnPropertyDescriptor(RegExp.prototype, 'source')!.get as Method;
const FLAGS = [
  'hasIndices',
  'global',
  'ignoreCase',
  'multiline',
  'dotAll',
  'unicode',
  'unicodeSets',
  'sticky',
];
const LETTERS = 'dgimsuvy';

/** Never throws, and never runs code of the value's owner. What cannot be kept is `{ left }`, with the reason. */
export function valueTree(value: unknown, options: ValueTreeOptions): ValueTree {
  return new TreeWriter(options).any(value, 0);
}

class TreeWriter {
  readonly #options: ValueTreeOptions;
  readonly #met = new Map<object, number>();
  #left: number;

  constructor(options: ValueTreeOptions) {
    this.#options = options;
    this.#left = options.maxBytes;
  }

  any(value: unknown, depth: number): ValueTree {
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'number':
        return this.#number(value);
      case 'bigint':
        return this.#spend(USUAL_BYTES) ? { bigint: String(value) } : TOO_LARGE;
      case 'undefined':
        return { undefined: true };
      case 'object':
        return value === null ? null : this.#object(value, depth);
      case 'boolean':
        return value;
      default:
        return { left: typeof value };
    }
  }

  #spend(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0;
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
    if (depth > DEEPEST) return { left: 'too deep' };
    if (!this.#spend(USUAL_BYTES)) return TOO_LARGE;
    const { kind, tag } = Array.isArray(value) ? { kind: 'array' as const } : types.of(value);
    const known = this.#met.size;
    this.#met.set(value, known);
    const tree = this.#of(kind, tag, value, depth);
    // Only what is kept counts as met; nothing was met inside of what is not.
    if (isLeft(tree)) this.#met.delete(value);
    return tree;
  }

  #of(kind: Kind, tag: string | undefined, value: object, depth: number): ValueTree {
    switch (kind) {
      case 'object':
        return this.#properties(value, depth);
      case 'array':
        return this.#array(value as unknown[], depth);
      case 'date': {
        const time = callOn(dateTime, value) as number;
        return { date: time - time === 0 ? time : null };
      }
      case 'regexp':
        return { regexp: [this.#options.mask ? 'x' : String(callOn(source, value)), flagsOf(value)] };
      case 'map': {
        const entries: [ValueTree, ValueTree][] = [];
        callOn(MAP.forEach, value, (inner: unknown, key: unknown) => {
          entries.push([this.any(key, depth + 1), this.any(inner, depth + 1)]);
        });
        return { map: entries };
      }
      case 'set': {
        const members: ValueTree[] = [];
        callOn(SET.forEach, value, (member: unknown) => members.push(this.any(member, depth + 1)));
        return { set: members };
      }
      case 'error':
        return this.#error(value);
      case 'boxed': {
        const method = BOXED[tag ?? ''];
        return method === undefined
          ? { left: 'symbol' }
          : { boxed: this.any(callOn(method, value), depth + 1) };
      }
      default:
        return this.#memory(kind, tag, value);
    }
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
    return this.#options.mask && (count > MOST_NAMES || !isKeyName(key)) ? maskedKey(key, index) : key;
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
    let name: string | undefined;
    for (let at: object | null = value; at !== null && name === undefined; at = getPrototypeOf(at)) {
      if (this.#options.types.isProxy(at)) break;
      name = classNameOf(at, (one) => this.#options.types.isProxy(one));
    }
    const message = ownData(value, 'message');
    const said = typeof message === 'string' && this.#spend(2 * message.length) ? this.#shown(message) : '';
    return { error: [name ?? 'Error', said] };
  }

  #memory(kind: Kind, tag: string | undefined, value: object): ValueTree {
    if (kind === 'arraybuffer' || kind === 'sharedarraybuffer') {
      const buffer = this.#bytes(value as ArrayBuffer, 0, null);
      if (buffer === null) return TOO_LARGE;
      return kind === 'arraybuffer' ? { buffer } : { buffer, shared: true };
    }
    if (kind !== 'typedarray' && kind !== 'dataview') return { left: tag ?? kind };
    try {
      const { buffer, offset, bytes } = viewRange(value);
      const view = this.#bytes(buffer, offset, bytes);
      if (view === null) return TOO_LARGE;
      const isBuffer = this.#options.types.isNodeBuffer?.(value) === true;
      const type = isBuffer ? 'Buffer' : viewType(value as ArrayBufferView);
      return { view, type, backing: new Bytes(buffer).length, offset };
    } catch {
      return { left: 'a view that is out of bounds' };
    }
  }

  /** Base64; null where it is too large. A detached buffer has no bytes. */
  #bytes(buffer: ArrayBufferLike, offset: number, bytes: number | null): string | null {
    let all: Uint8Array;
    try {
      all = bytes === null ? new Bytes(buffer) : new Bytes(buffer, offset, bytes);
    } catch {
      return '';
    }
    if (!this.#spend(2 * all.length)) return null;
    return base64Of(this.#options.mask ? new Bytes(all.length) : all);
  }
}

const TOO_LARGE: ValueTree = { left: 'too large' };

const isLeft = (tree: ValueTree): boolean => typeof tree === 'object' && tree !== null && 'left' in tree;

/** By slots: the getter `flags` asks properties that the program may have changed. */
function flagsOf(value: object): string {
  let flags = '';
  for (let i = 0; i < FLAGS.length; i++) {
    const getter = FLAG_GETTERS[i];
    if (getter !== undefined && callOn(getter, value) === true) flags += LETTERS[i]!;
  }
  return flags;
}

const FLAG_GETTERS: readonly (Method | undefined)[] = FLAGS.map(
  (name) => getOwnPropertyDescriptor(RegExp.prototype, name)?.get as Method | undefined,
);

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Without functions of the platform, which the program may have replaced. */
export function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const three = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    text += DIGITS[three >> 18]! + DIGITS[(three >> 12) & 63]!;
    text += i + 1 < bytes.length ? DIGITS[(three >> 6) & 63]! : '=';
    text += i + 2 < bytes.length ? DIGITS[three & 63]! : '=';
  }
  return text;
}
