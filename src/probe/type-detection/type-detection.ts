/** Brand checks through node:util `types`, which Node, Deno and Bun share: internal slots, any realm. */
import { types } from 'node:util';
import { rareBuiltIn } from '../../core/describe/inspect/rare-built-ins.ts';
import type { BuiltInType, TypeDetection } from '../../core/describe/probe.ts';
import type { Kind } from '../../model/shape.ts';
import { namespaceObject, platformObject } from './platform-objects.ts';

type Test = (value: unknown) => boolean;

/** In the order of how often payloads hold them. Each test is a call into the engine of some nanoseconds. */
const ALL_KINDS: readonly [Test | undefined, Kind, string?][] = [
  [types.isDate, 'date'],
  [types.isMap, 'map'],
  [types.isSet, 'set'],
  [types.isArrayBuffer, 'arraybuffer'],
  [types.isSharedArrayBuffer, 'sharedarraybuffer'],
  [types.isRegExp, 'regexp'],
  [types.isNativeError, 'error'],
  [types.isPromise, 'promise'],
  [types.isWeakMap, 'weakmap'],
  [types.isWeakSet, 'weakset'],
  [types.isArgumentsObject, 'arguments'],
  [types.isGeneratorObject, 'generator'],
  [types.isMapIterator, 'iterator', 'Map Iterator'],
  [types.isSetIterator, 'iterator', 'Set Iterator'],
  [types.isModuleNamespaceObject, 'module-namespace'],
  [types.isExternal, 'not-cloneable', 'External'],
];

/** Deno has not all of them. */
const KINDS = ALL_KINDS.filter((row): row is [Test, Kind, string?] => row[0] !== undefined);

const BOXED: readonly [Test, string][] = [
  [types.isStringObject, 'String'],
  [types.isNumberObject, 'Number'],
  [types.isBooleanObject, 'Boolean'],
  [types.isBigIntObject, 'BigInt'],
];

const PLAIN: BuiltInType = { kind: 'object' };

const WASM_OBJECT: BuiltInType = { kind: 'not-cloneable', tag: 'WebAssembly object' };

/** An object of WebAssembly GC shows nothing at all, like an empty frozen one without prototype; it does not clone. */
function isOpaque(value: object): boolean {
  if (Object.isExtensible(value) || Reflect.ownKeys(value).length > 0) return false;
  try {
    structuredClone(value);
    return false;
  } catch {
    return true;
  }
}

function boxedBrand(value: object): BuiltInType {
  const tag = BOXED.find(([test]) => test(value))?.[1];
  // Object(Symbol()) is refused by every engine (HTML StructuredSerializeInternal, step 5).
  return tag === undefined ? { kind: 'not-cloneable', tag: 'Symbol' } : { kind: 'boxed', tag };
}

function brandOf(value: object): BuiltInType {
  if (ArrayBuffer.isView(value)) return { kind: types.isDataView(value) ? 'dataview' : 'typedarray' };
  for (const [test, kind, tag] of KINDS) if (test(value)) return tag === undefined ? { kind } : { kind, tag };
  if (types.isBoxedPrimitive(value)) return boxedBrand(value);
  const prototype = Reflect.getPrototypeOf(value);
  if (prototype === null) return isOpaque(value) ? WASM_OBJECT : PLAIN;
  if (prototype === Object.prototype) return namespaceObject(value) ?? PLAIN;
  return rareBuiltIn(value, types.isProxy) ?? platformObject(value) ?? PLAIN;
}

/** A subarray of the pool that Buffer.from cuts small buffers from. */
function poolBytes(): number {
  const small = Buffer.from('pool');
  return small.byteLength < small.buffer.byteLength ? small.buffer.byteLength : 0;
}

export const typeDetection: TypeDetection = {
  isProxy: types.isProxy,
  of: brandOf,
  isNodeBuffer: (view) => Object.prototype.isPrototypeOf.call(Buffer.prototype, view),
  poolBytes: poolBytes(),
};
