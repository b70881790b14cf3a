import { orElse } from '../../../model/or-else.ts';
import { isIndexKey } from '../../../value/read/own-data.ts';

/** V8 natives (src/runtime/runtime.h), each compiled alone. Natives syntax must be allowed while they are compiled. */

type NativeTest = (value: unknown) => boolean;

/**
 * A wrong argument kills the process (CHECK), so callers pass only real arrays, objects and strings, never a Proxy.
 */
export interface Natives {
  hasFastProperties: NativeTest;
  hasFastElements: NativeTest;
  hasHoleyElements: NativeTest;
  hasSmiElements: NativeTest;
  hasDoubleElements: NativeTest;
  hasDictionaryElements: NativeTest;
  haveSameMap: (a: unknown, b: unknown) => boolean;
  /** From V8 13.6 (Node 24, Deno 2.3.7; not in 13.0): false for a rope that is not flattened. */
  stringIsFlat: NativeTest | null;
}

/** Functions are compiled on their first call. @throws for an unknown name, or if natives are not allowed */
function native(name: string, ...samples: unknown[]): (...values: unknown[]) => boolean {
  const parameters = ['a', 'b'].slice(0, samples.length).join();
  const compiled = new Function(parameters, `return %${name}(${parameters})`) as () => boolean;
  compiled.apply(null, samples as []);
  return compiled;
}

/** null if V8 does not have a native of this name, or does not allow it. */
export function nativeOrNull(name: string, sample: unknown): NativeTest | null {
  return orElse(() => native(name, sample), null);
}

/** null if V8 does not compile them. */
export function compiledNatives(): Natives | null {
  return orElse(
    () => ({
      hasFastProperties: native('HasFastProperties', []),
      hasFastElements: native('HasFastElements', []),
      hasHoleyElements: native('HasHoleyElements', []),
      hasSmiElements: native('HasSmiElements', []),
      hasDoubleElements: native('HasDoubleElements', []),
      hasDictionaryElements: native('HasDictionaryElements', []),
      haveSameMap: native('HaveSameMap', [], []),
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
