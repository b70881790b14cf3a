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
  /** From V8 12.9 (Node 24, Deno): false for a rope that is not flattened. */
  stringIsFlat: NativeTest | null;
}

/** null where this V8 does not know the name (a SyntaxError). */
function native(name: string): NativeTest | null {
  try {
    return new Function('value', `return %${name}(value)`) as NativeTest;
  } catch {
    return null;
  }
}

function compiled(): Natives | null {
  const required = {
    hasFastProperties: native('HasFastProperties'),
    hasFastElements: native('HasFastElements'),
    hasHoleyElements: native('HasHoleyElements'),
    hasSmiElements: native('HasSmiElements'),
    hasDoubleElements: native('HasDoubleElements'),
    hasDictionaryElements: native('HasDictionaryElements'),
  };
  for (const found of Object.values(required)) if (found === null) return null;
  const same = new Function('a', 'b', 'return %HaveSameMap(a, b)');
  return {
    ...(required as Record<keyof typeof required, NativeTest>),
    haveSameMap: same as Natives['haveSameMap'],
    stringIsFlat: native('StringIsFlat'),
  };
}

/** The compiled functions work after the flag is reset. null where V8 does not compile them. */
export function v8Natives(): Natives | null {
  // The collector drops the bytecode of functions that were not called for a while; parsing them again would fail.
  setFlagsFromString('--no-flush-bytecode');
  setFlagsFromString('--allow-natives-syntax');
  try {
    const natives = compiled();
    // Functions are compiled on their first call, which must happen while the flag is set.
    if (natives !== null) for (const ask of Object.values(natives)) warm(ask, natives);
    return natives;
  } catch {
    return null;
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}

function warm(ask: Natives[keyof Natives], natives: Natives): void {
  if (ask === null) return;
  if (ask === natives.stringIsFlat) natives.stringIsFlat('text');
  else if (ask === natives.haveSameMap) natives.haveSameMap([], []);
  else (ask as NativeTest)([]);
}
