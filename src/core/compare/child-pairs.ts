import { primitiveDifference } from './loss-text.ts';
import { type ChildPairs, PropertyComparison, type ReportLoss } from './properties.ts';
import { quickType, unboxed, type ValueType, viewType } from './value-type.ts';

/** Entries in insertion order: Map and Set promise that order, and clones keep it. */
function addEntries(a: unknown[], b: unknown[], part: 'key' | 'value' | 'member', into: ChildPairs): void {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    into.steps.push({ part, index });
    into.left.push(a[index]);
    into.right.push(b[index]);
  }
}

type Collection = Map<unknown, unknown> | Set<unknown>;

function collectionPairs(a: Collection, b: Collection, brand: 'map' | 'set', note: ReportLoss): ChildPairs {
  const properties = new PropertyComparison(a, b, brand, note).compare();
  const collection = (brand === 'map' ? Map : Set).prototype;
  const listed = (method: 'keys' | 'values', of: Collection) => [
    ...(collection[method].call(of as never) as Iterable<unknown>),
  ];
  const keysA = listed('keys', a);
  const keysB = listed('keys', b);
  if (keysA.length !== keysB.length) note(`${keysA.length} entries became ${keysB.length}`);
  addEntries(keysA, keysB, brand === 'map' ? 'key' : 'member', properties);
  if (brand === 'map') addEntries(listed('values', a), listed('values', b), 'value', properties);
  return properties;
}

function firstDifferentByte(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) if (a[i] !== b[i]) return i;
  return -1;
}

function bufferLosses(a: ArrayBufferLike, b: ArrayBufferLike, note: ReportLoss): void {
  if (a.byteLength !== b.byteLength) note(`${a.byteLength} bytes became ${b.byteLength}`);
  const byte = firstDifferentByte(new Uint8Array(a), new Uint8Array(b));
  if (byte >= 0) note(`content changed at byte ${byte}`);
  const [growsA, growsB] = [a, b].map((one) => (one as { resizable?: boolean }).resizable === true);
  if (growsA !== growsB) note(growsA ? 'resizable became fixed' : 'fixed became resizable');
}

/** The size of the buffer behind a view is no part of its value. */
function viewLosses(a: ArrayBufferView, b: ArrayBufferView, note: ReportLoss): void {
  if (viewType(a) !== viewType(b)) {
    note(`${viewType(a)} became ${viewType(b)}`);
    return;
  }
  if (a.byteLength !== b.byteLength) note(`${a.byteLength} bytes became ${b.byteLength}`);
  const bytes = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const byte = firstDifferentByte(bytes(a), bytes(b));
  const size = (a as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1;
  if (byte >= 0) note('content changed', Math.floor(byte / size));
}

function slotLosses(a: object, b: object, brand: ValueType, note: ReportLoss): void {
  if (brand === 'date') {
    const [timeA, timeB] = [a, b].map((date) => Date.prototype.getTime.call(date));
    if (!Object.is(timeA, timeB)) note(`time ${timeA} became ${timeB}`);
  } else if (brand === 'regexp') {
    const [textA, textB] = [a, b].map((regexp) => RegExp.prototype.toString.call(regexp));
    if (textA !== textB) note('pattern or flags changed');
  } else if (brand === 'boxed') {
    const [inA, inB] = [unboxed(a), unboxed(b)];
    if (!Object.is(inA, inB)) note(`boxed ${primitiveDifference(inA, inB, quickType(inA), quickType(inB))}`);
  } else if (brand === 'array') {
    const [lengthA, lengthB] = [a, b].map((array) => (array as readonly unknown[]).length);
    if (lengthA !== lengthB) note(`length ${lengthA} became ${lengthB}`);
  }
}

/** Notes what differs in the value itself; returns what lies inside, null where there is nothing to go into. */
export function childPairs(a: object, b: object, brand: ValueType, note: ReportLoss): ChildPairs | null {
  if (brand === 'map' || brand === 'set')
    return collectionPairs(a as Collection, b as Collection, brand, note);
  if (brand === 'view') viewLosses(a as ArrayBufferView, b as ArrayBufferView, note);
  else if (brand === 'arraybuffer' || brand === 'sharedarraybuffer')
    bufferLosses(a as ArrayBufferLike, b as ArrayBufferLike, note);
  else if (brand !== 'function') {
    slotLosses(a, b, brand, note);
    return new PropertyComparison(a, b, brand, note).compare();
  }
  return null;
}
