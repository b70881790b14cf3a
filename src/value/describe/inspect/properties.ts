/** Facts of a value's prototype and own properties, read by descriptors. */

import { builtInName, type TypeDetection } from '../../read/built-in-types.ts';
import { readLength } from '../../read/intrinsics.ts';
import { hasToJson, isIndexKey, onChain } from '../../read/own-data.ts';
import { platformClassFrom } from '../../read/platform-class.ts';
import { spreadShare } from '../../read/spread.ts';
import { STRUCTURE } from './flags.ts';

interface PrototypeFacts {
  /** STRUCTURE bits: class-instance or subclass, null-prototype, other-realm, to-json. */
  bits: number;
  name?: string;
}

const { getOwnPropertyDescriptor, getPrototypeOf, isExtensible, ownKeys } = Reflect;

type Derived = 'class-instance' | 'subclass';

/** Caches results by prototype: no user code runs during a walk, so they do not change. */
export class Prototypes {
  readonly types: TypeDetection;
  readonly #known = {
    'class-instance': new Map<object | null, PrototypeFacts>(),
    subclass: new Map<object | null, PrototypeFacts>(),
  };

  constructor(types: TypeDetection) {
    this.types = types;
  }

  /** Requires that `value` is not a Proxy. */
  of(value: object, derived: Derived): PrototypeFacts {
    const prototype = getPrototypeOf(value);
    const known = this.#known[derived].get(prototype);
    if (known !== undefined) return known;
    const facts = this.#inspect(prototype, derived);
    this.#known[derived].set(prototype, facts);
    return facts;
  }

  #inspect(prototype: object | null, derived: Derived): PrototypeFacts {
    if (prototype === null) return { bits: STRUCTURE['null-prototype'] };
    if (this.types.isProxy(prototype)) return { bits: STRUCTURE[derived] };
    const toJson = this.hasToJson(prototype) ? STRUCTURE['to-json'] : 0;
    const ofArrays = derived === 'subclass';
    if (prototype === Object.prototype || prototype === Array.prototype) {
      if ((prototype === Array.prototype) === ofArrays) return { bits: toJson };
    } else if (ofArrays ? this.#isArrayPrototype(prototype) : this.#isObjectPrototype(prototype))
      return { bits: toJson | STRUCTURE['other-realm'] };
    // A subclass of a DOMException loses as much as the DOMException itself.
    const platform = platformClassFrom(prototype, this.types.isProxy);
    const name = platform?.name ?? builtInName(prototype, this.types.isProxy);
    return { bits: toJson | STRUCTURE[derived], ...(name === undefined ? {} : { name }) };
  }

  className(value: object): string | undefined {
    return onChain(getPrototypeOf(value), this.types.isProxy, (at) => builtInName(at, this.types.isProxy));
  }

  /** True for Object.prototype of any realm: it ends a chain and has an accessor that no other object has. */
  #isObjectPrototype(prototype: object): boolean {
    if (prototype === Object.prototype) return true;
    if (getPrototypeOf(prototype) !== null) return false;
    const accessor = getOwnPropertyDescriptor(prototype, '__proto__');
    return accessor?.get !== undefined && builtInName(prototype, this.types.isProxy) === 'Object';
  }

  /** Array.prototype is an array too, in every realm. */
  #isArrayPrototype(prototype: object): boolean {
    const above = Array.isArray(prototype) ? getPrototypeOf(prototype) : null;
    return above !== null && !this.types.isProxy(above) && this.#isObjectPrototype(above);
  }

  hasToJson(value: object): boolean {
    return hasToJson(value, this.types.isProxy);
  }
}

export interface OwnProperties {
  bits: number;
  /** Property names, or indices of an array. If null, they are all indices from 0. */
  steps: readonly (string | number)[] | null;
  values: ArrayLike<unknown>;
}

function attributeBits({ get, set, writable, configurable }: PropertyDescriptor): number {
  const isAccessor = get !== undefined || set !== undefined;
  const ofValue = isAccessor ? STRUCTURE.accessor : writable === true ? 0 : STRUCTURE['read-only'];
  return configurable === true ? ofValue : ofValue | STRUCTURE['non-configurable'];
}

export function integrityBits(value: object): number {
  if (isExtensible(value)) return 0;
  const sealed = Object.isSealed(value) ? STRUCTURE.sealed : 0;
  return STRUCTURE['non-extensible'] | sealed | (Object.isFrozen(value) ? STRUCTURE.frozen : 0);
}

class Sent<Step extends string | number> {
  readonly steps: Step[] = [];
  readonly values: unknown[] = [];
  bits: number;

  constructor(integrity: number) {
    this.bits = integrity;
  }

  /** Cloning runs an accessor, and restrictions of the property do not arrive. */
  add(step: Step, { enumerable, configurable, writable, value }: PropertyDescriptor): void {
    if (value === undefined && writable === undefined) {
      this.bits |= STRUCTURE['enumerable-accessor'];
      return;
    }
    const isSealed = (this.bits & STRUCTURE.sealed) !== 0;
    if (writable !== true || enumerable !== true || (configurable !== true && !isSealed))
      this.bits |= STRUCTURE['sent-fixed'];
    this.steps.push(step);
    this.values.push(value);
  }

  /** `frozen` implies that the properties are fixed, so that flag is omitted. */
  facts(): OwnProperties & { steps: Step[] } {
    const bits = (this.bits & STRUCTURE.frozen) === 0 ? this.bits : this.bits & ~STRUCTURE['sent-fixed'];
    return { bits, steps: this.steps, values: this.values };
  }
}

function toJsonBit(descriptor: PropertyDescriptor): number {
  const called = descriptor.get !== undefined || typeof descriptor.value === 'function';
  return called ? STRUCTURE['to-json'] : 0;
}

function objectKeyBit(key: string, descriptor: PropertyDescriptor): number {
  if (key === '__proto__') return STRUCTURE['proto-key'];
  if (key === 'toJSON') return toJsonBit(descriptor);
  return isIndexKey(key) ? STRUCTURE['indexed-key'] : 0;
}

const spreadAt = (from: number, stride: number, length: number): number =>
  stride === 1 ? from : Math.min(length - 1, from + Math.floor(spreadShare(from / stride) * stride));

/** Keys of a record are its shape, so more of them are read than items of a list. Beyond these it is a map. */
const RECORD_KEYS = 64;

/** Reads at most `limit` properties of a map, spread over all. `value` must not be a Proxy. */
export function propertiesOfObject(value: object, limit: number) {
  const keys = ownKeys(value);
  const sent = new Sent<string>(integrityBits(value) | (keys.length === 0 ? STRUCTURE.empty : 0));
  const stride = Math.max(1, Math.ceil(keys.length / Math.max(limit, RECORD_KEYS)));
  for (let from = 0; from < keys.length; from += stride) {
    const key = keys[spreadAt(from, stride, keys.length)]!;
    const descriptor = getOwnPropertyDescriptor(value, key);
    // Chromium lists keys of computed styles that do not exist.
    if (descriptor === undefined) continue;
    const isSent = descriptor.enumerable === true;
    sent.bits |= attributeBits(descriptor) | (isSent ? 0 : STRUCTURE['non-enumerable']);
    if (typeof key === 'symbol') sent.bits |= STRUCTURE['symbol-key'];
    else {
      sent.bits |= objectKeyBit(key, descriptor);
      if (isSent) sent.add(key, descriptor);
    }
  }
  return { ...sent.facts(), all: stride > 1 ? keys.length : sent.steps.length };
}

/** Reads descriptors. @param sendsHidden the engine also sends elements that are not enumerable */
export function propertiesOfArray(value: readonly unknown[], sendsHidden: boolean): OwnProperties {
  const writable = getOwnPropertyDescriptor(value, 'length')!.writable === true;
  const ofLength = writable ? 0 : STRUCTURE['read-only'] | STRUCTURE['sent-fixed'];
  const sent = new Sent(integrityBits(value) | ofLength);
  let indices = 0;
  // Indices come first (OrdinaryOwnPropertyKeys), then names.
  for (const key of ownKeys(value)) {
    if (key === 'length') continue;
    const descriptor = getOwnPropertyDescriptor(value, key)!;
    sent.bits |= attributeBits(descriptor);
    if (typeof key === 'symbol') {
      sent.bits |= STRUCTURE['symbol-key'];
      continue;
    }
    const index = isIndexKey(key);
    if (index) indices++;
    else sent.bits |= STRUCTURE['named-props'] | (key === 'toJSON' ? toJsonBit(descriptor) : 0);
    if (descriptor.enumerable === true || (index && sendsHidden))
      sent.add(index ? Number(key) : key, descriptor);
    else sent.bits |= STRUCTURE['non-enumerable'];
  }
  if (indices < readLength(value)) sent.bits |= STRUCTURE.holes;
  return sent.facts();
}

/** The engine would list all keys, so only some elements are read. @param stride distance between two of them */
export function sampledElements(value: readonly unknown[], stride: number): OwnProperties {
  const length = readLength(value);
  const sent = new Sent(integrityBits(value) & ~STRUCTURE.frozen);
  for (let from = 0; from < length; from += stride) {
    const index = spreadAt(from, stride, length);
    const descriptor = getOwnPropertyDescriptor(value, index);
    if (descriptor === undefined) sent.bits |= STRUCTURE.holes;
    else {
      sent.bits |= attributeBits(descriptor);
      sent.add(index, descriptor);
    }
  }
  return sent.facts();
}
