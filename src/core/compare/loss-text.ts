import { type ValueType, viewType } from './value-type.ts';

/** The names of things in "Date became string", "-0 became 0", "hole became undefined". */

const STANDARD: Readonly<Partial<Record<ValueType, string>>> = {
  object: 'Object',
  array: 'Array',
  date: 'Date',
  regexp: 'RegExp',
  map: 'Map',
  set: 'Set',
  arraybuffer: 'ArrayBuffer',
  sharedarraybuffer: 'SharedArrayBuffer',
};

/** How many prototypes follow that of a standard object: `Object.prototype`, then null. */
const STANDARD_DEPTH: Readonly<Partial<Record<ValueType, number>>> = { object: 0, error: 2, view: 2 };

function dataProperty(owner: object, key: PropertyKey): unknown {
  return Object.getOwnPropertyDescriptor(owner, key)?.value;
}

/** Name of the constructor as the prototype tells it, without running a getter. */
function constructorName(prototype: object): string {
  const made = dataProperty(prototype, 'constructor');
  const name = typeof made === 'function' ? dataProperty(made, 'name') : undefined;
  return typeof name === 'string' && name !== '' ? name : 'anonymous';
}

function chainDepth(prototype: object): number {
  let depth = 0;
  for (let at = Object.getPrototypeOf(prototype); at !== null; at = Object.getPrototypeOf(at)) depth++;
  return depth;
}

const ERRORS: ReadonlySet<string> = new Set([
  'Error',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
  'AggregateError',
]);

function isStandard(value: object, brand: ValueType, prototype: object): boolean {
  const name = constructorName(prototype);
  if (chainDepth(prototype) > (STANDARD_DEPTH[brand] ?? 1)) return false;
  if (brand === 'error') return ERRORS.has(name);
  if (brand === 'view') return name === viewType(value as ArrayBufferView);
  return brand === 'boxed' || name === STANDARD[brand];
}

const OWN_REALM = new Map<object, string>([
  [Object.prototype, 'object'],
  [Array.prototype, 'Array'],
]);

/**
 * "object", "Date", "TypeError", "Uint8Array", "class Point", "null-prototype object". The same for every realm, as a
 * clone always arrives in the receiver's realm.
 */
export function className(value: object, brand: ValueType): string {
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === null) return `null-prototype ${brand}`;
  const own = OWN_REALM.get(prototype);
  if (own !== undefined && (brand === 'object' || brand === 'array')) return own;
  const name = constructorName(prototype);
  if (!isStandard(value, brand, prototype)) return `class ${name}`;
  return brand === 'object' ? 'object' : name;
}

/** The value where it is short, else what it is. */
export function valueName(value: unknown, brand: ValueType): string {
  switch (brand) {
    case 'undefined':
    case 'null':
    case 'boolean':
      return String(value);
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint':
    case 'string':
    case 'symbol':
    case 'function':
      return brand;
    default:
      return className(value as object, brand);
  }
}

function firstDifference(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) if (a.charCodeAt(i) !== b.charCodeAt(i)) return i;
  return shorter;
}

/** Two primitives that are not the same. */
export function primitiveDifference(a: unknown, b: unknown, brandA: ValueType, brandB: ValueType): string {
  if (brandA === 'string' && brandB === 'string')
    return `string changed at unit ${firstDifference(a as string, b as string)}`;
  if (brandA === 'bigint' && brandB === 'bigint') return 'bigint changed';
  if (brandA === 'number' && brandB !== 'number' && Number.isFinite(a) && !Object.is(a, -0))
    return `number became ${valueName(b, brandB)}`;
  if (brandB === 'number' && brandA !== 'number' && Number.isFinite(b))
    return `${valueName(a, brandA)} became number`;
  return `${valueName(a, brandA)} became ${valueName(b, brandB)}`;
}
