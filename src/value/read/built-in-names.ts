import { cutName } from '../../model/cut.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import { isNoProxy, ownData } from './own-data.ts';

export const CONSTRUCTOR_OF: Readonly<Partial<Record<Kind, string>>> = {
  object: 'Object',
  array: 'Array',
  date: 'Date',
  regexp: 'RegExp',
  map: 'Map',
  set: 'Set',
  error: 'Error',
  bigint: 'BigInt',
  promise: 'Promise',
  proxy: 'Proxy',
  weakmap: 'WeakMap',
  weakset: 'WeakSet',
  weakref: 'WeakRef',
  arraybuffer: 'ArrayBuffer',
  sharedarraybuffer: 'SharedArrayBuffer',
  dataview: 'DataView',
};

/** Built-in errors; a clone keeps these names except AggregateError (HTML StructuredSerializeInternal, step 17). */
const STANDARD_ERRORS: ReadonlySet<string> = new Set([
  ...['Error', 'EvalError', 'RangeError', 'ReferenceError'],
  ...['SyntaxError', 'TypeError', 'URIError', 'AggregateError'],
]);

export const isStandardError = (name: string): boolean => STANDARD_ERRORS.has(name);

export function builtInName(prototype: object, isProxy = isNoProxy): string | undefined {
  const made = ownData(prototype, 'constructor');
  if (typeof made !== 'function' || isProxy(made)) return undefined;
  const name = ownData(made, 'name');
  return typeof name === 'string' && name !== '' ? cutName(name) : undefined;
}

/** False for a derived class. @param depth maximum number of prototypes above: one for Map, two for TypeError */
export function isOfBuiltIn(
  value: object,
  isName: (name: string) => boolean,
  depth: number,
  isProxy = isNoProxy,
): boolean {
  let at = Reflect.getPrototypeOf(value);
  if (at === null || isProxy(at) || !isName(builtInName(at, isProxy) ?? '')) return false;
  for (let above = 0; at !== null; above++) {
    if (above > depth || isProxy(at)) return false;
    at = Reflect.getPrototypeOf(at);
  }
  return true;
}
