/** Errors of the program's, read and amended without running anything of it. */
import type { Frame } from '../../model/documents/recorded/call-site.ts';
import type { FoundValue } from '../../model/documents/recorded/recording.ts';
import { attempt, orElse } from '../../model/or-else.ts';
import * as kept from '../realm/intrinsics.ts';
import { canBeRead } from '../realm/platform.ts';

type Getter = (this: unknown) => unknown;
const LONGEST_NAME = 100;
const dom = globalThis.DOMException?.prototype as object | undefined;
const domGetter = (key: 'message' | 'name') =>
  (dom && kept.getOwnPropertyDescriptor(dom, key))?.get as Getter | undefined;
const domName = domGetter('name');
const domMessage = domGetter('message');

/** Reads data properties and the platform's own getters, so that the program's code does not run. */
export function errorName(error: unknown): string {
  if (!canBeRead(error)) return typeof error;
  const code = kept.dataOf(error, 'code');
  if (typeof code === 'string' && kept.startsWith(code, 'ERR_')) return kept.slice(code, 0, LONGEST_NAME);
  const name = ofPlatform(error, domName);
  if (name !== null) return name;
  let at: object | null = error;
  while (canBeRead(at)) {
    const own = kept.dataOf(at, 'name');
    if (typeof own === 'string') return kept.slice(own, 0, LONGEST_NAME);
    at = kept.getPrototypeOf(at);
  }
  return 'Error';
}

export function messageOf(error: unknown): string | null {
  if (!canBeRead(error)) return null;
  const own = kept.dataOf(error, 'message');
  return typeof own === 'string' ? own : ofPlatform(error, domMessage);
}

function ofPlatform(error: object, getter: Getter | undefined): string | null {
  const text: unknown = getter && orElse(() => kept.apply(getter, error, []), null);
  return typeof text === 'string' ? text : null;
}

/** Adds the refused value and the place of the post to the message of the program's error. */
export function amend(error: unknown, refused: FoundValue | null, at: Frame | undefined): void {
  // If that fails, the error stays unchanged.
  attempt(() => {
    if (!canBeRead(error)) return;
    const message = messageOf(error);
    if (message === null) return;
    const what = refused === null ? 'refused' : `${refused.whole} is ${refused.what}`;
    const place = at === undefined ? '' : `, posted at ${at.file}:${at.line}`;
    const longer = `${message} [${what}${place}]`;
    // First: the engine may make it of the message when it is first read.
    rewriteStack(error, message, longer);
    kept.setData(error, 'message', longer, false);
  });
}

const ErrorHere = Error;
const formatter = kept.getOwnPropertyDescriptor(Error, 'prepareStackTrace')?.value as unknown;

/** Puts another message into a stack, which begins with it. */
function rewriteStack(error: object, message: string, other: string): void {
  // The program formats stacks itself: nothing is known of what it makes of them.
  if (kept.getOwnPropertyDescriptor(ErrorHere, 'prepareStackTrace')?.value !== formatter) return;
  const found = kept.getOwnPropertyDescriptor(error, 'stack');
  if (found === undefined) return;
  const isData = kept.hasOwn(found, 'value');
  const stack: unknown = isData ? found.value : nativeStack(error, found);
  const at = typeof stack === 'string' && message !== '' ? kept.indexOf(stack, message) : -1;
  if (at < 0) return;
  const value = kept.slice(stack as string, 0, at) + other + kept.slice(stack as string, at + message.length);
  if (!isData) kept.apply(found.set!, error, [value]);
  else if (found.writable) kept.setData(error, 'stack', value, false);
}

/** V8 gives errors an accessor from Node 21 on. It is read late: at the start Node would format a stack, in 1 ms. */
function nativeStack(error: object, { get }: PropertyDescriptor): unknown {
  const native = kept.getOwnPropertyDescriptor(new ErrorHere(), 'stack');
  return get !== undefined && get === native?.get ? kept.apply(get, error, []) : undefined;
}
