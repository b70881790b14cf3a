/**
 * Size of a value as V8's serializer has it (src/objects/value-serializer.cc, version 15), and a hash of its content. A page
 * cannot serialize; nothing of the value's is run. null for what it does not know, and beyond `MAX_BYTES`.
 */
import { callOn, MAP, SET, viewRange } from '../../core/value/intrinsics.ts';
import {
  byteLength,
  charCodeAt,
  dataOf,
  getOwnPropertyDescriptor,
  hasOwn,
  isArray,
  isView,
  keys,
} from '../realm/intrinsics.ts';
import type { TypeTests } from '../realm/platform.ts';
import { ContentHash } from '../records/hash.ts';
import { indexOf, isPlain, isSmall, varint } from './wire-format.ts';

/** More is not read. */
const MAX_BYTES = 1 << 18;
const MAX_DEPTH = 64;
const HEADER_BYTES = 2;
const TAG = 1;
const DOUBLE = TAG + 8;

const UNKNOWN = Symbol();
const Bytes = Uint8Array;

class Sizer {
  readonly #types: TypeTests;
  readonly #hash: ContentHash;
  /** Order in which objects were met. */
  readonly #ids = new Map<object, number>();
  bytes = HEADER_BYTES;

  constructor(types: TypeTests, hash: ContentHash) {
    this.#types = types;
    this.#hash = hash;
  }

  #add(bytes: number): void {
    this.bytes += bytes;
    this.#hash.add(bytes);
    if (this.bytes > MAX_BYTES) throw UNKNOWN;
  }

  write(value: unknown, depth: number): void {
    if (typeof value === 'string') this.#text(value);
    else if (typeof value === 'number') this.#number(value, false);
    else if (typeof value === 'object' && value !== null) this.#object(value, depth);
    else if (value === undefined || value === null || typeof value === 'boolean') {
      this.#add(TAG);
      this.#hash.add(value === undefined ? 1 : value === null ? 2 : value ? 3 : 4);
    } else throw UNKNOWN;
  }

  /** @param asDouble as its array has all its numbers */
  #number(value: number, asDouble: boolean): void {
    const small = isSmall(value) && !asDouble;
    this.#add(small ? TAG + varint(value < 0 ? -2 * value - 1 : 2 * value) : DOUBLE);
    this.#hash.number(value);
  }

  #text(text: string): void {
    if (text.length > MAX_BYTES) throw UNKNOWN;
    let all = 0;
    for (let i = 0; i < text.length; i++) {
      const unit = charCodeAt(text, i);
      all |= unit;
      this.#hash.add(unit);
    }
    const bytes = all > 255 ? text.length * 2 : text.length;
    const head = TAG + varint(bytes);
    // Units of two bytes are aligned.
    this.#add(head + bytes + (all > 255 ? (this.bytes + head) % 2 : 0));
  }

  #object(value: object, depth: number): void {
    const known = this.#ids.get(value);
    if (known !== undefined) {
      this.#add(TAG + varint(known));
      return;
    }
    if (depth > MAX_DEPTH || this.#types.isProxy(value)) throw UNKNOWN;
    if (isView(value)) {
      this.#view(value);
      return;
    }
    this.#ids.set(value, this.#ids.size);
    if (isArray(value)) this.#array(value, depth + 1);
    else if (this.#types.isAnyArrayBuffer(value)) this.#buffer(value);
    else if (this.#types.isMap(value)) this.#collection(MAP, value, 2, depth + 1);
    else if (this.#types.isSet(value)) this.#collection(SET, value, 1, depth + 1);
    else this.#plain(value, depth + 1);
  }

  #array(value: unknown[], depth: number): void {
    const { length } = value;
    if (length > MAX_BYTES || keys(value).length !== length) throw UNKNOWN;
    const doubles = this.#hasDoubles(value);
    this.#add(TAG + varint(length));
    for (let i = 0; i < length; i++) {
      const item = this.#property(value, i);
      if (doubles) this.#number(item as number, true);
      else this.write(item, depth);
    }
    this.#add(TAG + varint(0) + varint(length));
  }

  /** All are numbers, and one of them is no small integer: the array keeps doubles. */
  #hasDoubles(value: unknown[]): boolean {
    let found = false;
    for (let i = 0; i < value.length; i++) {
      const item = dataOf(value, i);
      if (typeof item !== 'number') return false;
      found ||= !isSmall(item);
    }
    return found;
  }

  /** @throws for an accessor */
  #property(owner: object, key: PropertyKey): unknown {
    const found = getOwnPropertyDescriptor(owner, key);
    if (found === undefined || !hasOwn(found, 'value')) throw UNKNOWN;
    return found.value;
  }

  #plain(value: object, depth: number): void {
    if (!isPlain(value)) throw UNKNOWN;
    const names = keys(value);
    this.#add(TAG);
    for (let i = 0; i < names.length; i++) {
      this.write(indexOf(names[i]!) ?? names[i]!, depth);
      this.write(this.#property(value, names[i]!), depth);
    }
    this.#add(TAG + varint(names.length));
  }

  #collection({ forEach, size }: typeof SET, collection: object, parts: 1 | 2, depth: number): void {
    this.#add(TAG);
    callOn(forEach, collection, (value: unknown, key: unknown) => {
      if (parts === 2) this.write(key, depth);
      this.write(value, depth);
    });
    this.#add(TAG + varint(parts * (callOn(size, collection) as number)));
  }

  #buffer(buffer: object): void {
    const bytes = byteLength(buffer);
    this.#add(TAG + varint(bytes) + bytes);
    this.#hash.bytes(new Bytes(buffer as ArrayBuffer));
  }

  /** Behind the whole buffer: tag, kind, offset, length, flags. */
  #view(view: object): void {
    const { buffer, offset, bytes } = viewRange(view);
    if (!this.#ids.has(buffer)) this.#object(buffer, 0);
    else this.#add(TAG + varint(this.#ids.get(buffer)!));
    this.#ids.set(view, this.#ids.size);
    this.#add(TAG + 1 + varint(offset) + varint(bytes) + 1);
  }
}

export function serializedSize(value: unknown, types: TypeTests, salt: string) {
  const hash = new ContentHash(salt);
  const sizer = new Sizer(types, hash);
  try {
    sizer.write(value, 0);
  } catch {
    return null;
  }
  return { bytes: sizer.bytes, content: hash.text };
}
