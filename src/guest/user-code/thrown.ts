/** Reads what user code threw, which need not be an Error and may throw when it is read. */

import { cutText } from '../../model/cut.ts';
import { ToolError } from '../../model/errors.ts';
import { orElse } from '../../model/or-else.ts';

/** A stack begins with the message, and ends with the frames that are looked for. */
const MAX_STACK_LENGTH = 16_384;

function property(of: unknown, name: string): string | undefined {
  const value = orElse(() => (of as Record<string, unknown> | null | undefined)?.[name], undefined);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** "TypeError: x is not a function", cut. For the tool's errors the detail, as the text around it says what failed. */
export function thrownMessage(error: unknown): string {
  if (error instanceof ToolError && error.facts.detail !== undefined) return error.facts.detail;
  const message = property(error, 'message');
  if (message === undefined)
    return cutText(orElse(() => String(error), 'a value that cannot be turned into text'));
  const name = property(error, 'name');
  const short = cutText(message);
  return name === undefined || message.startsWith(name) ? short : `${cutText(name)}: ${short}`;
}

export function thrownBy(call: () => unknown): string | null {
  try {
    call();
    return null;
  } catch (error) {
    return thrownMessage(error);
  }
}

/** The stack, or its end if it is long. */
export function thrownStack(error: unknown): string {
  const stack = property(error, 'stack') ?? thrownMessage(error);
  return stack.length > MAX_STACK_LENGTH ? `…${stack.slice(-MAX_STACK_LENGTH)}` : stack;
}

export const thrownCode = (error: unknown): string | undefined => property(error, 'code');
