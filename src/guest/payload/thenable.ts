import { typeDetection } from '../../engines/probe/type-detection.ts';

/** A built value. It is in an object, because a promise would read `then` of the value: perhaps a user's getter. */
export interface Built {
  value: unknown;
  /**
   * Origin of the value.
   * - parsed: read from its file and parsed anew
   * - built: made by a factory
   * - live: the module's export, not used before
   * - evaluated-again: exported by one more evaluation of the module
   * - cloned: a structured clone of the live value, because a new evaluation gave the same objects again
   */
  how: 'parsed' | 'built' | 'live' | 'evaluated-again' | 'cloned';
  /** Objects of the transfer list; [] without a transfer list. */
  transfer?: Transferable[];
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** The `then` that awaiting a value would read, without running a getter or a Proxy trap ('hidden'). */
function readThen(value: unknown): 'none' | 'function' | 'hidden' {
  for (let at = value; isObject(at); at = Object.getPrototypeOf(at) as unknown) {
    if (typeDetection().isProxy(at)) return 'hidden';
    const own = Object.getOwnPropertyDescriptor(at, 'then');
    if (own?.get) return 'hidden';
    if (own) return typeof own.value === 'function' ? 'function' : 'none';
  }
  return 'none';
}

/** True when a promise cannot resolve to the value without running its code. */
export const runsCodeWhenAwaited = (value: unknown): boolean => readThen(value) !== 'none';

/** True for a value that would be awaited, because it has a `then` function. */
export const isPromiseLike = (value: unknown): boolean => readThen(value) === 'function';

export async function awaited(value: unknown): Promise<{ value: unknown }> {
  return { value: readThen(value) === 'function' ? await value : value };
}
