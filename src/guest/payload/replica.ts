import { viewConstructor } from '../../core/copy/bytes.ts';
import { setOwn, shallowCopy } from '../../core/copy/shallow-copy.ts';
import { typeDetection } from '../../probe/type-detection/type-detection.ts';

type Made = Map<object, unknown>;

/**
 * A copy that an engine stores as it stores the original, where a structured clone would not be (V8 hands back holey
 * arrays). For values that one evaluation of a module gives only once, and that are needed for each message. What has
 * no buffers of its own is shared with the original.
 */
export function replicaOf(value: unknown, made: Made = new Map()): unknown {
  if (typeof value !== 'object' || value === null || typeDetection.isProxy(value)) return value;
  const known = made.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) return withMembersCopied(value, made);
  switch (typeDetection.of(value).kind) {
    case 'arraybuffer':
      return remember(value, (value as ArrayBuffer).slice(0), made);
    case 'typedarray':
    case 'dataview':
      return replicaOfView(value as ArrayBufferView, made);
    case 'map':
      return replicaOfMap(value as Map<unknown, unknown>, made);
    case 'set':
      return replicaOfSet(value as Set<unknown>, made);
    default:
      return isRecord(value) ? withMembersCopied(value, made) : value;
  }
}

/** Has properties of its own, and no inner state that a copy of these would lack. */
function isRecord(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object Object]' && Object.keys(value).length > 0;
}

function remember<T>(original: object, copy: T, made: Made): T {
  made.set(original, copy);
  return copy;
}

function withMembersCopied(original: object, made: Made): object {
  const copy = remember(original, shallowCopy(original), made);
  for (const key of Object.keys(original)) {
    const member = Object.getOwnPropertyDescriptor(original, key)?.value as unknown;
    if (typeof member === 'object' && member !== null) setOwn(copy, key, replicaOf(member, made));
  }
  return copy;
}

function replicaOfView(view: ArrayBufferView, made: Made): ArrayBufferView {
  const buffer = replicaOf(view.buffer, made) as ArrayBufferLike;
  const View = viewConstructor(view)!;
  const copy = new View(buffer, view.byteOffset, (view as Partial<Uint8Array>).length ?? view.byteLength);
  const proto = Object.getPrototypeOf(view) as object;
  if (Object.getPrototypeOf(copy) !== proto) Object.setPrototypeOf(copy, proto);
  return remember(view, copy, made);
}

function replicaOfMap(map: Map<unknown, unknown>, made: Made): Map<unknown, unknown> {
  const copy = remember(map, new Map<unknown, unknown>(), made);
  for (const [key, member] of map) copy.set(replicaOf(key, made), replicaOf(member, made));
  return copy;
}

function replicaOfSet(set: Set<unknown>, made: Made): Set<unknown> {
  const copy = remember(set, new Set<unknown>(), made);
  for (const member of set) copy.add(replicaOf(member, made));
  return copy;
}
