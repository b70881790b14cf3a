/** The built-in type of a value by its internal slots, in any realm. */

import type { BuiltInType, TypeDetection } from '../../core/describe/inspect/probe.ts';
import { rareBuiltIn } from '../../core/describe/inspect/rare-built-ins.ts';
import { filter } from '../../core/value/lists.ts';
import { throws } from '../../model/or-else.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import { bufferPrototype, isMarkedAsUntransferable, poolBytes, types } from './engine-types.ts';
import { languageObject, platformObject } from './platform-objects.ts';

type TypeTest = (value: unknown) => boolean;

/** The most frequent types of payloads first. Each test is a call into the engine and takes some nanoseconds. */
const ALL_KINDS: readonly [TypeTest | undefined, Kind, string?][] = [
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

/** Deno lacks some of them. */
const KINDS = filter(ALL_KINDS, (row): row is [TypeTest, Kind, string?] => row[0] !== undefined);

const BOXED: readonly [TypeTest, string][] = [
  [types.isStringObject, 'String'],
  [types.isNumberObject, 'Number'],
  [types.isBooleanObject, 'Boolean'],
  [types.isBigIntObject, 'BigInt'],
];

const PLAIN: BuiltInType = { kind: 'object' };

/** An object of WebAssembly GC looks like an empty frozen object without prototype, but cannot be cloned. */
function isOpaque(value: object): boolean {
  if (Object.isExtensible(value) || Reflect.ownKeys(value).length > 0) return false;
  return throws(() => structuredClone(value));
}

/** ES2026; absent in older engines. Such an object has no prototype. */
const { isRawJSON } = JSON as { isRawJSON?: (value: object) => boolean };

function detectBuiltIn(value: object): BuiltInType {
  if (ArrayBuffer.isView(value)) return { kind: types.isDataView(value) ? 'dataview' : 'typedarray' };
  for (const [test, kind, tag] of KINDS) if (test(value)) return tag === undefined ? { kind } : { kind, tag };
  if (types.isBoxedPrimitive(value)) {
    const tag = BOXED.find(([test]) => test(value))?.[1];
    // Every engine refuses Object(Symbol()) (HTML StructuredSerializeInternal, step 5).
    return tag === undefined ? { kind: 'not-cloneable', tag: 'Symbol' } : { kind: 'boxed', tag };
  }
  const prototype = Reflect.getPrototypeOf(value);
  if (prototype === null) {
    if (isRawJSON?.(value) === true) return { kind: 'not-cloneable', tag: 'JSON.rawJSON' };
    if (isOpaque(value)) return { kind: 'not-cloneable', tag: 'WebAssembly object' };
  }
  if (prototype === null || prototype === Object.prototype) return languageObject(value) ?? PLAIN;
  return rareBuiltIn(value, types.isProxy) ?? platformObject(value) ?? PLAIN;
}

export const typeDetection: TypeDetection = {
  isProxy: types.isProxy,
  of: detectBuiltIn,
  isNodeBuffer: (view) =>
    bufferPrototype !== null && Object.prototype.isPrototypeOf.call(bufferPrototype, view),
  ...(isMarkedAsUntransferable && { isUntransferable: isMarkedAsUntransferable }),
  poolBytes,
};
