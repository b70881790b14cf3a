/** The stack of the running code, by structured frames. Error is left as it was found. */

import { defineProperty, getOwnPropertyDescriptor, unbound } from '../realm/intrinsics.ts';
import type { StackFrame } from '../realm/platform.ts';

const MAX_DEPTH = 24;

const ErrorHere = Error;
const { captureStackTrace } = Error;

type Sites = readonly NodeJS.CallSite[];
const structured = (_error: unknown, sites: Sites): Sites => sites;

function captured(caller: unknown): Sites {
  const holder: { stack?: unknown } = {};
  captureStackTrace(holder, caller as () => void);
  return holder.stack as Sites;
}

/** With our settings of Error: no formatter of the program's runs. null where the program has frozen it or watches it. */
export function withStructured<T>(run: () => T): T | null {
  const limit = getOwnPropertyDescriptor(ErrorHere, 'stackTraceLimit');
  const prepare = getOwnPropertyDescriptor(ErrorHere, 'prepareStackTrace');
  if (!isPlain(limit) || !isPlain(prepare)) return null;
  try {
    if (!set('stackTraceLimit', MAX_DEPTH) || !set('prepareStackTrace', structured)) return null;
    return run();
  } finally {
    restore('stackTraceLimit', limit);
    restore('prepareStackTrace', prepare);
  }
}

const isPlain = (found: PropertyDescriptor | undefined) =>
  found === undefined ||
  (found.configurable === true && getOwnPropertyDescriptor(found, 'value') !== undefined);

const set = (key: string, value: unknown) =>
  defineProperty(ErrorHere, key, {
    __proto__: null,
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  } as never);

function restore(key: 'stackTraceLimit' | 'prepareStackTrace', found: PropertyDescriptor | undefined): void {
  if (found !== undefined) defineProperty(ErrorHere, key, found);
  else Reflect.deleteProperty(ErrorHere, key);
}

const prototype = withStructured(() => Object.getPrototypeOf(captured(undefined)[0])) as NodeJS.CallSite;
const fileName = unbound(prototype.getFileName);
const lineNumber = unbound(prototype.getLineNumber);
const columnNumber = unbound(prototype.getColumnNumber);
const functionName = unbound(prototype.getFunctionName);

function frameOf(site: NodeJS.CallSite): StackFrame {
  return {
    file: fileName(site) ?? '',
    line: lineNumber(site) ?? 0,
    column: columnNumber(site) ?? 0,
    name: functionName(site),
  };
}

/** The frames above `caller`; none where Error cannot be asked. */
export function framesAbove(caller: unknown): StackFrame[] {
  const sites = withStructured(() => captured(caller));
  const frames: StackFrame[] = [];
  if (sites !== null) for (let i = 0; i < sites.length; i++) frames[i] = frameOf(sites[i]!);
  return frames;
}
