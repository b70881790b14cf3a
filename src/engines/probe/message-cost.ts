/**
 * Memory cost of a message on Bun's fast paths, by the formulas of SerializedScriptValue::memoryCost (Bun 1.2.21 to
 * 1.4.5). A serialized message costs the bytes of its wire instead, so the cost shows which path was taken.
 */

import type { PathName } from '../../model/names.ts';
import type { PathBytes } from '../../model/wire/wire.ts';
import { isLatin1 } from '../../value/describe/inspect/storage.ts';
import { readLength } from '../../value/read/intrinsics.ts';
import { flatMap, map } from '../../value/read/lists.ts';
import { ownData } from '../../value/read/own-data.ts';
import { typeDetection } from './type-detection.ts';

export type StringBytes = (text: string) => number;

/** An array of numbers has two possible costs, depending on its storage. */
type FastPathCosts = { paths: readonly PathName[]; bytes: number }[];

const PROPERTY_BYTES = 24;
const ELEMENT_BYTES = 16;
const NUMBER_BYTES = 8;

/** Longer arrays (`a[5e7] = 1`) would take longer than a guest may. */
const MAX_ELEMENTS = 10_000_000;

/** Latin-1 text takes one byte a unit, unless it is a substring of a wider string. */
export const bytesByContent: StringBytes = (text) => (isLatin1(text) ? text.length : 2 * text.length);

function scalarBytes(value: unknown, stringBytes: StringBytes): number | null {
  if (typeof value === 'string') return stringBytes(value);
  return value === null || ['undefined', 'boolean', 'number'].includes(typeof value) ? 0 : null;
}

/** null unless the object is flat: the fast path takes only strings and unboxed primitives as values. */
function flatBytes(value: object, stringBytes: StringBytes): number | null {
  if (Array.isArray(value) || typeDetection().of(value).kind !== 'object') return null;
  let bytes = 0;
  for (const key of Object.keys(value)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(value, key)!;
    const own = 'value' in descriptor ? scalarBytes(descriptor.value, stringBytes) : null;
    if (own === null) return null;
    bytes += PROPERTY_BYTES + bytesByContent(key) + own;
  }
  return bytes;
}

function arrayCosts(value: readonly unknown[], stringBytes: StringBytes): FastPathCosts | null {
  let bytes = 0;
  let onlyNumbers = true;
  let objects = false;
  const length = readLength(value);
  if (length > MAX_ELEMENTS) return null;
  for (let i = 0; i < length; i++) {
    const element = ownData(value, i);
    const isObject = typeof element === 'object' && element !== null;
    if (isObject && typeDetection().isProxy(element)) return null;
    const own = isObject ? flatBytes(element, stringBytes) : scalarBytes(element, stringBytes);
    if (own === null) return null;
    bytes += ELEMENT_BYTES + own;
    onlyNumbers &&= typeof element === 'number';
    objects ||= isObject;
  }
  const costs: FastPathCosts = [{ paths: [objects ? 'dense-array' : 'simple-array'], bytes }];
  if (onlyNumbers) costs.unshift({ paths: ['int32-array', 'double-array'], bytes: NUMBER_BYTES * length });
  return costs;
}

/** null if the value has no fast path, or is too long. Runs no user code. */
export function fastPathCosts(value: unknown, stringBytes: StringBytes): FastPathCosts | null {
  if (typeof value === 'string')
    return [{ paths: ['string-shared', 'string-copied'], bytes: stringBytes(value) }];
  if (typeof value !== 'object' || value === null || typeDetection().isProxy(value)) return null;
  if (Array.isArray(value)) return arrayCosts(value, stringBytes);
  const bytes = flatBytes(value, stringBytes);
  return bytes === null ? null : [{ paths: ['simple-object'], bytes }];
}

/** Bytes on each fast path that may hand the value over. The shape says how wide a text is stored. */
export const directBytes = (value: unknown): PathBytes[] =>
  flatMap(fastPathCosts(value, () => 0) ?? [], ({ paths, bytes }) => map(paths, (path) => ({ path, bytes })));
