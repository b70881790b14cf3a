import { lengthOf } from '../value/array-reads.ts';
import { viewType } from '../value/intrinsics.ts';
import { map } from '../value/lists.ts';
import { primitiveDifference } from './loss-text.ts';
import { type ChildPairs, PropertyComparison, type ReportLoss } from './properties.ts';
import { quickType, unboxed, type ValueType } from './value-type.ts';

/** Entries in insertion order: Map and Set promise that order, and clones keep it. */
function addEntries(a: unknown[], b: unknown[], part: 'key' | 'value' | 'member', into: ChildPairs): void {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    into.steps.push({ part, index });
    into.left.push(a[index]);
    into.right.push(b[index]);
  }
}

type Collection = Map<unknown, unknown> | Set<unknown>;

function collectionPairs(a: Collection, b: Collection, type: 'map' | 'set', report: ReportLoss): ChildPairs {
  const properties = new PropertyComparison(a, b, type, report).compare();
  const collection = (type === 'map' ? Map : Set).prototype;
  const list = (method: 'keys' | 'values', of: Collection) => [
    ...(collection[method].call(of as never) as Iterable<unknown>),
  ];
  const keysA = list('keys', a);
  const keysB = list('keys', b);
  if (keysA.length !== keysB.length) report(`${keysA.length} entries became ${keysB.length}`);
  addEntries(keysA, keysB, type === 'map' ? 'key' : 'member', properties);
  if (type === 'map') addEntries(list('values', a), list('values', b), 'value', properties);
  return properties;
}

function firstDifferentByte(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) if (a[i] !== b[i]) return i;
  return -1;
}

function bufferLosses(a: ArrayBufferLike, b: ArrayBufferLike, report: ReportLoss): void {
  if (a.byteLength !== b.byteLength) report(`${a.byteLength} bytes became ${b.byteLength}`);
  const byte = firstDifferentByte(new Uint8Array(a), new Uint8Array(b));
  if (byte >= 0) report(`content changed at byte ${byte}`);
  const [growsA, growsB] = map([a, b], (one) => (one as { resizable?: boolean }).resizable === true);
  if (growsA !== growsB) report(growsA ? 'resizable became fixed' : 'fixed became resizable');
}

/** The size of the buffer behind a view is not compared. */
function viewLosses(a: ArrayBufferView, b: ArrayBufferView, report: ReportLoss): void {
  if (viewType(a) !== viewType(b)) {
    report(`${viewType(a)} became ${viewType(b)}`);
    return;
  }
  if (a.byteLength !== b.byteLength) report(`${a.byteLength} bytes became ${b.byteLength}`);
  const bytes = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const byte = firstDifferentByte(bytes(a), bytes(b));
  const size = (a as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1;
  if (byte >= 0) report('content changed', Math.floor(byte / size));
}

function slotLosses(a: object, b: object, type: ValueType, report: ReportLoss): void {
  if (type === 'date') {
    const [timeA, timeB] = map([a, b], (date) => Date.prototype.getTime.call(date));
    if (!Object.is(timeA, timeB)) report(`time ${timeA} became ${timeB}`);
  } else if (type === 'regexp') {
    const [textA, textB] = map([a, b], (regexp) => RegExp.prototype.toString.call(regexp));
    if (textA !== textB) report('pattern or flags changed');
  } else if (type === 'boxed') {
    const [inA, inB] = [unboxed(a), unboxed(b)];
    if (!Object.is(inA, inB))
      report(`boxed ${primitiveDifference(inA, inB, quickType(inA), quickType(inB))}`);
  } else if (type === 'array') {
    const [lengthA, lengthB] = [lengthOf(a as readonly unknown[]), lengthOf(b as readonly unknown[])];
    if (lengthA !== lengthB) report(`length ${lengthA} became ${lengthB}`);
  }
}

/** Reports what differs in the values themselves; returns the children to compare, null where there are none. */
export function childPairs(a: object, b: object, type: ValueType, report: ReportLoss): ChildPairs | null {
  if (type === 'map' || type === 'set')
    return collectionPairs(a as Collection, b as Collection, type, report);
  if (type === 'view') viewLosses(a as ArrayBufferView, b as ArrayBufferView, report);
  else if (type === 'arraybuffer' || type === 'sharedarraybuffer')
    bufferLosses(a as ArrayBufferLike, b as ArrayBufferLike, report);
  else if (type !== 'function') {
    slotLosses(a, b, type, report);
    return new PropertyComparison(a, b, type, report).compare();
  }
  return null;
}
