import { dataOf, getOwnPropertyDescriptor, startsWith } from '../intrinsics.ts';
import type { StackFrame } from '../platform.ts';

const DEEPEST = 24;

/** Of this file, which all of the tap is bundled into. */
const OWN = __filename;
/** What Bun calls its own code. */
const INTERNAL = ['internal:', 'bun:', 'native:', '[unknown]', '[native code]'];

type Sites = readonly NodeJS.CallSite[];
const ErrorHere = Error as { -readonly [K in keyof typeof Error]: (typeof Error)[K] };
const { captureStackTrace } = Error;
const structured = (_error: unknown, sites: Sites): Sites => sites;

/** Bun sees a formatter only when it is assigned; once it was defined otherwise, it sees none. */
function captured(): Sites | null {
  const { value: prepare, writable } = getOwnPropertyDescriptor(ErrorHere, 'prepareStackTrace') ?? {};
  const limit = dataOf(ErrorHere, 'stackTraceLimit');
  if (writable !== true || typeof limit !== 'number') return null;
  const holder: { stack?: unknown } = {};
  try {
    ErrorHere.prepareStackTrace = structured;
    ErrorHere.stackTraceLimit = DEEPEST;
    captureStackTrace(holder);
    return typeof holder.stack === 'object' ? (holder.stack as Sites) : null;
  } finally {
    ErrorHere.prepareStackTrace = prepare as typeof structured;
    ErrorHere.stackTraceLimit = limit;
  }
}

function fileOf(name: string | null): string {
  const file = name ?? '';
  for (let i = 0; i < INTERNAL.length; i++) if (startsWith(file, INTERNAL[i]!)) return `node:${file}`;
  return file;
}

/**
 * The frames of the program; none where Error cannot be asked. A function that was called in tail position has taken the place
 * of its caller, so that one of ours cannot be searched for as the start.
 */
export function bunFrames(): StackFrame[] {
  const sites = captured();
  const frames: StackFrame[] = [];
  if (sites === null) return frames;
  for (let i = 0; i < sites.length; i++) {
    const site = sites[i]!;
    const file = fileOf(site.getFileName());
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
