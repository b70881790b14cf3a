/** Reads own properties of objects and arrays by their descriptors. */
import { readLength } from '../../value/array-reads.ts';
import { isIndexKey } from '../../value/own-data.ts';
import { spreadShare } from '../../value/spread.ts';
import { STRUCTURE } from './flags.ts';

const { getOwnPropertyDescriptor, isExtensible, ownKeys } = Reflect;

/** Children that structured clone visits, with the facts of all own properties. */
export interface OwnProperties {
  bits: number;
  /** Property names, or indices of an array. If null, they are all indices from 0. */
  steps: readonly (string | number)[] | null;
  values: ArrayLike<unknown>;
}

/** Attributes seen so far on the own properties of one object. */
type Attributes = { bits: number; configurable: boolean; writable: boolean };

function addAttributes(descriptor: PropertyDescriptor, seen: Attributes): void {
  if (descriptor.get !== undefined || descriptor.set !== undefined) seen.bits |= STRUCTURE.accessor;
  else if (descriptor.writable === true) seen.writable = true;
  else seen.bits |= STRUCTURE['read-only'];
  if (descriptor.configurable === true) seen.configurable = true;
  else seen.bits |= STRUCTURE['non-configurable'];
}

/** Flags of a property that is sent: cloning runs an accessor, and restrictions of the property do not arrive. */
function sentBit({ enumerable, configurable, writable, value }: PropertyDescriptor, sealed: boolean): number {
  if (value === undefined && writable === undefined) return STRUCTURE['enumerable-accessor'];
  const fixed = writable !== true || enumerable !== true || (configurable !== true && !sealed);
  return fixed ? STRUCTURE['sent-fixed'] : 0;
}

/** Implements TestIntegrityLevel of the specification, for the attributes of all own properties. */
function integrity(value: object, seen: Attributes): number {
  if (isExtensible(value)) return 0;
  let bits = STRUCTURE['non-extensible'];
  if (!seen.configurable) bits |= STRUCTURE.sealed;
  if (!seen.configurable && !seen.writable) bits |= STRUCTURE.frozen;
  return bits;
}

/** Returns all bits of an object. `frozen` implies that the properties are fixed, so that flag is omitted. */
function withIntegrity(value: object, seen: Attributes, bits: number): number {
  const all = bits | seen.bits | integrity(value, seen);
  return (all & STRUCTURE.frozen) === 0 ? all : all & ~STRUCTURE['sent-fixed'];
}

/** Returns the bits of an object whose own properties are not sent. */
export function integrityBits(value: object): number {
  if (isExtensible(value)) return 0;
  return integrity(value, {
    bits: 0,
    configurable: !Object.isSealed(value),
    writable: !Object.isFrozen(value),
  });
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

/** Selects one of the indices from `from` up to the next stride. */
const spreadAt = (from: number, stride: number, length: number): number =>
  stride === 1 ? from : Math.min(length - 1, from + Math.floor(spreadShare(from / stride) * stride));

/** Reads at most `limit` properties, spread over all. `value` must not be a Proxy. */
export function propertiesOfObject(
  value: object,
  limit: number,
): OwnProperties & { steps: string[]; all: number } {
  const keys = ownKeys(value);
  const seen: Attributes = { bits: 0, configurable: false, writable: false };
  const sealed = !isExtensible(value) && Object.isSealed(value);
  const steps: string[] = [];
  const values: unknown[] = [];
  let bits = keys.length === 0 ? STRUCTURE.empty : 0;
  const stride = Math.max(1, Math.ceil(keys.length / limit));
  for (let from = 0; from < keys.length; from += stride) {
    const key = keys[spreadAt(from, stride, keys.length)]!;
    const descriptor = getOwnPropertyDescriptor(value, key);
    // Chromium lists keys of computed styles that do not exist.
    if (descriptor === undefined) continue;
    addAttributes(descriptor, seen);
    if (descriptor.enumerable !== true) bits |= STRUCTURE['non-enumerable'];
    if (typeof key === 'symbol') {
      bits |= STRUCTURE['symbol-key'];
      continue;
    }
    bits |= objectKeyBit(key, descriptor);
    if (descriptor.enumerable !== true) continue;
    bits |= sentBit(descriptor, sealed);
    if (!('value' in descriptor)) continue;
    steps.push(key);
    values.push(descriptor.value);
  }
  const all = stride > 1 ? keys.length : steps.length;
  return { bits: withIntegrity(value, seen, bits), steps, values, all };
}

/**
 * Reads every own property of an array by its descriptor, because the engine does not reveal facts about its elements.
 *
 * @param sendsHidden the engine also sends elements that are not enumerable
 */
export function propertiesOfArray(value: readonly unknown[], sendsHidden: boolean): OwnProperties {
  const writable = getOwnPropertyDescriptor(value, 'length')!.writable === true;
  const seen: Attributes = { bits: 0, configurable: false, writable };
  const sealed = !isExtensible(value) && Object.isSealed(value);
  const steps: (string | number)[] = [];
  const values: unknown[] = [];
  let bits = writable ? 0 : STRUCTURE['read-only'] | STRUCTURE['sent-fixed'];
  let indices = 0;
  // Indices come first (OrdinaryOwnPropertyKeys), then names.
  for (const key of ownKeys(value)) {
    if (key === 'length') continue;
    const descriptor = getOwnPropertyDescriptor(value, key)!;
    addAttributes(descriptor, seen);
    if (typeof key === 'symbol') {
      bits |= STRUCTURE['symbol-key'];
      continue;
    }
    const index = isIndexKey(key);
    if (index) indices++;
    else bits |= STRUCTURE['named-props'] | (key === 'toJSON' ? toJsonBit(descriptor) : 0);
    if (descriptor.enumerable !== true && !(index && sendsHidden)) {
      bits |= STRUCTURE['non-enumerable'];
      continue;
    }
    bits |= sentBit(descriptor, sealed);
    if (!('value' in descriptor)) continue;
    steps.push(index ? Number(key) : key);
    values.push(descriptor.value);
  }
  if (indices < readLength(value)) bits |= STRUCTURE.holes;
  return { bits: withIntegrity(value, seen, bits), steps, values };
}

/**
 * Reads some elements of a long array, spread over it, by their descriptors. Other properties are not checked, because
 * the engine would list all keys.
 *
 * @param stride distance between two elements that are read
 */
export function sampledElements(value: readonly unknown[], stride: number): OwnProperties {
  const length = readLength(value);
  const seen: Attributes = { bits: 0, configurable: false, writable: true };
  const steps: number[] = [];
  const values: unknown[] = [];
  let bits = 0;
  for (let from = 0; from < length; from += stride) {
    const index = spreadAt(from, stride, length);
    const descriptor = getOwnPropertyDescriptor(value, index);
    if (descriptor === undefined) {
      bits |= STRUCTURE.holes;
      continue;
    }
    addAttributes(descriptor, seen);
    bits |= sentBit(descriptor, false);
    if (!('value' in descriptor)) continue;
    steps.push(index);
    values.push(descriptor.value);
  }
  return { bits: withIntegrity(value, seen, bits), steps, values };
}
