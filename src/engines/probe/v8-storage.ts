/** V8's natives (src/runtime/runtime.h), and the storage and paths that they report. */

import type { PathName } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import { STORED } from '../../value/describe/inspect/flags.ts';
import { byContent, isLatin1, type Storage } from '../../value/describe/inspect/storage.ts';
import { readLength } from '../../value/read/intrinsics.ts';
import { map } from '../../value/read/lists.ts';
import { isIndexKey } from '../../value/read/own-data.ts';
import { notAnswered, postedFresh, taken } from './oracle-result.ts';
import type { RuntimeProbe } from './probe.ts';
import { type TypeTest, typeDetection } from './type-detection.ts';

/** A wrong argument kills the process (CHECK), so callers pass only real arrays, objects and strings, never a Proxy. */
export type Natives = NonNullable<ReturnType<typeof compiledNatives>>;

/** Functions are compiled on their first call. @throws for an unknown name, or if natives are not allowed */
function native(name: string, ...samples: unknown[]): (...values: unknown[]) => boolean {
  const parameters = ['a', 'b'].slice(0, samples.length).join();
  const compiled = new Function(parameters, `return %${name}(${parameters})`) as () => boolean;
  compiled.apply(null, samples as []);
  return compiled;
}

export function nativeOrNull(name: string, sample: unknown): TypeTest | null {
  return orElse(() => native(name, sample), null);
}

export function compiledNatives() {
  return orElse(
    () => ({
      hasFastProperties: native('HasFastProperties', []),
      hasFastElements: native('HasFastElements', []),
      hasHoleyElements: native('HasHoleyElements', []),
      hasSmiElements: native('HasSmiElements', []),
      hasDoubleElements: native('HasDoubleElements', []),
      hasDictionaryElements: native('HasDictionaryElements', []),
      haveSameMap: native('HaveSameMap', [], []),
      /** From V8 13.6 (Node 24, Deno 2.3.7; not in 13.0): false for a rope that is not flattened. */
      stringIsFlat: nativeOrNull('StringIsFlat', 'text'),
    }),
    null,
  );
}

/** WriteJSObject takes the fast path for fast properties and no elements, up to the first getter. Never a Proxy. */
export function objectPath(value: object, natives: Natives): 'fast-object' | 'dictionary-object' {
  // Integer keys come first (OrdinaryOwnPropertyKeys).
  const first = Reflect.ownKeys(value)[0];
  const indexed = typeof first === 'string' && isIndexKey(first);
  const hasGetter = Object.keys(value).some((key) => 'get' in Reflect.getOwnPropertyDescriptor(value, key)!);
  return natives.hasFastProperties(value) && !indexed && !hasGetter ? 'fast-object' : 'dictionary-object';
}

/** V8 makes no shorter ropes (ConsString::kMinLength). */
const MIN_ROPE_LENGTH = 13;

/** Kind of an ordinary array, by its hidden class: Array.prototype, no named properties, extensible. */
function ordinaryKinds(natives: Natives) {
  const holey = (value: unknown): unknown[] => {
    const array = new Array<unknown>(2);
    array[0] = value;
    return array;
  };
  const packed: unknown[][] = [[1], [1.5], ['a']];
  const kinds = map([...packed, holey('a'), holey(1), holey(1.5)], (like, i) => {
    const elements = i < packed.length ? ('packed' as const) : ('holey' as const);
    return { like, elements, stored: arrayStorage(natives, like) };
  });
  return (value: readonly unknown[]) => kinds.find(({ like }) => natives.haveSameMap(value, like));
}

function stringStorage({ stringIsFlat }: Natives, width: Storage['string']): Storage['string'] {
  if (stringIsFlat === null) return width;
  return (text, depth) =>
    text.length >= MIN_ROPE_LENGTH && !stringIsFlat(text)
      ? STORED.rope | width(text, depth)
      : width(text, depth);
}

/** @param width width of strings, which only processes can query */
export function v8Storage(natives: Natives, width: Storage['string']): Storage {
  const kindOf = ordinaryKinds(natives);
  return {
    by: 'v8-natives',
    engine: 'v8',
    string: stringStorage(natives, width),
    object: (value) => (natives.hasFastProperties(value) ? 0 : STORED.dictionary),
    array: (value) => kindOf(value)?.stored ?? arrayStorage(natives, value),
    elements: (value) => {
      const elements = kindOf(value)?.elements;
      return elements === 'holey' && isMostlyHoles(value) ? undefined : elements;
    },
    // Objects of WebAssembly GC are not JSObjects and never extensible: the native would end the process for one.
    sameHiddenClass: (value, other) => Object.isExtensible(value) && natives.haveSameMap(value, other),
  };
}

/** True for an array such as `new Array(3e7)`: listing its few keys is faster than counting its holes. */
function isMostlyHoles(value: readonly unknown[]): boolean {
  const length = readLength(value);
  if (length < 1024) return false;
  let present = 0;
  for (let i = 0; i < 64; i++) if (Object.hasOwn(value, Math.floor((i * length) / 64))) present++;
  return present < 8;
}

function arrayStorage(natives: Natives, value: readonly unknown[]): number {
  if (natives.hasDictionaryElements(value)) return STORED['dictionary-elements'];
  if (!natives.hasFastElements(value)) return STORED['not-fast-elements'];
  if (natives.hasHoleyElements(value)) return STORED['holey-kind'];
  if (natives.hasSmiElements(value)) return STORED['packed-smi'];
  return natives.hasDoubleElements(value) ? STORED['packed-double'] : STORED['packed-elements'];
}

// V8 of Chromium and workerd: the natives read what decides the path (ValueSerializer::WriteJSReceiver).

/** WriteJSArray writes the elements as a block when they are fast and without holes. */
function arrayPath(value: readonly unknown[], natives: Natives): PathName {
  return natives.hasFastElements(value) && !natives.hasHoleyElements(value) ? 'packed-array' : 'holey-array';
}

/** null if natives do not show it: strings, whose width no native shows, and all that V8 writes in one way only. */
function rootPath(value: unknown, natives: Natives): PathName | null {
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return arrayPath(value, natives);
  return typeDetection().of(value).kind === 'object' ? objectPath(value, natives) : null;
}

/** Nothing reports it: JSON.parse stores Latin-1 text with one byte a unit, TextDecoder and `fetch().text()` wide. */
const stringWidth = (fromJson: boolean): Storage['string'] =>
  fromJson ? byContent : (text) => (isLatin1(text) ? 0 : STORED['two-byte']);

/** Called before user code runs. `storage` gives null if there are no natives. */
export function v8InPage(): Pick<RuntimeProbe, 'storage' | 'confirm'> {
  const natives = compiledNatives();
  return {
    storage: async (fromJson) => natives && v8Storage(natives, stringWidth(fromJson)),
    confirm: (fresh, shape) =>
      postedFresh(fresh, shape, (value) => {
        const path = natives && rootPath(value, natives);
        // Last, because it changes how V8 stores values that are built later. It shows whether the value is refused.
        structuredClone(value);
        if (natives === null) return notAnswered('this browser was not started with natives');
        if (path === null) return notAnswered('no native tells of such a value');
        return taken(path, '%HasFastProperties, %HasHoleyElements', []);
      }),
  };
}
