/** Stacks in Bun. Errors of JavaScriptCore's own code have another format than those that Bun formats. */
import { types } from 'node:util';
import { getOwnPropertyDescriptor, indexOf, startsWith } from '../realm/intrinsics.ts';
import type { StackFrame } from '../realm/platform.ts';
import { linesOf, stackCleaner } from '../records/clean-stack.ts';

const ErrorHere = Error as { new (): Error } & { -readonly [K in keyof typeof Error]: (typeof Error)[K] };
const { captureStackTrace } = Error;
const refuse = structuredClone;
/** This file, which all of the tap is bundled into. */
const OWN = __filename;
/** How the engine tells of native calls that lead to ours, or away. */
const NATIVE = [
  ...['    at unknown', '    at construct (unknown)', '    at apply (unknown)'],
  ...['construct@[native code]', 'apply@[native code]'],
];
/** Up to Bun 1.3 the limit in force is not the one that is shown, until it is assigned: it could not be restored. */
const CAN_SET_LIMIT = Error.stackTraceLimit === 10;
/** More than frames of ours. */
const MORE = 24;

/** Errors of recorded calls have the stack that they would have without the recorder. */
export const cleaned = stackCleaner(OWN, types.isProxy, withoutOwn);

function withoutOwn(text: string): string {
  const lines = linesOf(text);
  const { first, last } = ownLines(lines);
  let stack = '';
  for (let i = 0; i < lines.length; i++)
    if (i < first || i > last) stack += i === 0 ? lines[i]! : `\n${lines[i]!}`;
  const program = lines.length - last - 1;
  const isFormatted = indexOf(text, '\n    at ') >= 0;
  const cut = CAN_SET_LIMIT ? programLines(isFormatted) : [];
  for (let i = program; i < cut.length && i < program + last - first + 1; i++) stack += `\n${cut[i]!}`;
  return stack;
}

/** From the first to the last, native calls around them included. */
function ownLines(lines: readonly string[]): { first: number; last: number } {
  let first = 0;
  while (indexOf(lines[first]!, OWN) < 0) first++;
  let last = lines.length - 1;
  while (indexOf(lines[last]!, OWN) < 0) last--;
  while (first > 0 && isNative(lines[first - 1]!)) first--;
  while (last < lines.length - 1 && isNative(lines[last + 1]!)) last++;
  return { first, last };
}

function isNative(line: string): boolean {
  for (let i = 0; i < NATIVE.length; i++) if (startsWith(line, NATIVE[i]!)) return true;
  return false;
}

/** An error as the engine makes it. */
function refusal(): Error {
  try {
    return refuse(linesOf as never);
  } catch (error) {
    return error as Error;
  }
}

/** Lines of the program's functions that are running now, more than the limit allows. */
function programLines(isFormatted: boolean): string[] {
  const { value: limit, writable } = getOwnPropertyDescriptor(ErrorHere, 'stackTraceLimit') ?? {};
  if (typeof limit !== 'number' || writable !== true) return [];
  ErrorHere.stackTraceLimit = limit + MORE;
  try {
    const lines = linesOf((isFormatted ? new ErrorHere() : refusal()).stack ?? '');
    const { last } = ownLines(lines);
    const above: string[] = [];
    for (let i = last + 1; i < lines.length; i++) above[above.length] = lines[i]!;
    return above;
  } finally {
    ErrorHere.stackTraceLimit = limit;
  }
}

/** What Bun calls its own code. */
const INTERNAL = ['internal:', 'bun:', 'native:', '[unknown]', '[native code]'];

type Sites = readonly NodeJS.CallSite[];
const structured = (_error: unknown, sites: Sites): Sites => sites;

/**
 * Without a formatter of the program's; null where Error cannot be asked. Bun sees a formatter only when it is assigned: once it
 * was defined otherwise, it sees none. The limit stays as it is: up to Bun 1.3 the one in force is not the one that is shown.
 */
export function withoutFormatter<T>(run: () => T): T | null {
  const { value, writable } = getOwnPropertyDescriptor(ErrorHere, 'prepareStackTrace') ?? {};
  if (writable !== true) return null;
  try {
    ErrorHere.prepareStackTrace = structured;
    return run();
  } finally {
    ErrorHere.prepareStackTrace = value as typeof structured;
  }
}

function captured(caller: unknown): Sites | null {
  const holder: { stack?: unknown } = {};
  captureStackTrace(holder, caller as () => void);
  return typeof holder.stack === 'object' ? (holder.stack as Sites) : null;
}

function framePath(name: string | null): string {
  const file = name ?? '';
  for (let i = 0; i < INTERNAL.length; i++) if (startsWith(file, INTERNAL[i]!)) return `node:${file}`;
  return file;
}

/**
 * The frames above `caller`; none where Error cannot be asked. A function that was called in tail position has taken the place
 * of its caller.
 */
export function bunFrames(caller: unknown): StackFrame[] {
  const sites = withoutFormatter(() => captured(caller));
  const frames: StackFrame[] = [];
  if (sites === null) return frames;
  for (let i = 0; i < sites.length; i++) {
    const site = sites[i]!;
    const file = framePath(site.getFileName());
    if (file === OWN) continue;
    frames[frames.length] = {
      file,
      line: site.getLineNumber() ?? 0,
      column: site.getColumnNumber() ?? 0,
      name: site.getFunctionName() || null,
    };
  }
  return frames;
}
