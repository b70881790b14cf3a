/** Errors of recorded calls have the stack that they would have without the recorder, as V8 writes it. */
import { apply, defineProperty, getOwnPropertyDescriptor, hasOwn, indexOf } from '../realm/intrinsics.ts';
import { withoutOwn } from './stack-text.ts';

const ErrorHere = Error;
const formatter = getOwnPropertyDescriptor(Error, 'prepareStackTrace')?.value as unknown;
/** V8 gives errors an accessor from Node 21 on. */
const native = getOwnPropertyDescriptor(new Error(), 'stack');

/** @returns the same error. `patch`: the function of the recorder that the program called */
export type Clean = (error: unknown, patch: unknown) => unknown;

/** @param own is in each line of ours */
export const stackCleaner =
  (own: string, isProxy: (value: unknown) => boolean): Clean =>
  (error, patch) => {
    try {
      if (typeof error === 'object' && error !== null && !isProxy(error)) clean(error, own, patch);
    } catch {
      // It keeps the stack that it has.
    }
    return error;
  };

function clean(error: object, own: string, patch: unknown): void {
  // The program formats stacks itself: nothing is known of what it makes of them.
  if (getOwnPropertyDescriptor(ErrorHere, 'prepareStackTrace')?.value !== formatter) return;
  const found = getOwnPropertyDescriptor(error, 'stack');
  if (found === undefined) return;
  const text: unknown = hasOwn(found, 'value') ? found.value : nativeStack(error, found);
  if (typeof text !== 'string' || indexOf(text, own) < 0) return;
  const stack = withoutOwn(text, own, patch);
  if (hasOwn(found, 'value')) {
    if (found.writable) defineProperty(error, 'stack', { __proto__: null, value: stack } as never);
  } else apply(found.set!, error, [stack]);
}

const nativeStack = (error: object, { get }: PropertyDescriptor): unknown =>
  get !== undefined && get === native?.get ? apply(get, error, []) : undefined;
