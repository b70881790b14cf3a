import { types } from 'node:util';

type Views = Record<string, new (buffer: ArrayBufferLike, offset: number, length: number) => ArrayBufferView>;

/**
 * A copy that an engine stores as it stores the original, where a structured clone would not (V8 gives back holey
 * arrays): for values that one evaluation of a module gives only once, and that are needed for each message. What
 * holds no buffers of its own is shared with the original.
 */
export function replicaOf(value: unknown, made = new Map<object, unknown>()): unknown {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return value;
  if (made.has(value)) return made.get(value);
  if (Array.isArray(value)) return arrayLike(value, made);
  if (types.isArrayBuffer(value)) return remember(value, value.slice(0), made);
  if (ArrayBuffer.isView(value)) return viewLike(value, made);
  if (types.isMap(value)) return mapLike(value, made);
  if (types.isSet(value)) return setLike(value, made);
  return isRecord(value) ? recordLike(value, made) : value;
}

/** With properties of its own, and no inner state that a copy of these would lack. */
function isRecord(value: object): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === '[object Object]' && Object.keys(value).length > 0;
}

function remember<T>(original: object, copy: T, made: Map<object, unknown>): T {
  made.set(original, copy);
  return copy;
}

/** `slice` keeps the elements kind in V8 and the indexing type in JSC. */
function arrayLike(array: unknown[], made: Map<object, unknown>): unknown[] {
  const copy = remember(array, array.slice(), made);
  for (const [index, item] of array.entries()) {
    if (typeof item === 'object' && item !== null) copy[index] = replicaOf(item, made);
  }
  return copy;
}

function recordLike(record: Record<string, unknown>, made: Map<object, unknown>): unknown {
  const proto: unknown = Object.getPrototypeOf(record);
  const copy =
    proto === Object.prototype ? { ...record } : Object.assign(Object.create(proto as object), record);
  remember(record, copy, made);
  for (const [key, held] of Object.entries(record)) {
    if (typeof held === 'object' && held !== null) copy[key] = replicaOf(held, made);
  }
  return copy;
}

function viewLike(view: ArrayBufferView, made: Map<object, unknown>): ArrayBufferView {
  const buffer = replicaOf(view.buffer, made) as ArrayBufferLike;
  const tag = types.isDataView(view) ? 'DataView' : (view as Uint8Array)[Symbol.toStringTag];
  const View = (globalThis as unknown as Views)[tag] as Views[string];
  const length = types.isDataView(view) ? view.byteLength : (view as Uint8Array).length;
  const copy = new View(buffer, view.byteOffset, length);
  const proto = Object.getPrototypeOf(view) as object;
  if (Object.getPrototypeOf(copy) !== proto) Object.setPrototypeOf(copy, proto);
  return remember(view, copy, made);
}

function mapLike(map: Map<unknown, unknown>, made: Map<object, unknown>): Map<unknown, unknown> {
  const copy = remember(map, new Map<unknown, unknown>(), made);
  for (const [key, held] of map) copy.set(replicaOf(key, made), replicaOf(held, made));
  return copy;
}

function setLike(set: Set<unknown>, made: Map<object, unknown>): Set<unknown> {
  const copy = remember(set, new Set<unknown>(), made);
  for (const held of set) copy.add(replicaOf(held, made));
  return copy;
}
