/**
 * V8 natives (src/runtime/runtime.h), each compiled alone behind a flag that is reset at once. A wrong argument kills the
 * process (CHECK), so callers pass only real arrays, objects and strings, never a Proxy.
 */
import { setFlagsFromString } from 'node:v8';

type NativeTest = (value: unknown) => boolean;

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

/** Functions are compiled on their first call, which must happen while the flag is set. @throws for an unknown name */
function native(name: string, ...samples: unknown[]): (...values: unknown[]) => boolean {
  const parameters = ['a', 'b'].slice(0, samples.length).join();
  const compiled = new Function(parameters, `return %${name}(${parameters})`) as () => boolean;
  compiled.apply(null, samples as []);
  return compiled;
}

function stringIsFlat(): NativeTest | null {
  try {
    return native('StringIsFlat', 'text');
  } catch {
    return null;
  }
}

/** The compiled functions work after the flag is reset. null where V8 does not compile them. */
export function v8Natives(): Natives | null {
  // The collector drops the bytecode of functions that were not called for a while; parsing them again would fail.
  setFlagsFromString('--no-flush-bytecode');
  setFlagsFromString('--allow-natives-syntax');
  try {
    return {
      hasFastProperties: native('HasFastProperties', []),
      hasFastElements: native('HasFastElements', []),
      hasHoleyElements: native('HasHoleyElements', []),
      hasSmiElements: native('HasSmiElements', []),
      hasDoubleElements: native('HasDoubleElements', []),
      hasDictionaryElements: native('HasDictionaryElements', []),
      haveSameMap: native('HaveSameMap', [], []),
      stringIsFlat: stringIsFlat(),
    };
  } catch {
    return null;
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}
