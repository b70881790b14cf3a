import { type Brand, exactBrand, quickBrand, unboxed, viewType } from './compare-brand.ts';
import { primitiveDifference, valueName } from './compare-words.ts';
import type { TrailStep } from './paths.ts';

/** What lies directly inside two values of one brand, side by side. */
export interface Parts {
  steps: TrailStep[];
  left: unknown[];
  right: unknown[];
}

/** Enters a loss of the value at hand, or of what is one step below it. */
export type Note = (what: string, step?: TrailStep) => void;

/** Where and how engines write these differs, and says nothing of the payload: stack text and JSC's error positions. */
const ERROR_ENVIRONMENT: ReadonlySet<PropertyKey> = new Set([
  'stack',
  'line',
  'column',
  'sourceURL',
  'originalLine',
  'originalColumn',
]);

/** Array indices are 0..2^32-2 in canonical form (ECMA-262, array index). */
function arrayIndex(key: string): number | null {
  const first = key.charCodeAt(0);
  if (first < 48 || first > 57) return null;
  const index = Number(key);
  return index < 0xffffffff && String(index) === key ? index : null;
}

/** Properties that are slots in disguise are compared as such. */
function isSlot(brand: Brand, key: PropertyKey, value: object): boolean {
  if (brand === 'array') return key === 'length';
  if (brand === 'error') return ERROR_ENVIRONMENT.has(key);
  if (brand !== 'boxed' || typeof key !== 'string') return false;
  const inside = unboxed(value);
  return (
    typeof inside === 'string' && (key === 'length' || (arrayIndex(key) ?? inside.length) < inside.length)
  );
}

class Properties {
  readonly parts: Parts = { steps: [], left: [], right: [] };
  readonly a: object;
  readonly b: object;
  readonly brand: Brand;
  readonly note: Note;
  constructor(a: object, b: object, brand: Brand, note: Note) {
    this.a = a;
    this.b = b;
    this.brand = brand;
    this.note = note;
  }

  /** Symbols have no path: they are named in the loss. */
  #say(key: PropertyKey, step: TrailStep | null, what: string): void {
    if (step === null) this.note(`property ${String(key)}: ${what}`);
    else this.note(what, step);
  }

  #step(key: PropertyKey): TrailStep | null {
    if (typeof key === 'symbol') return null;
    const index = this.brand === 'array' ? arrayIndex(String(key)) : null;
    return index ?? String(key);
  }

  #isBeyond(step: TrailStep | null, array: object): boolean {
    return typeof step === 'number' && step >= (array as readonly unknown[]).length;
  }

  #absent(step: TrailStep | null): string {
    return typeof step === 'number' ? 'hole' : 'absent';
  }

  #original(key: PropertyKey): void {
    const held = Object.getOwnPropertyDescriptor(this.a, key)!;
    const step = this.#step(key);
    if (!Object.hasOwn(this.b, key)) {
      if (this.#isBeyond(step, this.b)) return;
      const name = 'value' in held ? valueName(held.value, exactBrand(held.value)) : 'getter';
      this.#say(key, step, `${name} became ${this.#absent(step)}`);
    } else if (!('value' in held)) this.#getter(key, step);
    else if (step === null) this.#symbol(key, held.value);
    else {
      this.parts.steps.push(step);
      this.parts.left.push(held.value);
      this.parts.right.push((this.b as Record<PropertyKey, unknown>)[key]);
    }
  }

  #getter(key: PropertyKey, step: TrailStep | null): void {
    const isValue = 'value' in Object.getOwnPropertyDescriptor(this.b, key)!;
    if (isValue) this.#say(key, step, 'getter became a value');
  }

  /** No engine clones symbol keys; what a rewrite keeps below one is compared by identity. */
  #symbol(key: PropertyKey, value: unknown): void {
    if (!Object.is(value, (this.b as Record<PropertyKey, unknown>)[key]))
      this.#say(key, null, 'value changed');
  }

  #restored(key: PropertyKey): void {
    if (Object.hasOwn(this.a, key)) return;
    const step = this.#step(key);
    if (this.#isBeyond(step, this.a)) return;
    const value = (this.b as Record<PropertyKey, unknown>)[key];
    this.#say(key, step, `${this.#absent(step)} became ${valueName(value, exactBrand(value))}`);
  }

  compare(): Parts {
    for (const key of Reflect.ownKeys(this.a)) if (!isSlot(this.brand, key, this.a)) this.#original(key);
    for (const key of Reflect.ownKeys(this.b)) if (!isSlot(this.brand, key, this.b)) this.#restored(key);
    return this.parts;
  }
}

/** Entries in insertion order: Map and Set promise that order, and clones keep it. */
function entryParts(a: unknown[], b: unknown[], part: 'key' | 'value' | 'member', into: Parts): void {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    into.steps.push({ part, index });
    into.left.push(a[index]);
    into.right.push(b[index]);
  }
}

type Collection = Map<unknown, unknown> | Set<unknown>;

function collectionParts(a: Collection, b: Collection, brand: 'map' | 'set', note: Note): Parts {
  const properties = new Properties(a, b, brand, note).compare();
  const collection = (brand === 'map' ? Map : Set).prototype;
  const listed = (method: 'keys' | 'values', of: Collection) => [
    ...(collection[method].call(of as never) as Iterable<unknown>),
  ];
  const keysA = listed('keys', a);
  const keysB = listed('keys', b);
  if (keysA.length !== keysB.length) note(`${keysA.length} entries became ${keysB.length}`);
  entryParts(keysA, keysB, brand === 'map' ? 'key' : 'member', properties);
  if (brand === 'map') entryParts(listed('values', a), listed('values', b), 'value', properties);
  return properties;
}

function firstDifferentByte(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) if (a[i] !== b[i]) return i;
  return -1;
}

function bufferLosses(a: ArrayBufferLike, b: ArrayBufferLike, note: Note): void {
  if (a.byteLength !== b.byteLength) note(`${a.byteLength} bytes became ${b.byteLength}`);
  const byte = firstDifferentByte(new Uint8Array(a), new Uint8Array(b));
  if (byte >= 0) note(`content changed at byte ${byte}`);
  const [growsA, growsB] = [a, b].map((one) => (one as { resizable?: boolean }).resizable === true);
  if (growsA !== growsB) note(growsA ? 'resizable became fixed' : 'fixed became resizable');
}

/** The size of the buffer behind a view is no part of its value. */
function viewLosses(a: ArrayBufferView, b: ArrayBufferView, note: Note): void {
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

function slotLosses(a: object, b: object, brand: Brand, note: Note): void {
  if (brand === 'date') {
    const [timeA, timeB] = [a, b].map((date) => Date.prototype.getTime.call(date));
    if (!Object.is(timeA, timeB)) note(`time ${timeA} became ${timeB}`);
  } else if (brand === 'regexp') {
    const [textA, textB] = [a, b].map((regexp) => RegExp.prototype.toString.call(regexp));
    if (textA !== textB) note('pattern or flags changed');
  } else if (brand === 'boxed') {
    const [inA, inB] = [unboxed(a), unboxed(b)];
    if (!Object.is(inA, inB))
      note(`boxed ${primitiveDifference(inA, inB, quickBrand(inA), quickBrand(inB))}`);
  } else if (brand === 'array') {
    const [lengthA, lengthB] = [a, b].map((array) => (array as readonly unknown[]).length);
    if (lengthA !== lengthB) note(`length ${lengthA} became ${lengthB}`);
  }
}

/** Notes what differs in the value itself; returns what lies inside, null where there is nothing to go into. */
export function partsOf(a: object, b: object, brand: Brand, note: Note): Parts | null {
  if (brand === 'map' || brand === 'set')
    return collectionParts(a as Collection, b as Collection, brand, note);
  if (brand === 'view') viewLosses(a as ArrayBufferView, b as ArrayBufferView, note);
  else if (brand === 'arraybuffer' || brand === 'sharedarraybuffer')
    bufferLosses(a as ArrayBufferLike, b as ArrayBufferLike, note);
  else if (brand !== 'function') {
    slotLosses(a, b, brand, note);
    return new Properties(a, b, brand, note).compare();
  }
  return null;
}
