/** Own properties of objects and arrays, read by descriptors. */
import { lengthOf } from '../../value/array-reads.ts';
import { isIndexKey } from '../../value/index-key.ts';
import { STRUCTURE } from '../flags.ts';

const { getOwnPropertyDescriptor, isExtensible, ownKeys } = Reflect;

/** Children that structured clone visits, with the facts of all own properties. */
export interface OwnProperties {
  bits: number;
  /** Property names, or indices of an array; null: every index from 0. */
  steps: readonly (string | number)[] | null;
  values: ArrayLike<unknown>;
}

/** Attributes seen so far over the own properties of one object. */
interface Attributes {
  bits: number;
  configurable: boolean;
  writable: boolean;
}

function addAttributes(descriptor: PropertyDescriptor, seen: Attributes): void {
  if (descriptor.get !== undefined || descriptor.set !== undefined) seen.bits |= STRUCTURE.accessor;
  else if (descriptor.writable === true) seen.writable = true;
  else seen.bits |= STRUCTURE['read-only'];
  if (descriptor.configurable === true) seen.configurable = true;
  else seen.bits |= STRUCTURE['non-configurable'];
  if (descriptor.enumerable !== true) seen.bits |= STRUCTURE['non-enumerable'];
}

/** Cloning runs enumerable accessors. */
function accessorBit({ enumerable, value, writable }: PropertyDescriptor): number {
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

function objectKeyBit(key: string, descriptor: PropertyDescriptor): number {
  if (key === '__proto__') return STRUCTURE['proto-key'];
  if (key === 'toJSON') return toJsonBit(descriptor);
  return isIndexKey(key) ? STRUCTURE['indexed-key'] : 0;
}

/** `value` is not a Proxy. At most `limit` properties are read. */
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
    addAttributes(descriptor, seen);
    if (typeof key === 'symbol') {
      bits |= STRUCTURE['symbol-key'];
      continue;
    }
    bits |= accessorBit(descriptor) | objectKeyBit(key, descriptor);
    if (descriptor.enumerable !== true || !('value' in descriptor)) continue;
    steps.push(key);
    values.push(descriptor.value);
  }
  return { bits: bits | seen.bits | integrity(value, seen), steps, values };
}

/**
 * An array about whose elements the engine says nothing: every own property by its descriptor.
 *
 * @param sendsHidden the engine also sends elements that are not enumerable
 */
export function propertiesOfArray(
  value: readonly unknown[],
  limit: number,
  sendsHidden: boolean,
): OwnProperties {
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
    addAttributes(descriptor, seen);
    if (typeof key === 'symbol') {
      bits |= STRUCTURE['symbol-key'];
      continue;
    }
    const index = isIndexKey(key);
    if (index) indices++;
    bits |= accessorBit(descriptor) | (index ? 0 : arrayNameBits(key, descriptor));
    const sent = descriptor.enumerable === true || (index && sendsHidden);
    if (!sent || !('value' in descriptor)) continue;
    if (steps.length >= limit) {
      bits |= STRUCTURE['too-many-items'];
      continue;
    }
    steps.push(index ? Number(key) : key);
    values.push(descriptor.value);
  }
  if (indices < lengthOf(value)) bits |= STRUCTURE.holes;
  return { bits: bits | seen.bits | integrity(value, seen), steps, values };
}

function arrayNameBits(key: string, descriptor: PropertyDescriptor): number {
  return STRUCTURE['named-props'] | (key === 'toJSON' ? toJsonBit(descriptor) : 0);
}
