/** Stacks as SpiderMonkey and JavaScriptCore write them: a line for each frame, `name@address:line:column`. */
import { orElse } from '../../model/or-else.ts';
import {
  apply,
  defineProperty,
  getOwnPropertyDescriptor,
  hasOwn,
  indexOf,
  lastIndexOf,
  slice,
} from '../realm/intrinsics.ts';
import type { StackFrame } from '../realm/platform.ts';
import { type Clean, linesOf } from '../records/clean-stack.ts';

const NATIVE = '[native code]';
const MAX_FRAMES = 24;

const ErrorHere = Error;
const stackGetter = (prototype: object | undefined) =>
  prototype && getOwnPropertyDescriptor(prototype, 'stack')?.get;
/** SpiderMonkey's; errors of JavaScriptCore have a property of their own. */
const ofError = stackGetter(Error.prototype);
const ofDom = stackGetter(globalThis.DOMException?.prototype);
const fileOfDom =
  globalThis.DOMException && getOwnPropertyDescriptor(DOMException.prototype, 'filename')?.get;

/** A line, by its parts; null for what has no place. */
function frameOf(line: string): StackFrame | null {
  const at = indexOf(line, '@');
  const beforeColumn = lastIndexOf(line, ':');
  const beforeLine = beforeColumn < 0 ? -1 : lastIndexOf(slice(line, 0, beforeColumn), ':');
  if (at < 0 || beforeLine <= at) return null;
  const name = slice(line, 0, at);
  // "go/<": a function without a name, in go; "module code": none.
  const isName = name !== '' && indexOf(name, '/') < 0 && indexOf(name, ' ') < 0 && indexOf(name, '*') < 0;
  return {
    file: slice(line, at + 1, beforeLine),
    line: +slice(line, beforeLine + 1, beforeColumn),
    column: +slice(line, beforeColumn + 1),
    name: isName ? name : null,
  };
}

/**
 * Lines that are not ours. JavaScriptCore has lines for the call of a Proxy too, below the one of its handler, and for what
 * the handler constructs with, above it.
 */
function withoutOwn(text: string, own: string): string {
  const lines = linesOf(text);
  let kept = '';
  let isFirst = true;
  for (let i = 0; i < lines.length; i++) {
    if (indexOf(lines[i]!, own) >= 0) {
      if (lines[i + 1] === `@${NATIVE}`) i++;
      continue;
    }
    if (lines[i] === `construct@${NATIVE}` && indexOf(lines[i + 1] ?? '', own) >= 0) continue;
    kept += isFirst ? lines[i]! : `\n${lines[i]!}`;
    isFirst = false;
  }
  return kept;
}

/** The frames of the page's code that called the recorder. */
export function framesFromText(fileOf: (name: string) => string, own: string): StackFrame[] {
  const error = new ErrorHere();
  const text = (ofError ? apply(ofError, error, []) : error.stack) as string;
  const lines = linesOf(withoutOwn(text, own));
  const frames: StackFrame[] = [];
  for (let i = 0; i < lines.length && frames.length < MAX_FRAMES; i++) {
    const frame = frameOf(lines[i]!);
    if (frame !== null) frames[frames.length] = { ...frame, file: fileOf(frame.file) };
  }
  return frames;
}

function stackOf(error: object): unknown {
  const found = getOwnPropertyDescriptor(error, 'stack');
  if (found !== undefined) return hasOwn(found, 'value') ? found.value : undefined;
  return (ofDom && orElse(() => apply(ofDom, error, []), null)) ?? (ofError && apply(ofError, error, []));
}

const plain = (value: unknown): PropertyDescriptor =>
  ({ __proto__: null, value, writable: true, configurable: true, enumerable: false }) as PropertyDescriptor;

/** An error's own names for the place where it was made, in each engine. */
const PLACES = [
  ['fileName', 'lineNumber', 'columnNumber'],
  ['sourceURL', 'line', 'column'],
] as const;

function setPlace(error: object, own: string, stack: string): void {
  const lines = linesOf(stack);
  let frame: StackFrame | null = null;
  for (let i = 0; i < lines.length && frame === null; i++) frame = frameOf(lines[i]!);
  if (frame === null) return;
  const set = (names: readonly string[]) => {
    const values = [frame.file, frame.line, frame.column];
    for (let i = 0; i < 3; i++) defineProperty(error, names[i]!, plain(values[i]));
  };
  for (let i = 0; i < PLACES.length; i++) {
    const file: unknown = getOwnPropertyDescriptor(error, PLACES[i]![0])?.value;
    if (typeof file === 'string' && indexOf(file, own) >= 0) set(PLACES[i]!);
  }
  const file = fileOfDom && orElse(() => apply(fileOfDom, error, []) as unknown, null);
  if (typeof file === 'string' && indexOf(file, own) >= 0) set(['filename', 'lineNumber', 'columnNumber']);
}

/** An error of a recorded call tells the stack and the place that it would have without the recorder. */
export const textStackCleaner =
  (own: string): Clean =>
  (error) => {
    try {
      if (typeof error !== 'object' || error === null) return error;
      const text = stackOf(error);
      if (typeof text !== 'string' || indexOf(text, own) < 0) return error;
      const stack = withoutOwn(text, own);
      setPlace(error, own, stack);
      defineProperty(error, 'stack', plain(stack));
    } catch {
      // It keeps the stack that it has.
    }
    return error;
  };
