/** Errors of recorded calls have the stack that they would have without the recorder. */
import {
  apply,
  create,
  defineProperty,
  getOwnPropertyDescriptor,
  hasOwn,
  indexOf,
  slice,
} from '../realm/intrinsics.ts';

const ErrorHere = Error;
const { captureStackTrace } = Error;
const formatter = getOwnPropertyDescriptor(Error, 'prepareStackTrace')?.value as unknown;

/** @param patch the function of the recorder that the program called @returns the same error */
export type Clean = (error: unknown, patch?: unknown) => unknown;

/**
 * @param own is in each line of ours
 * @param rewritten a stack with lines of ours, as it would be without
 */
export const stackCleaner =
  (own: string, isProxy: (value: unknown) => boolean, rewritten: typeof withoutOwn = withoutOwn): Clean =>
  (error, patch) => {
    try {
      if (typeof error === 'object' && error !== null && !isProxy(error))
        rewrite(error, (text) => (indexOf(text, own) < 0 ? text : rewritten(text, own, patch)));
    } catch {
      // It keeps the stack that it has.
    }
    return error;
  };

/** Puts another message into a stack, which begins with it. */
export function rewriteStack(error: object, message: string, other: string): void {
  rewrite(error, (text) => {
    const at = message === '' ? -1 : indexOf(text, message);
    return at < 0 ? text : slice(text, 0, at) + other + slice(text, at + message.length);
  });
}

function rewrite(error: object, rewritten: (text: string) => string): void {
  // The program formats stacks itself: nothing is known of what it makes of them.
  if (getOwnPropertyDescriptor(ErrorHere, 'prepareStackTrace')?.value !== formatter) return;
  const found = getOwnPropertyDescriptor(error, 'stack');
  if (found === undefined) return;
  const isData = hasOwn(found, 'value');
  const text: unknown = isData ? found.value : nativeStack(error, found);
  const stack = typeof text === 'string' ? rewritten(text) : text;
  if (stack === text) return;
  if (!isData) apply(found.set!, error, [stack]);
  else if (found.writable) defineProperty(error, 'stack', { __proto__: null, value: stack } as never);
}

/** V8 gives errors an accessor from Node 21 on. Not asked at the start: Node would format a stack, which takes 1 ms. */
function nativeStack(error: object, { get }: PropertyDescriptor): unknown {
  const native = getOwnPropertyDescriptor(new ErrorHere(), 'stack');
  return get !== undefined && get === native?.get ? apply(get, error, []) : undefined;
}

export function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (let from = 0; from <= text.length; ) {
    const end = indexOf(text, '\n', from);
    lines[lines.length] = end < 0 ? slice(text, from) : slice(text, from, end);
    from = end < 0 ? text.length + 1 : end + 1;
  }
  return lines;
}

/** As V8 writes it: without our lines, and with as many more at the end, as the engine had cut the stack at its limit. */
function withoutOwn(text: string, own: string, patch: unknown): string {
  const lines = linesOf(text);
  let kept = '';
  let after = 0;
  let removed = 0;
  for (let i = 0; i < lines.length; i++) {
    const isOwn = indexOf(lines[i]!, own) >= 0;
    if (isOwn) removed++;
    else kept += i === 0 ? lines[i]! : `\n${lines[i]!}`;
    after = isOwn ? 0 : after + 1;
  }
  const holder = create(null) as { stack: string };
  captureStackTrace(holder, patch as () => void);
  const program = linesOf(holder.stack);
  for (let i = after + 1; i < program.length && i <= after + removed; i++) kept += `\n${program[i]!}`;
  return kept;
}
