/**
 * V8 natives (src/runtime/runtime.h), compiled one by one behind a flag that is put back at once. A wrong argument to
 * one kills the process (CHECK), so callers pass real arrays, objects and strings only, never a Proxy.
 */
import { setFlagsFromString } from 'node:v8';

type Ask = (value: unknown) => boolean;

export interface Natives {
  hasFastProperties: Ask;
  hasFastElements: Ask;
  hasHoleyElements: Ask;
  hasSmiElements: Ask;
  hasDoubleElements: Ask;
  hasDictionaryElements: Ask;
  haveSameMap: (a: unknown, b: unknown) => boolean;
  /** From V8 12.9 (Node 24, Deno): false for a rope that is not flattened. */
  stringIsFlat: Ask | null;
}

/** A SyntaxError where this V8 does not know the name. */
function native(name: string): Ask | null {
  try {
    return new Function('value', `return %${name}(value)`) as Ask;
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
    ...(required as Record<keyof typeof required, Ask>),
    haveSameMap: same as Natives['haveSameMap'],
    stringIsFlat: native('StringIsFlat'),
  };
}

/** Compiled functions keep working after the flag is off. Null where V8 refuses. */
export function v8Natives(): Natives | null {
  // The collector drops the bytecode of functions that were not called for a while; parsing them again would fail.
  setFlagsFromString('--no-flush-bytecode');
  setFlagsFromString('--allow-natives-syntax');
  try {
    const natives = compiled();
    // Lazily compiled functions are parsed on their first call: that must happen while the flag is on.
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
  else (ask as Ask)([]);
}
