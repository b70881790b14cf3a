/** Copies that share nothing with the original and that engines store as they stored it. */

/** How exotic objects (Date, Map, class instances) are copied: structuredClone, where there is one. */
export type CloneOther = (value: object) => unknown;

export type Bytes = ArrayBuffer | ArrayBufferView;

export const isBytes = (value: object): value is Bytes => ArrayBuffer.isView(value) || isArrayBuffer(value);

const byteLengthOf = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength')?.get;

/** By its internal slot: other realms, and no tag that lies. */
function isArrayBuffer(value: object): value is ArrayBuffer {
  try {
    byteLengthOf?.call(value);
    return true;
  } catch {
    return false;
  }
}

export function elementBytes(value: Bytes): number {
  const size = (value as Partial<Uint8Array>).BYTES_PER_ELEMENT;
  return ArrayBuffer.isView(value) && typeof size === 'number' ? size : 1;
}

export function isPlainRecord(value: object): value is Record<string, unknown> {
  const proto: unknown = Object.getPrototypeOf(value);
  return proto === Object.prototype || proto === null;
}

/** From here on a string is copied: engines keep short ones as one interned object anyway. */
const LONG_TEXT = 64;

/**
 * A flat string of its own. Joining writes the pieces into new memory, where adding makes a rope and slicing a view,
 * which engines send another way.
 */
export function ownText(text: string): string {
  const half = text.length >> 1;
  return [text.slice(0, half), text.slice(half)].join('');
}

function shellOf(value: object, cloneOther: CloneOther): { copy: unknown; open: boolean } {
  // `slice` keeps the elements kind in V8 and the indexing type in JSC.
  if (Array.isArray(value)) return { copy: value.slice(), open: true };
  if (!isPlainRecord(value)) return { copy: cloneOther(value), open: false };
  const bare = Object.getPrototypeOf(value) === null;
  return { copy: bare ? Object.assign(Object.create(null), value) : { ...value }, open: true };
}

/** Assigning to `__proto__` would change the prototype. */
export function put(target: object, key: string | number, value: unknown): void {
  if (key !== '__proto__') (target as Record<string | number, unknown>)[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/**
 * A deep copy; references shared within `root` stay shared within the copy. What is in `made` already is not copied
 * again: its copy is put where it was. In the place of what has a successor, that is copied. Not recursive.
 */
export function ownCopy(
  root: unknown,
  cloneOther: CloneOther,
  made: Map<object, unknown> = new Map<object, unknown>(),
  successors: ReadonlyMap<object, unknown> = new Map<object, unknown>(),
): unknown {
  const open: object[] = [];
  const copyOf = (value: unknown): unknown => {
    if (typeof value === 'string') return value.length < LONG_TEXT ? value : ownText(value);
    if (typeof value !== 'object' || value === null) return value;
    const successor = successors.get(value);
    if (successor !== undefined && successor !== value) return copyOf(successor);
    if (made.has(value)) return made.get(value);
    const shell = shellOf(value, cloneOther);
    made.set(value, shell.copy);
    if (shell.open) open.push(shell.copy as object);
    return shell.copy;
  };
  const copy = copyOf(root);
  for (let next = open.pop(); next !== undefined; next = open.pop()) replaceMembers(next, copyOf);
  return copy;
}

function replaceMembers(node: object, copyOf: (value: unknown) => unknown): void {
  const replace = (key: string | number, held: unknown) => {
    const copy = copyOf(held);
    if (copy !== held || typeof held === 'string') put(node, key, copy);
  };
  if (!Array.isArray(node)) for (const key of Object.keys(node)) replace(key, Reflect.get(node, key));
  else for (let at = 0; at < node.length; at++) if (node[at] !== undefined) replace(at, node[at]);
}
