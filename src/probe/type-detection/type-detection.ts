/** The built-in type of a value by its internal slots, in any realm. The entry of a bundle gives the tests of its engine. */

import type { BuiltInType, TypeDetection } from '../../core/describe/inspect/probe.ts';
import { rareBuiltIn } from '../../core/describe/inspect/rare-built-ins.ts';
import { flatMap } from '../../core/value/lists.ts';
import { givenByEntry } from '../../model/given.ts';
import { throws } from '../../model/or-else.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import type { EngineTypes, TypeTest, TypeTests } from './engine-types.ts';
import { languageObject, platformObject } from './platform-objects.ts';

/** The most frequent types of payloads first. Each test is a call into the engine and takes some nanoseconds. */
const KINDS: readonly [keyof TypeTests, Kind, string?][] = [
  ['isDate', 'date'],
  ['isMap', 'map'],
  ['isSet', 'set'],
  ['isArrayBuffer', 'arraybuffer'],
  ['isSharedArrayBuffer', 'sharedarraybuffer'],
  ['isRegExp', 'regexp'],
  ['isNativeError', 'error'],
  ['isPromise', 'promise'],
  ['isWeakMap', 'weakmap'],
  ['isWeakSet', 'weakset'],
  ['isArgumentsObject', 'arguments'],
  ['isGeneratorObject', 'generator'],
  ['isMapIterator', 'iterator', 'Map Iterator'],
  ['isSetIterator', 'iterator', 'Set Iterator'],
  ['isModuleNamespaceObject', 'module-namespace'],
  ['isExternal', 'not-cloneable', 'External'],
];

type KindRow = [test: TypeTest, kind: Kind, tag: string | undefined];

/** Deno lacks some of the tests. */
const kindsBy = (types: TypeTests): KindRow[] =>
  flatMap(KINDS, ([name, kind, tag]): KindRow[] => {
    const test = types[name];
    return test === undefined ? [] : [[test, kind, tag]];
  });

const BOXED: readonly [keyof TypeTests, string][] = [
  ['isStringObject', 'String'],
  ['isNumberObject', 'Number'],
  ['isBooleanObject', 'Boolean'],
  ['isBigIntObject', 'BigInt'],
];

const PLAIN: BuiltInType = { kind: 'object' };

/** An object of WebAssembly GC looks like an empty frozen object without prototype, but cannot be cloned. */
function isOpaque(value: object): boolean {
  if (Object.isExtensible(value) || Reflect.ownKeys(value).length > 0) return false;
  return throws(() => structuredClone(value));
}

/** ES2026; absent in older engines. Such an object does not have a prototype. */
const { isRawJSON } = JSON as { isRawJSON?: (value: object) => boolean };

function detectBy(types: TypeTests): (value: object) => BuiltInType {
  const kinds = kindsBy(types);
  return (value) => {
    if (ArrayBuffer.isView(value)) return { kind: types.isDataView(value) ? 'dataview' : 'typedarray' };
    for (const [test, kind, tag] of kinds)
      if (test(value)) return tag === undefined ? { kind } : { kind, tag };
    if (types.isBoxedPrimitive(value)) {
      const tag = BOXED.find(([name]) => types[name]?.(value))?.[1];
      // Every engine refuses Object(Symbol()) (HTML StructuredSerializeInternal, step 5).
      return tag === undefined ? { kind: 'not-cloneable', tag: 'Symbol' } : { kind: 'boxed', tag };
    }
    const prototype = Reflect.getPrototypeOf(value);
    if (prototype === null) {
      if (isRawJSON?.(value) === true) return { kind: 'not-cloneable', tag: 'JSON.rawJSON' };
      if (isOpaque(value)) return { kind: 'not-cloneable', tag: 'WebAssembly object' };
    }
    if (prototype === null || prototype === Object.prototype) return languageObject(value) ?? PLAIN;
    return rareBuiltIn(value, types.isProxy) ?? platformObject(value, types) ?? PLAIN;
  };
}

const given = givenByEntry<TypeDetection>('types');

/** Called by each entry, before user code loads. */
export const giveTypes = ({
  types,
  bufferPrototype,
  isMarkedAsUntransferable,
  poolBytes,
}: EngineTypes): void =>
  given.give({
    isProxy: types.isProxy,
    of: detectBy(types),
    isNodeBuffer: (view) =>
      bufferPrototype !== null && Object.prototype.isPrototypeOf.call(bufferPrototype, view),
    ...(isMarkedAsUntransferable && { isUntransferable: isMarkedAsUntransferable }),
    poolBytes,
  });

/** Detection by the types that the entry of this bundle gave. */
export const typeDetection = given.get;
