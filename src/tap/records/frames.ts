/** The stack of the running code, by structured frames. Error is left as it was found. */

import { defineProperty, getOwnPropertyDescriptor, setData, unbound } from '../realm/intrinsics.ts';
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

/** With our settings of Error: no formatter of the program's runs. null if the program has frozen it or watches it. */
export function withStructured<T>(run: () => T): T | null {
  const limit = getOwnPropertyDescriptor(ErrorHere, 'stackTraceLimit');
  const prepare = getOwnPropertyDescriptor(ErrorHere, 'prepareStackTrace');
  if (!isPlain(limit) || !isPlain(prepare)) return null;
  try {
    if (
      !setData(ErrorHere, 'stackTraceLimit', MAX_DEPTH) ||
      !setData(ErrorHere, 'prepareStackTrace', structured)
    )
      return null;
    return run();
  } finally {
    restore('stackTraceLimit', limit);
    restore('prepareStackTrace', prepare);
  }
}

const isPlain = (found: PropertyDescriptor | undefined) =>
  found === undefined ||
  (found.configurable === true && getOwnPropertyDescriptor(found, 'value') !== undefined);

function restore(key: 'stackTraceLimit' | 'prepareStackTrace', found: PropertyDescriptor | undefined): void {
  if (found !== undefined) defineProperty(ErrorHere, key, found);
  else Reflect.deleteProperty(ErrorHere, key);
}

const first = withStructured(() => captured(undefined))?.[0];
const prototype = (first === undefined ? {} : Object.getPrototypeOf(first)) as NodeJS.CallSite;
const fileName = unbound(prototype.getFileName);
const lineNumber = unbound(prototype.getLineNumber);
const columnNumber = unbound(prototype.getColumnNumber);
const functionName = unbound(prototype.getFunctionName);

/** The frames above `caller`; none where Error cannot be asked. @param fileOf a file, as the recorder has it */
export function framesAbove(caller: unknown, fileOf = (name: string) => name): StackFrame[] {
  const sites = withStructured(() => captured(caller));
  const frames: StackFrame[] = [];
  for (let i = 0; sites !== null && i < sites.length; i++) {
    const site = sites[i]!;
    frames[i] = {
      file: fileOf(fileName(site) ?? ''),
      line: lineNumber(site) ?? 0,
      column: columnNumber(site) ?? 0,
      name: functionName(site),
    };
  }
  return frames;
}
