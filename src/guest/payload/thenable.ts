import { typeDetection } from '../../probe/type-detection/type-detection.ts';

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** The `then` that awaiting a value would find, without running a getter or a Proxy trap. */
function thenOf(value: unknown): PropertyDescriptor | 'behind a proxy' | null {
  for (let at = value; isObject(at); at = Object.getPrototypeOf(at) as unknown) {
    if (typeDetection.isProxy(at)) return 'behind a proxy';
    const own = Object.getOwnPropertyDescriptor(at, 'then');
    if (own) return own;
  }
  return null;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  const then = thenOf(value);
  return then !== null && then !== 'behind a proxy' && typeof then.value === 'function';
}

/** True when a promise cannot resolve to the value without running its code: it would read `then`. */
export function runsCodeWhenAwaited(value: unknown): boolean {
  const then = thenOf(value);
  return (
    then !== null && (then === 'behind a proxy' || then.get !== undefined || typeof then.value === 'function')
  );
}

export async function awaited(value: unknown): Promise<{ value: unknown }> {
  return { value: isThenable(value) ? await value : value };
}
