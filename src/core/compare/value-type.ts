/**
 * What a value is, by internal slots: a spoofed Symbol.toStringTag or prototype changes nothing, and no user code runs.
 * Slots are asked through the intrinsics, which throw on the wrong brand (ECMA-262, RequireInternalSlot).
 */

export type ValueType =
  | 'undefined'
  | 'null'
  | 'boolean'
  | 'number'
  | 'bigint'
  | 'string'
  | 'symbol'
  | 'function'
  | 'object'
  | 'array'
  | 'date'
  | 'regexp'
  | 'map'
  | 'set'
  | 'error'
  | 'boxed'
  | 'arraybuffer'
  | 'sharedarraybuffer'
  | 'view';

type SlotReader = (this: unknown) => unknown;

const getter = (owner: object, key: PropertyKey): SlotReader =>
  Object.getOwnPropertyDescriptor(owner, key)?.get as SlotReader;

const askMap: SlotReader = function (this: unknown) {
  return Map.prototype.has.call(this as Map<unknown, unknown>, 0);
};
const askSet: SlotReader = function (this: unknown) {
  return Set.prototype.has.call(this as Set<unknown>, 0);
};

/** Brands that Object.prototype.toString does not tell from an ordinary object once @@toStringTag is out of the way. */
const HIDDEN: readonly [ValueType, SlotReader][] = [
  ['map', askMap],
  ['set', askSet],
  ['arraybuffer', getter(ArrayBuffer.prototype, 'byteLength')],
  ['boxed', BigInt.prototype.valueOf as SlotReader],
  ['boxed', Symbol.prototype.valueOf as SlotReader],
  ...(typeof SharedArrayBuffer === 'undefined'
    ? []
    : [['sharedarraybuffer', getter(SharedArrayBuffer.prototype, 'byteLength')] as [ValueType, SlotReader]]),
];

/** The others, for objects that carry a @@toStringTag. */
const TOLD: readonly [ValueType, SlotReader][] = [
  ['date', Date.prototype.getTime as SlotReader],
  ['regexp', getter(RegExp.prototype, 'source')],
  ['boxed', Number.prototype.valueOf as SlotReader],
  ['boxed', String.prototype.valueOf as SlotReader],
  ['boxed', Boolean.prototype.valueOf as SlotReader],
];

const BY_TAG: Readonly<Record<string, ValueType>> = {
  '[object Date]': 'date',
  '[object RegExp]': 'regexp',
  '[object Error]': 'error',
  '[object Number]': 'boxed',
  '[object String]': 'boxed',
  '[object Boolean]': 'boxed',
};

function holds(ask: SlotReader, value: object): boolean {
  try {
    ask.call(value);
    return true;
  } catch {
    return false;
  }
}

/** Asking for the descriptor, never for the value: @@toStringTag may be a getter of the user's. */
function isTagged(value: object): boolean {
  for (let at: object | null = value; at !== null; at = Object.getPrototypeOf(at) as object | null)
    if (Object.hasOwn(at, Symbol.toStringTag)) return true;
  return false;
}

function descendsFrom(value: object, ancestor: object): boolean {
  for (let at = Object.getPrototypeOf(value) as object | null; at !== null; at = Object.getPrototypeOf(at))
    if (at === ancestor) return true;
  return false;
}

/** Slow and exact; RegExp.prototype itself, which answers for `source`, is an ordinary object. */
function exactObjectType(value: object): ValueType {
  if (Array.isArray(value)) return 'array';
  if (ArrayBuffer.isView(value)) return 'view';
  const tagged = isTagged(value);
  const told = tagged ? undefined : BY_TAG[Object.prototype.toString.call(value)];
  if (told !== undefined) return told;
  const asked = tagged ? [...HIDDEN, ...TOLD] : HIDDEN;
  for (const [brand, ask] of asked) if (holds(ask, value) && value !== RegExp.prototype) return brand;
  return tagged && descendsFrom(value, Error.prototype) ? 'error' : 'object';
}

const HINTS = new Map<object, ValueType>([
  [Map.prototype, 'map'],
  [Set.prototype, 'set'],
  [Date.prototype, 'date'],
  [ArrayBuffer.prototype, 'arraybuffer'],
]);
const ASKED = new Map<ValueType, SlotReader>([...TOLD, ...HIDDEN]);
/** Prototypes of which one object was found to be ordinary: its siblings are taken for ordinary until proven otherwise. */
const ordinary = new WeakSet<object>();

function quickObjectType(value: object): ValueType {
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === Object.prototype) return Array.isArray(value) ? 'array' : 'object';
  if (prototype === Array.prototype) return Array.isArray(value) ? 'array' : exactObjectType(value);
  if (prototype !== null && ordinary.has(prototype)) return Array.isArray(value) ? 'array' : 'object';
  const hint = prototype === null ? undefined : HINTS.get(prototype);
  if (hint !== undefined && holds(ASKED.get(hint)!, value)) return hint;
  const brand = exactObjectType(value);
  if (brand === 'object' && prototype !== null) ordinary.add(prototype);
  return brand;
}

function typeBy(value: unknown, ofObject: (value: object) => ValueType): ValueType {
  if (value === null) return 'null';
  return typeof value === 'object' ? ofObject(value) : (typeof value as ValueType);
}

/** Right unless someone gave a Date, Map or the like the prototype of ordinary objects. */
export const quickType = (value: unknown): ValueType => typeBy(value, quickObjectType);
/** Right always. */
export const exactType = (value: unknown): ValueType => typeBy(value, exactObjectType);

const viewName = getter(Object.getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag);

/** "Float64Array", "DataView". */
export function viewType(view: ArrayBufferView): string {
  return (viewName.call(view) as string | undefined) ?? 'DataView';
}

/** The primitive inside `new Number(1)`, `Object(1n)`, ... without asking its own valueOf. */
export function unboxed(value: object): unknown {
  const asks = [Number, String, Boolean, BigInt, Symbol].map((type) => type.prototype.valueOf as SlotReader);
  const ask = asks.find((one) => holds(one, value));
  return ask?.call(value);
}
