import { viewConstructor } from '../../core/copy/bytes.ts';
import { setOwn, shallowCopy } from '../../core/copy/copies.ts';
import { typeDetection } from '../../probe/type-detection/type-detection.ts';

/** Replicas by their originals. */
type Replicas = Map<object, unknown>;

/**
 * A copy that an engine stores like the original, unlike a structured clone (V8 returns holey arrays). For values that
 * one evaluation of a module gives only once, and that are needed for each message. Parts without buffers of their own
 * are shared with the original.
 */
export function replicaOf(value: unknown, replicas: Replicas = new Map()): unknown {
  if (typeof value !== 'object' || value === null || typeDetection.isProxy(value)) return value;
  const known = replicas.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) return withMembersCopied(value, replicas);
  switch (typeDetection.of(value).kind) {
    case 'arraybuffer':
      return remember(value, (value as ArrayBuffer).slice(0), replicas);
    case 'typedarray':
    case 'dataview':
      return replicaOfView(value as ArrayBufferView, replicas);
    case 'map':
      return replicaOfMap(value as Map<unknown, unknown>, replicas);
    case 'set':
      return replicaOfSet(value as Set<unknown>, replicas);
    default:
      return isRecord(value) ? withMembersCopied(value, replicas) : value;
  }
}

/** Has own properties, and no internal slots that a copy of the properties would lack. */
function isRecord(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object Object]' && Object.keys(value).length > 0;
}

function remember<T>(original: object, copy: T, replicas: Replicas): T {
  replicas.set(original, copy);
  return copy;
}

function withMembersCopied(original: object, replicas: Replicas): object {
  const copy = remember(original, shallowCopy(original), replicas);
  for (const key of Object.keys(original)) {
    const member = Object.getOwnPropertyDescriptor(original, key)?.value as unknown;
    if (typeof member === 'object' && member !== null) setOwn(copy, key, replicaOf(member, replicas));
  }
  return copy;
}

function replicaOfView(view: ArrayBufferView, replicas: Replicas): ArrayBufferView {
  const buffer = replicaOf(view.buffer, replicas) as ArrayBufferLike;
  const View = viewConstructor(view)!;
  const copy = new View(buffer, view.byteOffset, (view as Partial<Uint8Array>).length ?? view.byteLength);
  const proto = Object.getPrototypeOf(view) as object;
  if (Object.getPrototypeOf(copy) !== proto) Object.setPrototypeOf(copy, proto);
  return remember(view, copy, replicas);
}

function replicaOfMap(map: Map<unknown, unknown>, replicas: Replicas): Map<unknown, unknown> {
  const copy = remember(map, new Map<unknown, unknown>(), replicas);
  for (const [key, member] of map) copy.set(replicaOf(key, replicas), replicaOf(member, replicas));
  return copy;
}

function replicaOfSet(set: Set<unknown>, replicas: Replicas): Set<unknown> {
  const copy = remember(set, new Set<unknown>(), replicas);
  for (const member of set) copy.add(replicaOf(member, replicas));
  return copy;
}
