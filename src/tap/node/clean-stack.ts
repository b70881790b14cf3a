/** Errors of recorded calls have the stack that they would have without the recorder. */

import { types } from 'node:util';
import { apply, defineProperty, getOwnPropertyDescriptor, hasOwn, indexOf } from '../intrinsics.ts';
import { withoutOwn } from '../stack-text.ts';

const ErrorHere = Error;
const formatter = getOwnPropertyDescriptor(Error, 'prepareStackTrace')?.value as unknown;
/** Of this file, which all of the tap is bundled into. */
const OWN = __filename;

/** V8 gives errors an accessor from Node 21 on. */
const native = getOwnPropertyDescriptor(new Error(), 'stack');

/** The same error. @param patch the function of the recorder that the program called */
export function cleaned(error: unknown, patch: unknown): unknown {
  try {
    if (typeof error === 'object' && error !== null && !types.isProxy(error)) clean(error, patch);
  } catch {
    // It keeps the stack that it has.
  }
  return error;
}

function clean(error: object, patch: unknown): void {
  // The program formats stacks itself: nothing is known of what it makes of them.
  if (getOwnPropertyDescriptor(ErrorHere, 'prepareStackTrace')?.value !== formatter) return;
  const found = getOwnPropertyDescriptor(error, 'stack');
  if (found === undefined) return;
  const text: unknown = hasOwn(found, 'value') ? found.value : nativeStack(error, found);
  if (typeof text !== 'string' || indexOf(text, OWN) < 0) return;
  const stack = withoutOwn(text, OWN, patch);
  if (hasOwn(found, 'value')) {
    if (found.writable) defineProperty(error, 'stack', { __proto__: null, value: stack } as never);
  } else apply(found.set!, error, [stack]);
}

const nativeStack = (error: object, { get }: PropertyDescriptor): unknown =>
  get !== undefined && get === native?.get ? apply(get, error, []) : undefined;
