/** Types of built-in objects: what a detection says of a value, and the names of their constructors. */

import { cutName } from '../../model/cut.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import { isNoProxy, ownData } from './own-data.ts';
/** Type of an object, as far as a check of internal slots can determine it. */
export interface BuiltInType {
  kind: Kind;
  /** Name of the constructor, if it does not follow from the kind. */
  tag?: string;
  transferable?: boolean;
  /** The object's web class has no clone steps, and this runtime clones it as an ordinary object. */
  web?: boolean;
}

/** Runs no user code. */
export interface TypeDetection {
  /** True for a Proxy, even if it is revoked. Called before anything else touches the object. */
  isProxy(value: object): boolean;
  of(value: object): BuiltInType;
  isNodeBuffer(view: object): boolean;
  /** True if the ArrayBuffer was marked as untransferable; absent if the runtime cannot check that. */
  isUntransferable?(buffer: object): boolean;
  /** True if it is known to be the memory of a WebAssembly.Memory. */
  isWasmMemory?(buffer: object): boolean;
  /** Bytes of the pool that small Node Buffers are cut from; 0 if there is no pool. */
  poolBytes: number;
}

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
