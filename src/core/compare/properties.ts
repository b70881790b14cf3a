import { isIndexKey } from '../index-key.ts';
import type { TrailStep } from '../paths.ts';
import { valueName } from './loss-text.ts';
import { exactType, unboxed, type ValueType } from './value-type.ts';

/** What lies directly inside two values of one brand, side by side. */
export interface ChildPairs {
  steps: TrailStep[];
  left: unknown[];
  right: unknown[];
}

/** Enters a loss of the value at hand, or of what is one step below it. */
export type ReportLoss = (what: string, step?: TrailStep) => void;

/** Where and how engines write these differs, and says nothing of the payload: stack text and JSC's error positions. */
const ERROR_ENVIRONMENT: ReadonlySet<PropertyKey> = new Set([
  'stack',
  'line',
  'column',
  'sourceURL',
  'originalLine',
  'originalColumn',
]);

const arrayIndex = (key: string): number | null => (isIndexKey(key) ? Number(key) : null);

/** Properties that are slots in disguise are compared as such. */
function isSlot(brand: ValueType, key: PropertyKey, value: object): boolean {
  if (brand === 'array') return key === 'length';
  if (brand === 'error') return ERROR_ENVIRONMENT.has(key);
  if (brand !== 'boxed' || typeof key !== 'string') return false;
  const inside = unboxed(value);
  return (
    typeof inside === 'string' && (key === 'length' || (arrayIndex(key) ?? inside.length) < inside.length)
  );
}

export class PropertyComparison {
  readonly parts: ChildPairs = { steps: [], left: [], right: [] };
  readonly a: object;
  readonly b: object;
  readonly brand: ValueType;
  readonly note: ReportLoss;
  #missing = false;
  constructor(a: object, b: object, brand: ValueType, note: ReportLoss) {
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
    const isData = 'value' in held;
    if (isData && isSamePrimitive(held.value, this.#restoredAt(key))) return;
    const step = this.#step(key);
    if (!Object.hasOwn(this.b, key)) {
      this.#missing = true;
      if (this.#isBeyond(step, this.b)) return;
      const name = isData ? valueName(held.value, exactType(held.value)) : 'getter';
      this.#say(key, step, `${name} became ${this.#absent(step)}`);
    } else if (!isData) this.#getter(key, step);
    else if (step === null) this.#symbol(key, held.value);
    else this.#enter(step, held.value, this.#restoredAt(key));
  }

  #restoredAt(key: PropertyKey): unknown {
    return (this.b as Record<PropertyKey, unknown>)[key];
  }

  #enter(step: TrailStep, left: unknown, right: unknown): void {
    this.parts.steps.push(step);
    this.parts.left.push(left);
    this.parts.right.push(right);
  }

  #getter(key: PropertyKey, step: TrailStep | null): void {
    const isValue = 'value' in Object.getOwnPropertyDescriptor(this.b, key)!;
    if (isValue) this.#say(key, step, 'getter became a value');
  }

  /** No engine clones symbol keys; what a rewrite keeps below one is compared by identity. */
  #symbol(key: PropertyKey, value: unknown): void {
    if (!Object.is(value, this.#restoredAt(key))) this.#say(key, null, 'value changed');
  }

  #restored(key: PropertyKey): void {
    if (Object.hasOwn(this.a, key)) return;
    const step = this.#step(key);
    if (this.#isBeyond(step, this.a)) return;
    const value = this.#restoredAt(key);
    this.#say(key, step, `${this.#absent(step)} became ${valueName(value, exactType(value))}`);
  }

  compare(): ChildPairs {
    const keysA = keysOf(this.a, this.brand);
    const keysB = keysOf(this.b, this.brand);
    if (this.brand === 'array' && isDense(this.a, keysA) && isDense(this.b, keysB)) return this.#dense();
    for (const key of keysA) if (!isSlot(this.brand, key, this.a)) this.#original(key);
    // As many keys, and none of them missing: none is new.
    if (keysB.length !== keysA.length || this.#missing)
      for (const key of keysB) if (!isSlot(this.brand, key, this.b)) this.#restored(key);
    return this.parts;
  }

  #dense(): ChildPairs {
    const [a, b] = [this.a as readonly unknown[], this.b as readonly unknown[]];
    const shorter = Math.min(a.length, b.length);
    for (let index = 0; index < shorter; index++) {
      const held = Object.getOwnPropertyDescriptor(a, index)!;
      if (!('value' in held)) this.#getter(String(index), index);
      else if (!isSamePrimitive(held.value, b[index])) this.#enter(index, held.value, b[index]);
    }
    return this.parts;
  }
}

/** From here on naming every index three times faster (V8) is worth not seeing what is not enumerable. */
const LONG = 1000;

function keysOf(value: object, brand: ValueType): PropertyKey[] {
  if (brand !== 'array' || (value as readonly unknown[]).length < LONG) return Reflect.ownKeys(value);
  const keys: PropertyKey[] = Object.keys(value);
  keys.push('length', ...Object.getOwnPropertySymbols(value));
  return keys;
}

/** Indices come first and in order, so the last one tells of all before it. Nothing but indices and `length`. */
function isDense(array: object, keys: readonly PropertyKey[]): boolean {
  const { length } = array as readonly unknown[];
  return keys.length === length + 1 && (length === 0 || keys[length - 1] === String(length - 1));
}

/** What most values are; `undefined` may also mean absent. */
function isSamePrimitive(a: unknown, b: unknown): boolean {
  return a !== undefined && (typeof a !== 'object' || a === null) && Object.is(a, b);
}
