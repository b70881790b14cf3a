import { getOwnPropertyDescriptor, startsWith } from '../realm/intrinsics.ts';
import type { StackFrame } from '../realm/platform.ts';

/** This file, which all of the tap is bundled into. */
const OWN = __filename;
/** What Bun calls its own code. */
const INTERNAL = ['internal:', 'bun:', 'native:', '[unknown]', '[native code]'];

type Sites = readonly NodeJS.CallSite[];
const ErrorHere = Error as { -readonly [K in keyof typeof Error]: (typeof Error)[K] };
const { captureStackTrace } = Error;
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
