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
import { hasStructured } from '../records/frames.ts';
import { textStackCleaner } from './stack-text.ts';

interface Watching {
  /** Before each call. */
  before?(receiver: unknown, args: unknown[]): void;
  /** After each call that did not throw. @param patch frames above it are the page's @param from @param to on the clock */
  called?(
    receiver: unknown,
    args: unknown[],
    patch: unknown,
    from: number,
    to: number,
    result: unknown,
  ): void;
  /** After each call that threw. */
  threw?(receiver: unknown, args: unknown[], patch: unknown, error: unknown): void;
}

type Callable = (...args: unknown[]) => unknown;

/** What has the function: functions of workers are inherited in some browsers. */
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
      called?.(receiver, args, handler.apply, from, now(), result);
      return result;
    },
  };
  defineProperty(owner, key, { ...found, [part]: new Proxy(original as Callable, handler as object) });
}

/** Objects of a class of the browser, as they are made. @param given what it is called with instead */
export function watchConstructor(
  owner: object,
  name: string,
  made: (object: object, args: unknown[]) => void,
  given: (args: unknown[]) => unknown[] = (args) => args,
): void {
  const found = getOwnPropertyDescriptor(owner, name);
  if (typeof found?.value !== 'function' || !found.configurable) return;
  const original = found.value as new (...args: unknown[]) => object;
  const handler = {
    __proto__: null,
    construct(target: typeof original, args: unknown[], newTarget: typeof original): object {
      let object: object;
      try {
        object = construct(target, given(args), newTarget) as object;
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
const cleaned = hasStructured ? stackCleaner(OWN_ADDRESS, () => false) : textStackCleaner(OWN_ADDRESS);
