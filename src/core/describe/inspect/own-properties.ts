/** Own properties of objects and arrays, read by descriptors. */
import { isIndexKey } from '../../index-key.ts';
import { STRUCTURE } from '../flags.ts';
import type { ElementFacts } from '../probe.ts';

const { getOwnPropertyDescriptor, isExtensible, ownKeys } = Reflect;

/** Children that structured clone sees, with the facts of all own properties. */
export interface OwnProperties {
  bits: number;
  /** Property names, or indices of an array; null: every index from 0. */
  steps: readonly (string | number)[] | null;
  values: readonly unknown[];
}

/** Attributes seen so far over the own properties of one object. */
interface Attributes {
  bits: number;
  configurable: boolean;
  writable: boolean;
}

function attributesOf(descriptor: PropertyDescriptor, seen: Attributes): void {
  if (descriptor.get !== undefined || descriptor.set !== undefined) seen.bits |= STRUCTURE.accessor;
  else if (descriptor.writable === true) seen.writable = true;
  else seen.bits |= STRUCTURE['read-only'];
  if (descriptor.configurable === true) seen.configurable = true;
  else seen.bits |= STRUCTURE['non-configurable'];
  if (descriptor.enumerable !== true) seen.bits |= STRUCTURE['non-enumerable'];
}

/** Whether cloning asks an accessor for a value. */
function runs({ enumerable, value, writable }: PropertyDescriptor): number {
  const accessor = value === undefined && writable === undefined;
  return accessor && enumerable === true ? STRUCTURE['enumerable-accessor'] : 0;
}

/** Spec TestIntegrityLevel, over the attributes of all own properties. */
function integrity(value: object, seen: Attributes): number {
  if (isExtensible(value)) return 0;
  let bits = STRUCTURE['non-extensible'];
  if (!seen.configurable) bits |= STRUCTURE.sealed;
  if (!seen.configurable && !seen.writable) bits |= STRUCTURE.frozen;
  return bits;
}

function toJsonBit(descriptor: PropertyDescriptor): number {
  const called = descriptor.get !== undefined || typeof descriptor.value === 'function';
  return called ? STRUCTURE['to-json'] : 0;
}

/** `value` is no Proxy. At most `limit` properties are looked at. */
export function propertiesOfObject(value: object, limit: number): OwnProperties & { steps: string[] } {
  const keys = ownKeys(value);
  const seen: Attributes = { bits: 0, configurable: false, writable: false };
  const steps: string[] = [];
  const values: unknown[] = [];
  let bits = keys.length === 0 ? STRUCTURE.empty : 0;
  if (keys.length > limit) bits |= STRUCTURE['too-many-keys'];
  for (let i = 0; i < keys.length && i < limit; i++) {
    const key = keys[i]!;
    const descriptor = getOwnPropertyDescriptor(value, key)!;
    attributesOf(descriptor, seen);
    if (typeof key === 'symbol') {
      bits |= STRUCTURE['symbol-key'];
      continue;
    }
    bits |= runs(descriptor);
    if (key === '__proto__') bits |= STRUCTURE['proto-key'];
    else if (key === 'toJSON') bits |= toJsonBit(descriptor);
    else if (isIndexKey(key)) bits |= STRUCTURE['indexed-key'];
    if (descriptor.enumerable !== true || !('value' in descriptor)) continue;
    steps.push(key);
    values.push(descriptor.value);
  }
  return { bits: bits | seen.bits | integrity(value, seen), steps, values };
}

/**
 * An array about whose elements the engine says nothing: every own property by its descriptor.
 *
 * @param sendsHidden the engine sends elements that are not enumerable, too
 */
export function propertiesOfArray(
  value: readonly unknown[],
  limit: number,
  sendsHidden: boolean,
): OwnProperties & { indices: number } {
  const seen: Attributes = { bits: 0, configurable: false, writable: false };
  const steps: (string | number)[] = [];
  const values: unknown[] = [];
  let bits = 0;
  let indices = 0;
  // Indices come first (OrdinaryOwnPropertyKeys), names after them.
  for (const key of ownKeys(value)) {
    const descriptor = getOwnPropertyDescriptor(value, key)!;
    if (key === 'length') {
      if (descriptor.writable !== true) bits |= STRUCTURE['read-only'];
      else seen.writable = true;
      continue;
    }
    attributesOf(descriptor, seen);
    if (typeof key === 'symbol') {
      bits |= STRUCTURE['symbol-key'];
      continue;
    }
    const index = isIndexKey(key);
    if (index) indices++;
    bits |= runs(descriptor) | (index ? 0 : namedBits(key, descriptor));
    const sent = descriptor.enumerable === true || (index && sendsHidden);
    if (!sent || !('value' in descriptor)) continue;
    if (steps.length >= limit) {
      bits |= STRUCTURE['too-many-items'];
      continue;
    }
    steps.push(index ? Number(key) : key);
    values.push(descriptor.value);
  }
  if (indices < value.length) bits |= STRUCTURE.holes;
  return { bits: bits | seen.bits | integrity(value, seen), steps, values, indices };
}

function namedBits(key: string, descriptor: PropertyDescriptor): number {
  return STRUCTURE['named-props'] | (key === 'toJSON' ? toJsonBit(descriptor) : 0);
}

/** An array whose elements the engine vouches for (Storage.elements): plain reads. */
export function elementsOfArray(value: readonly unknown[], packed: boolean, limit: number): OwnProperties {
  if (packed)
    return value.length > limit
      ? { bits: STRUCTURE['too-many-items'], steps: null, values: value.slice(0, limit) }
      : { bits: 0, steps: null, values: value };
  const steps: number[] = [];
  const values: unknown[] = [];
  let bits = 0;
  for (let i = 0; i < value.length; i++) {
    const element = value[i];
    if (element === undefined && !Object.hasOwn(value, i)) bits |= STRUCTURE.holes;
    else if (steps.length < limit) {
      steps.push(i);
      values.push(element);
    } else bits |= STRUCTURE['too-many-items'];
  }
  return { bits, steps, values };
}

/** What the elements are, as far as storage depends on it. */
export function contentOf({ bits, steps, values }: OwnProperties, length: number): ElementFacts {
  const count = elementCount(steps, values.length);
  const facts: ElementFacts = {
    length,
    holes: (bits & STRUCTURE.holes) !== 0,
    content: count === 0 ? 'none' : 'int32',
    nan: false,
    observed: bits,
    untouched: 0,
  };
  for (let i = 0; i < count; i++) {
    const element = values[i];
    if (typeof element !== 'number') return { ...facts, content: 'mixed' };
    if (Number.isNaN(element)) facts.nan = true;
    if (element !== (element | 0) || (element === 0 && 1 / element < 0)) facts.content = 'double';
  }
  return facts;
}

/** Values before the first that has a name. */
export function elementCount(steps: OwnProperties['steps'], all: number): number {
  let count = all;
  while (steps !== null && count > 0 && typeof steps[count - 1] === 'string') count--;
  return count;
}

/** A hole reads through to the prototype: then something of the user's may be found, or wait, there. */
export function prototypesHaveIndices(): boolean {
  return [Array.prototype, Object.prototype].some((p) =>
    Reflect.ownKeys(p).some((key) => typeof key === 'string' && isIndexKey(key)),
  );
}
