import type { LossKind } from '../../model/rules/loss.ts';
import type { TrailStep } from '../paths.ts';
import { readLength } from '../value/array-reads.ts';
import { isLongView, unboxed } from '../value/intrinsics.ts';
import { ERROR_ENVIRONMENT, isIndexKey, ownData } from '../value/own-data.ts';
import { isOfPlatform, platformClass } from '../value/platform-class.ts';
import { type ComparedType, valueName } from './value-type.ts';

/** Children of two values of one type, in pairs. */
export type ChildPairs = { steps: TrailStep[]; left: unknown[]; right: unknown[] };

/** Reports a loss of the current value, or of its property at `step`. */
export type ReportLoss = (kind: LossKind, what: string, step?: TrailStep) => void;

const arrayIndex = (key: string): number | null => (isIndexKey(key) ? Number(key) : null);

/** True for a property that reflects an internal slot; the slots are compared separately. */
function isSlot(type: ComparedType, key: string | symbol, value: object): boolean {
  if (typeof key === 'symbol') return isOfPlatform(value);
  if (type === 'regexp') return key === 'lastIndex';
  if (type === 'error' && key === 'message') return platformClass(value) === undefined;
  if (type === 'error') return ERROR_ENVIRONMENT.has(key);
  if (type === 'view') return isIndexKey(key);
  if (type !== 'boxed') return false;
  const inside = unboxed(value);
  return (
    typeof inside === 'string' && (key === 'length' || (arrayIndex(key) ?? inside.length) < inside.length)
  );
}

const isBeyond = (step: TrailStep | null, array: object): boolean =>
  typeof step === 'number' && step >= readLength(array as readonly unknown[]);

const absence = (step: TrailStep | null): string => (typeof step === 'number' ? 'hole' : 'absent');

export class PropertyComparison {
  readonly pairs: ChildPairs = { steps: [], left: [], right: [] };
  readonly a: object;
  readonly b: object;
  readonly type: ComparedType;
  readonly report: ReportLoss;
  #missing = false;
  /** Integrity of the original. If it is lost, this is one loss, not a loss of attributes for each property. */
  readonly #integrity: Integrity;
  constructor(a: object, b: object, type: ComparedType, report: ReportLoss) {
    this.a = a;
    this.b = b;
    this.type = type;
    this.report = report;
    this.#integrity = readIntegrity(a);
  }

  /** Reports a loss. A symbol key has no path, so the text names the property; only its children use it as a step. */
  #lost(kind: LossKind, key: PropertyKey, step: TrailStep | null, what: string): void {
    if (step === null) this.report(kind, `property ${String(key)}: ${what}`);
    else this.report(kind, what, step);
  }

  #step(key: PropertyKey): TrailStep | null {
    if (typeof key === 'symbol') return null;
    return (this.type === 'array' ? arrayIndex(String(key)) : null) ?? String(key);
  }

  #original(key: PropertyKey): void {
    const property = Object.getOwnPropertyDescriptor(this.a, key)!;
    const isData = 'value' in property;
    this.#attributes(key, property);
    const arrives = Object.hasOwn(this.b, key);
    if (arrives && isData && isSamePrimitive(property.value, ownData(this.b, key))) return;
    const step = this.#step(key);
    if (!arrives) {
      this.#missing = true;
      if (isBeyond(step, this.b)) return;
      const name = isData ? valueName(property.value) : 'getter';
      this.#lost('property', key, step, `${name} became ${absence(step)}`);
    } else if (!isData) this.#getter(key, step);
    else if (this.type === 'error' && key === 'cause' && typeof ownData(this.b, key) === 'string')
      this.#lost('value', key, step, `${valueName(property.value)} became a text`);
    else if (this.type === 'array' && key === 'length') return;
    // Clones do not have symbol keys, but Electron's contextBridge copies their values.
    else this.#add(step ?? String(key), property.value, ownData(this.b, key));
  }

  /** Compares the attributes of a data property that arrives. The usual case, all three set, is checked first. */
  #attributes(key: PropertyKey, before: PropertyDescriptor): void {
    const { writable, enumerable, configurable } = before;
    if ((writable && enumerable && configurable) || !('value' in before)) return;
    const after = Object.getOwnPropertyDescriptor(this.b, key);
    if (after === undefined || !('value' in after) || this.#integrity === 'frozen') return;
    const words: string[] = [];
    if (writable !== after.writable) words.push(writable ? 'writable' : 'read-only');
    if (enumerable !== after.enumerable) words.push(enumerable ? 'enumerable' : 'not enumerable');
    if (configurable !== after.configurable && this.#integrity !== 'sealed')
      words.push(configurable ? 'configurable' : 'not configurable');
    if (words.length > 0) this.#lost('attributes', key, this.#step(key), `no longer ${words.join(', ')}`);
  }

  #add(step: TrailStep, left: unknown, right: unknown): void {
    this.pairs.steps.push(step);
    this.pairs.left.push(left);
    this.pairs.right.push(right);
  }

  #getter(key: PropertyKey, step: TrailStep | null): void {
    if ('value' in Object.getOwnPropertyDescriptor(this.b, key)!)
      this.#lost('getter', key, step, 'getter became a value');
  }

  #restored(key: PropertyKey): void {
    if (Object.hasOwn(this.a, key)) return;
    const step = this.#step(key);
    if (isBeyond(step, this.a)) return;
    const value = ownData(this.b, key);
    this.#lost('value', key, step, `${absence(step)} became ${valueName(value)}`);
  }

  compare(): ChildPairs {
    // The shared memory of WebAssembly is always frozen, with or without a clone (WebAssembly JS API).
    const isWasmMemory = this.type === 'sharedarraybuffer' && this.#integrity === 'frozen';
    if (this.#integrity !== readIntegrity(this.b) && !isWasmMemory)
      this.report('integrity', `${this.#integrity} became ${readIntegrity(this.b)}`);
    if (isLongView(this.a) && isLongView(this.b)) return this.pairs;
    const keysA = Reflect.ownKeys(this.a);
    const keysB = Reflect.ownKeys(this.b);
    if (this.type === 'array' && isDense(this.a, keysA) && isDense(this.b, keysB)) return this.#dense();
    for (const key of keysA) if (!isSlot(this.type, key, this.a)) this.#original(key);
    // No new keys are possible if the number of keys is the same and none is missing.
    if (keysB.length !== keysA.length || this.#missing)
      for (const key of keysB) if (!isSlot(this.type, key, this.b)) this.#restored(key);
    return this.pairs;
  }

  #dense(): ChildPairs {
    const { a, b } = this;
    const shorter = Math.min(readLength(a as unknown[]), readLength(b as unknown[]));
    this.#attributes('length', Object.getOwnPropertyDescriptor(a, 'length')!);
    for (let index = 0; index < shorter; index++) {
      const property = Object.getOwnPropertyDescriptor(a, index)!;
      this.#attributes(String(index), property);
      if (!('value' in property)) this.#getter(String(index), index);
      else {
        const restored = ownData(b, index);
        if (!isSamePrimitive(property.value, restored)) this.#add(index, property.value, restored);
      }
    }
    return this.pairs;
  }
}

type Integrity = 'extensible' | 'non-extensible' | 'sealed' | 'frozen';

function readIntegrity(value: object): Integrity {
  if (Object.isExtensible(value)) return 'extensible';
  if (Object.isFrozen(value)) return 'frozen';
  return Object.isSealed(value) ? 'sealed' : 'non-extensible';
}

/** True if there are only indices and `length`. Indices are first and in order, so the last index proves the others. */
function isDense(array: object, keys: readonly PropertyKey[]): boolean {
  const length = readLength(array as readonly unknown[]);
  return keys.length === length + 1 && (length === 0 || keys[length - 1] === String(length - 1));
}

/** Quick check of the usual case. `undefined` is excluded because it may also mean an absent property. */
const isSamePrimitive = (a: unknown, b: unknown): boolean =>
  a !== undefined && (typeof a !== 'object' || a === null) && Object.is(a, b);
