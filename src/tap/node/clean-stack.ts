/** Errors of recorded calls have the stack that they would have without the recorder. */

import { types } from 'node:util';
import {
  apply,
  create,
  defineProperty,
  getOwnPropertyDescriptor,
  hasOwn,
  indexOf,
  slice,
} from '../intrinsics.ts';

const ErrorHere = Error;
const { captureStackTrace } = Error;
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
  const stack = withoutOwn(text, patch);
  if (hasOwn(found, 'value')) {
    if (found.writable) defineProperty(error, 'stack', { __proto__: null, value: stack } as never);
  } else apply(found.set!, error, [stack]);
}

const nativeStack = (error: object, { get }: PropertyDescriptor): unknown =>
  get !== undefined && get === native?.get ? apply(get, error, []) : undefined;

/** Without our lines, and with as many more at the end: the engine had cut the stack at its limit. */
function withoutOwn(text: string, patch: unknown): string {
  let kept = '';
  let removed = 0;
  let after = 0;
  for (let from = 0; from <= text.length; ) {
    const end = indexOf(text, '\n', from);
    const line = end < 0 ? slice(text, from) : slice(text, from, end);
    if (indexOf(line, OWN) >= 0) {
      removed++;
      after = 0;
    } else {
      kept += from === 0 ? line : `\n${line}`;
      after++;
    }
    from = end < 0 ? text.length + 1 : end + 1;
  }
  return kept + linesAbove(patch, after, removed);
}

/** Lines of the program's stack: `count` after the first `skipped`. */
function linesAbove(patch: unknown, skipped: number, count: number): string {
  const holder = create(null) as { stack: string };
  captureStackTrace(holder, patch as () => void);
  const { stack } = holder;
  let from = indexOf(stack, '\n');
  for (let i = 0; i < skipped && from >= 0; i++) from = indexOf(stack, '\n', from + 1);
  if (from < 0) return '';
  let to = from;
  for (let i = 0; i < count && to >= 0; i++) to = indexOf(stack, '\n', to + 1);
  return to < 0 ? slice(stack, from) : slice(stack, from, to);
}
