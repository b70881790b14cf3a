import { viewConstructor } from '../../core/copy/bytes.ts';
import { setOwn, shallowCopy } from '../../core/copy/shallow-copy.ts';
import { typeDetection } from '../../probe/type-detection/type-detection.ts';

/** Copies by their originals. */
type Copies = Map<object, unknown>;

/**
 * A copy that an engine stores like the original, unlike a structured clone (V8 returns holey arrays). For values that
 * one evaluation of a module gives only once, and that are needed for each message. Parts without buffers of their own
 * are shared with the original.
 */
export function replicaOf(value: unknown, copies: Copies = new Map()): unknown {
  if (typeof value !== 'object' || value === null || typeDetection.isProxy(value)) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) return withMembersCopied(value, copies);
  switch (typeDetection.of(value).kind) {
    case 'arraybuffer':
      return remember(value, (value as ArrayBuffer).slice(0), copies);
    case 'typedarray':
    case 'dataview':
      return replicaOfView(value as ArrayBufferView, copies);
    case 'map':
      return replicaOfMap(value as Map<unknown, unknown>, copies);
    case 'set':
      return replicaOfSet(value as Set<unknown>, copies);
    default:
      return isRecord(value) ? withMembersCopied(value, copies) : value;
  }
}

/** Has own properties, and no internal slots that a copy of the properties would lack. */
function isRecord(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object Object]' && Object.keys(value).length > 0;
}

function remember<T>(original: object, copy: T, copies: Copies): T {
  copies.set(original, copy);
  return copy;
}

function withMembersCopied(original: object, copies: Copies): object {
  const copy = remember(original, shallowCopy(original), copies);
  for (const key of Object.keys(original)) {
    const member = Object.getOwnPropertyDescriptor(original, key)?.value as unknown;
    if (typeof member === 'object' && member !== null) setOwn(copy, key, replicaOf(member, copies));
  }
  return copy;
}

function replicaOfView(view: ArrayBufferView, copies: Copies): ArrayBufferView {
  const buffer = replicaOf(view.buffer, copies) as ArrayBufferLike;
  const View = viewConstructor(view)!;
  const copy = new View(buffer, view.byteOffset, (view as Partial<Uint8Array>).length ?? view.byteLength);
  const proto = Object.getPrototypeOf(view) as object;
  if (Object.getPrototypeOf(copy) !== proto) Object.setPrototypeOf(copy, proto);
  return remember(view, copy, copies);
}

function replicaOfMap(map: Map<unknown, unknown>, copies: Copies): Map<unknown, unknown> {
  const copy = remember(map, new Map<unknown, unknown>(), copies);
  for (const [key, member] of map) copy.set(replicaOf(key, copies), replicaOf(member, copies));
  return copy;
}

function replicaOfSet(set: Set<unknown>, copies: Copies): Set<unknown> {
  const copy = remember(set, new Set<unknown>(), copies);
  for (const member of set) copy.add(replicaOf(member, copies));
  return copy;
}
