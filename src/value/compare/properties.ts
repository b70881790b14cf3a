import type { LossKind } from '../../model/rules/rule.ts';
import { readLength } from '../read/array-reads.ts';
import { isLongView, unboxed } from '../read/intrinsics.ts';
import { ERROR_ENVIRONMENT, isIndexKey, ownData } from '../read/own-data.ts';
import type { TrailStep } from '../read/paths.ts';
import { isOfPlatform, platformClass } from '../read/platform-class.ts';
import type { Container } from '../read/walk.ts';
import { type ComparedType, valueName } from './value-type.ts';

/** Children of two values of one type, in pairs: `others` are those of the second. */
export type ChildPairs = Container & { steps: TrailStep[]; values: unknown[]; others: unknown[] };

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

type Step = TrailStep | symbol;

const isBeyond = (step: Step, array: object): boolean =>
  typeof step === 'number' && step >= readLength(array as readonly unknown[]);

const absence = (step: Step): string => (typeof step === 'number' ? 'hole' : 'absent');

const NONE: readonly string[] = [];

/**
 * Attributes of a data property that arrive otherwise. If the object lost its integrity, this is one loss, not a loss of
 * attributes for each property. The usual case, all three set, is checked first.
 */
function changedAttributes(
  before: PropertyDescriptor,
  after: PropertyDescriptor,
  integrity: Integrity,
): readonly string[] {
  const { writable, enumerable, configurable } = before;
  if ((writable && enumerable && configurable) || !('value' in before)) return NONE;
  if (!('value' in after) || integrity === 'frozen') return NONE;
  const words: string[] = [];
  if (writable !== after.writable) words.push(writable ? 'writable' : 'read-only');
  if (enumerable !== after.enumerable) words.push(enumerable ? 'enumerable' : 'not enumerable');
  if (configurable !== after.configurable && integrity !== 'sealed')
    words.push(configurable ? 'configurable' : 'not configurable');
  return words;
}

/** Reports what the properties of `a` lost in `b`. @returns `pairs`, with the values to compare further */
export function propertyPairs(
  a: object,
  b: object,
  type: ComparedType,
  report: ReportLoss,
  pairs: ChildPairs = { steps: [], values: [], others: [], next: 0 },
): ChildPairs {
  const integrity = readIntegrity(a);
  // The shared memory of WebAssembly is always frozen, with or without a clone (WebAssembly JS API).
  const isWasmMemory = type === 'sharedarraybuffer' && integrity === 'frozen';
  if (integrity !== readIntegrity(b) && !isWasmMemory)
    report('integrity', `${integrity} became ${readIntegrity(b)}`);
  if (isLongView(a) && isLongView(b)) return pairs;
  const stepOf = (key: string | symbol): Step =>
    (type === 'array' && typeof key === 'string' ? arrayIndex(key) : null) ?? key;
  /** A symbol key has no path, so the text names the property; only its children use it as a step. */
  const lost = (kind: LossKind, step: Step, what: string) =>
    typeof step === 'symbol' ? report(kind, `property ${String(step)}: ${what}`) : report(kind, what, step);
  const [keysA, keysB] = [Reflect.ownKeys(a), Reflect.ownKeys(b)];
  let isMissing = false;
  for (const key of keysA) {
    if (isSlot(type, key, a)) continue;
    const before = Object.getOwnPropertyDescriptor(a, key)!;
    const after = Object.getOwnPropertyDescriptor(b, key);
    const isData = 'value' in before;
    if (after === undefined) {
      isMissing = true;
      const [step, name] = [stepOf(key), isData ? valueName(before.value) : 'getter'];
      if (!isBeyond(step, b)) lost('property', step, `${name} became ${absence(step)}`);
      continue;
    }
    const words = changedAttributes(before, after, integrity);
    if (words.length > 0) lost('attributes', stepOf(key), `no longer ${words.join(', ')}`);
    if (isData && isSamePrimitive(before.value, after.value)) continue;
    const step = stepOf(key);
    if (!isData) {
      if ('value' in after) lost('getter', step, 'getter became a value');
    } else if (type === 'error' && key === 'cause' && typeof after.value === 'string')
      lost('value', step, `${valueName(before.value)} became a text`);
    else if (type !== 'array' || key !== 'length') {
      // Clones do not have symbol keys, but Electron's contextBridge copies their values.
      pairs.steps.push(typeof step === 'symbol' ? String(step) : step);
      pairs.values.push(before.value);
      pairs.others.push(after.value);
    }
  }
  // No new keys are possible if the number of keys is the same and none is missing.
  if (keysB.length === keysA.length && !isMissing) return pairs;
  for (const key of keysB) {
    const step = stepOf(key);
    if (isSlot(type, key, b) || Object.hasOwn(a, key) || isBeyond(step, a)) continue;
    lost('value', step, `${absence(step)} became ${valueName(ownData(b, key))}`);
  }
  return pairs;
}

type Integrity = 'extensible' | 'non-extensible' | 'sealed' | 'frozen';

function readIntegrity(value: object): Integrity {
  if (Object.isExtensible(value)) return 'extensible';
  if (Object.isFrozen(value)) return 'frozen';
  return Object.isSealed(value) ? 'sealed' : 'non-extensible';
}

/** Quick check of the usual case. `undefined` is excluded because it may also mean an absent property. */
const isSamePrimitive = (a: unknown, b: unknown): boolean =>
  a !== undefined && (typeof a !== 'object' || a === null) && Object.is(a, b);
