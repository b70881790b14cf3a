/** Functions and constructors of the page that are watched: each is a Proxy, which looks as the browser's own one does. */
import { apply, construct, defineProperty, getOwnPropertyDescriptor, now } from '../realm/intrinsics.ts';
import { stackCleaner } from '../records/clean-stack.ts';

interface Watching {
  /** Before each call. */
  before?(receiver: unknown): void;
  /** After each call that did not throw. @param patch frames above it are the page's @param from @param to on the clock */
  called?(receiver: unknown, args: unknown[], patch: unknown, from: number, to: number): void;
  /** After each call that threw. */
  threw?(receiver: unknown, args: unknown[], patch: unknown, error: unknown): void;
}

/** In `sourceURL` of the script: frames of ours have it. */
const OWN_ADDRESS = 'clone-prof:recorder';

type Callable = (...args: unknown[]) => unknown;

/** @param part `set`: of an accessor */
export function watchCalls(
  owner: object,
  key: string,
  { before, called, threw }: Watching,
  part: 'set' | 'value' = 'value',
): void {
  const found = getOwnPropertyDescriptor(owner, key);
  const original = found?.[part] as unknown;
  if (typeof original !== 'function' || !found?.configurable) return;
  const handler = {
    __proto__: null,
    apply(target: Callable, receiver: unknown, args: unknown[]): unknown {
      before?.(receiver);
      const from = now();
      let result: unknown;
      try {
        result = apply(target, receiver, args);
      } catch (error) {
        threw?.(receiver, args, handler.apply, error);
        throw cleaned(error, handler.apply);
      }
      called?.(receiver, args, handler.apply, from, now());
      return result;
    },
  };
  defineProperty(owner, key, { ...found, [part]: new Proxy(original as Callable, handler as object) });
}

/** Objects of a class of the browser, as they are made. */
export function watchConstructor(
  owner: object,
  name: string,
  made: (object: object, args: unknown[]) => void,
): void {
  const found = getOwnPropertyDescriptor(owner, name);
  if (typeof found?.value !== 'function' || !found.configurable) return;
  const original = found.value as new (...args: unknown[]) => object;
  const handler = {
    __proto__: null,
    construct(target: typeof original, args: unknown[], newTarget: typeof original): object {
      let object: object;
      try {
        object = construct(target, args, newTarget) as object;
      } catch (error) {
        throw cleaned(error, handler.construct);
      }
      made(object, args);
      return object;
    },
  };
  const watched = new Proxy(original, handler as object);
  const prototype = original.prototype as object;
  const back = getOwnPropertyDescriptor(prototype, 'constructor');
  if (back?.configurable) defineProperty(prototype, 'constructor', { ...back, value: watched });
  defineProperty(owner, name, { ...found, value: watched });
}

/** Nothing in a page tells a Proxy. */
const cleaned = stackCleaner(OWN_ADDRESS, () => false);
