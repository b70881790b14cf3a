/**
 * What a message costs in memory when Bun takes its fast path: the formulas of SerializedScriptValue::memoryCost
 * (Bun 1.2.21 to 1.4.5). The serializer costs the bytes of its wire instead, so that the cost tells which was taken.
 */

import type { PathName } from '../../model/names.ts';
import { typeDetection } from '../type-detection/type-detection.ts';

/** Bytes of a string as stored. */
export type Width = (text: string) => number;

export interface FastPathCost {
  /** Paths and their costs in bytes: an array of numbers is one of two, by how it is stored. */
  costs: { paths: readonly PathName[]; bytes: number }[];
  /** Number of properties of a flat object; -1 for others. */
  keys: number;
  onlyNumbers: boolean;
}

const PROPERTY_BYTES = 24;
const ELEMENT_BYTES = 16;
const NUMBER_BYTES = 8;

const BEYOND_LATIN1 = /[\u0100-\uffff]/;

/** A string of Latin-1 text is one byte a unit, unless it is a piece of a wider one. */
export const widthByContent: Width = (text) => (BEYOND_LATIN1.test(text) ? 2 * text.length : text.length);

function scalarBytes(value: unknown, width: Width): number | null {
  if (typeof value === 'string') return width(value);
  const inline = value === null || ['undefined', 'boolean', 'number'].includes(typeof value);
  return inline ? 0 : null;
}

/** Null for what is no flat object: the fast path takes strings and unboxed primitives as values, nothing else. */
export function flatBytes(value: object, width: Width): number | null {
  if (Array.isArray(value) || typeDetection.of(value).kind !== 'object') return null;
  let bytes = 0;
  for (const key of Object.keys(value)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(value, key)!;
    const own = 'value' in descriptor ? scalarBytes(descriptor.value, width) : null;
    if (own === null) return null;
    bytes += PROPERTY_BYTES + widthByContent(key) + own;
  }
  return bytes;
}

function elementBytes(value: unknown, width: Width): number | null {
  if (typeof value !== 'object' || value === null) return scalarBytes(value, width);
  return typeDetection.isProxy(value) ? null : flatBytes(value, width);
}

function arrayForm(value: readonly unknown[], width: Width): FastPathCost | null {
  let bytes = 0;
  let onlyNumbers = true;
  let objects = false;
  for (let i = 0; i < value.length; i++) {
    const element = Reflect.getOwnPropertyDescriptor(value, i)?.value as unknown;
    const own = elementBytes(element, width);
    if (own === null) return null;
    bytes += ELEMENT_BYTES + own;
    if (typeof element !== 'number') onlyNumbers = false;
    if (typeof element === 'object' && element !== null) objects = true;
  }
  const costs: FastPathCost['costs'] = [{ paths: [objects ? 'dense-array' : 'simple-array'], bytes }];
  if (onlyNumbers)
    costs.unshift({ paths: ['int32-array', 'double-array'], bytes: NUMBER_BYTES * value.length });
  return { costs, keys: -1, onlyNumbers };
}

/** What the value would cost on a fast path; null when its form has none. Runs nothing of the user's. */
export function fastForm(value: unknown, width: Width): FastPathCost | null {
  if (typeof value === 'string')
    return {
      costs: [{ paths: ['string-shared', 'string-copied'], bytes: width(value) }],
      keys: -1,
      onlyNumbers: false,
    };
  if (typeof value !== 'object' || value === null || typeDetection.isProxy(value)) return null;
  if (Array.isArray(value)) return arrayForm(value, width);
  const bytes = flatBytes(value, width);
  if (bytes === null) return null;
  return {
    costs: [{ paths: ['simple-object'], bytes }],
    keys: Object.keys(value).length,
    onlyNumbers: false,
  };
}
