/** V8's natives in a page: Chromium is started with `--allow-natives-syntax`, for all its threads. */
import type { Natives } from './natives.ts';

/** Functions are compiled on their first call. @throws for an unknown name, or where natives are not allowed */
function native(name: string, ...samples: unknown[]): (...values: unknown[]) => boolean {
  const parameters = ['a', 'b'].slice(0, samples.length).join();
  const compiled = new Function(parameters, `return %${name}(${parameters})`) as () => boolean;
  compiled.apply(null, samples as []);
  return compiled;
}

let found: Natives | null | undefined;

/** Before user code runs. null as `v8Natives`. */
function proxyTest(): ((value: object) => boolean) | null {
  try {
    return native('IsJSProxy', {});
  } catch {
    return null;
  }
}

export const isProxy = proxyTest();

/** null where the browser was started without the flag, or is not of V8. Callers pass only what `natives.ts` allows. */
export function v8Natives(): Natives | null {
  if (found !== undefined) return found;
  try {
    found = {
      hasFastProperties: native('HasFastProperties', []),
      hasFastElements: native('HasFastElements', []),
      hasHoleyElements: native('HasHoleyElements', []),
      hasSmiElements: native('HasSmiElements', []),
      hasDoubleElements: native('HasDoubleElements', []),
      hasDictionaryElements: native('HasDictionaryElements', []),
      haveSameMap: native('HaveSameMap', [], []),
      stringIsFlat: native('StringIsFlat', 'text'),
    };
  } catch {
    found = null;
  }
  return found;
}
