/** Names of values in losses: "Date became string", "-0 became 0", "hole became undefined". */
import { CONSTRUCTOR_OF, classNameOf, isStandardError } from '../value/built-in-names.ts';
import { viewType } from '../value/intrinsics.ts';
import type { ComparedValueType } from './value-type.ts';

/** How many prototypes follow that of a standard object: `Object.prototype`, then null. */
const STANDARD_DEPTH: Readonly<Partial<Record<ComparedValueType, number>>> = { object: 0, error: 2, view: 2 };

function chainDepth(prototype: object): number {
  let depth = 0;
  for (let at = Object.getPrototypeOf(prototype); at !== null; at = Object.getPrototypeOf(at)) depth++;
  return depth;
}

function isStandard(value: object, type: ComparedValueType, prototype: object, name: string): boolean {
  if (chainDepth(prototype) > (STANDARD_DEPTH[type] ?? 1)) return false;
  if (type === 'error') return isStandardError(name);
  if (type === 'view') return name === viewType(value as ArrayBufferView);
  return type === 'boxed' || name === CONSTRUCTOR_OF[type];
}

const OWN_REALM = new Map<object, string>([
  [Object.prototype, 'object'],
  [Array.prototype, 'Array'],
]);

/**
 * "object", "Date", "TypeError", "Uint8Array", "class Point", "null-prototype object". The same for every realm, as a
 * clone always arrives in the receiver's realm.
 */
export function className(value: object, type: ComparedValueType): string {
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === null) return `null-prototype ${type}`;
  const own = OWN_REALM.get(prototype);
  if (own !== undefined && (type === 'object' || type === 'array')) return own;
  const name = classNameOf(prototype) ?? 'anonymous';
  if (!isStandard(value, type, prototype, name)) return `class ${name}`;
  return type === 'object' ? 'object' : name;
}

/** The value where it is short, else its type or class. */
export function valueName(value: unknown, type: ComparedValueType): string {
  switch (type) {
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
      return type;
    default:
      return className(value as object, type);
  }
}

function firstDifference(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) if (a.charCodeAt(i) !== b.charCodeAt(i)) return i;
  return shorter;
}

/** Two values that differ in type, or two different primitives. */
export function primitiveDifference(
  a: unknown,
  b: unknown,
  typeA: ComparedValueType,
  typeB: ComparedValueType,
): string {
  if (typeA === 'string' && typeB === 'string')
    return `string changed at unit ${firstDifference(a as string, b as string)}`;
  if (typeA === 'bigint' && typeB === 'bigint') return 'bigint changed';
  if (typeA === 'number' && typeB !== 'number' && Number.isFinite(a) && !Object.is(a, -0))
    return `number became ${valueName(b, typeB)}`;
  if (typeB === 'number' && typeA !== 'number' && Number.isFinite(b))
    return `${valueName(a, typeA)} became number`;
  return `${valueName(a, typeA)} became ${valueName(b, typeB)}`;
}
