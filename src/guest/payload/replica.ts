import { setOwn, shallowCopy, viewConstructor } from '../../core/copy/copies.ts';
import { typeDetection } from '../../probe/type-detection/type-detection.ts';

/** Replicas by their originals. */
type Replicas = Map<object, unknown>;

/**
 * A copy that an engine stores like the original, unlike a structured clone (V8 returns holey arrays). For values that
 * one evaluation of a module gives only once, and that are needed for each message. Parts without separate buffers are
 * shared with the original.
 */
export function replicate(value: unknown, replicas: Replicas = new Map()): unknown {
  if (typeof value !== 'object' || value === null || typeDetection().isProxy(value)) return value;
  const known = replicas.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) return withMembersCopied(value, replicas);
  switch (typeDetection().of(value).kind) {
    case 'arraybuffer':
      return filled(value, (value as ArrayBuffer).slice(0), replicas);
    case 'typedarray':
    case 'dataview':
      return replicaOfView(value as ArrayBufferView, replicas);
    case 'map':
      return filled(value, new Map<unknown, unknown>(), replicas, (copy) => {
        for (const [key, member] of value as Map<unknown, unknown>)
          copy.set(replicate(key, replicas), replicate(member, replicas));
      });
    case 'set':
      return filled(value, new Set<unknown>(), replicas, (copy) => {
        for (const member of value as Set<unknown>) copy.add(replicate(member, replicas));
      });
    default: {
      // Objects with internal slots are not copied: a copy of the own properties would lack the slots.
      const isRecord = Object.prototype.toString.call(value) === '[object Object]';
      return isRecord && Object.keys(value).length > 0 ? withMembersCopied(value, replicas) : value;
    }
  }
}

/** Known before its members are copied: they may lead back to it. */
function filled<T>(original: object, copy: T, replicas: Replicas, fill?: (copy: T) => void): T {
  replicas.set(original, copy);
  fill?.(copy);
  return copy;
}

function withMembersCopied(original: object, replicas: Replicas): object {
  return filled(original, shallowCopy(original), replicas, (copy) => {
    for (const key of Object.keys(original)) {
      const member = Object.getOwnPropertyDescriptor(original, key)?.value as unknown;
      if (typeof member === 'object' && member !== null) setOwn(copy, key, replicate(member, replicas));
    }
  });
}

function replicaOfView(view: ArrayBufferView, replicas: Replicas): ArrayBufferView {
  const buffer = replicate(view.buffer, replicas) as ArrayBufferLike;
  const View = viewConstructor(view)!;
  const copy = new View(buffer, view.byteOffset, (view as Partial<Uint8Array>).length ?? view.byteLength);
  const proto = Object.getPrototypeOf(view) as object;
  if (Object.getPrototypeOf(copy) !== proto) Object.setPrototypeOf(copy, proto);
  return filled(view, copy, replicas);
}
