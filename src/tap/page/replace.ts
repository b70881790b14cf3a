/** Functions and constructors of the page that are watched: each is a Proxy, which looks as the browser's own one does. */
import { OWN_ADDRESS } from '../../model/recording/page-tap.ts';
import {
  apply,
  construct,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  now,
} from '../realm/intrinsics.ts';
import { stackCleaner } from '../records/clean-stack.ts';

interface Watching {
  /** Before each call. */
  before?(receiver: unknown, args: unknown[]): void;
  /** After each call that did not throw. @param patch frames above it are the page's @param from @param to on the clock */
  called?(receiver: unknown, args: unknown[], patch: unknown, from: number, to: number): void;
  /** After each call that threw. */
  threw?(receiver: unknown, args: unknown[], patch: unknown, error: unknown): void;
}

type Callable = (...args: unknown[]) => unknown;

/** Object that has the function: those of workers are inherited. */
function holderOf(object: object, key: string): object {
  for (let at: object | null = object; at !== null; at = getPrototypeOf(at))
    if (getOwnPropertyDescriptor(at, key) !== undefined) return at;
  return object;
}

/** @param part `set`: of an accessor */
export function watchCalls(
  object: object,
  key: string,
  { before, called, threw }: Watching,
  part: 'set' | 'value' = 'value',
): void {
  const owner = holderOf(object, key);
  const found = getOwnPropertyDescriptor(owner, key);
  const original = found?.[part] as unknown;
  if (typeof original !== 'function' || !found?.configurable) return;
  const handler = {
    __proto__: null,
    apply(target: Callable, receiver: unknown, args: unknown[]): unknown {
      before?.(receiver, args);
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

/** A page cannot detect a Proxy. */
const cleaned = stackCleaner(OWN_ADDRESS, () => false);
