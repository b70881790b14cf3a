/** Reads the stack of the running code as structured frames. Settings of Error are restored. */
import type { Frame } from '../../../model/documents/recorded/recording.ts';
import * as kept from '../realm/intrinsics.ts';
import type { TapPlatform } from '../realm/platform.ts';

const MAX_DEPTH = 24;

const ErrorHere = Error;
const { captureStackTrace } = Error;

type Sites = readonly NodeJS.CallSite[];
const structured = (_error: unknown, sites: Sites): Sites => sites;

type Setting = 'stackTraceLimit' | 'prepareStackTrace';

interface StackOptions {
  isLimited?: boolean;
  /** Path of a file in the recorder's form; null: the frame is left out. @param name of its function */
  fileOf?(file: string, name: string | null): string | null;
}

export function stacks(options: StackOptions = {}): Pick<TapPlatform, 'alone' | 'frames'> {
  const { isLimited = true, fileOf } = options;
  const limit = isLimited ? MAX_DEPTH : undefined;
  const alone = <T>(run: () => T): T | null =>
    withSetting('stackTraceLimit', limit, () => withSetting('prepareStackTrace', structured, run));
  return {
    alone,
    frames(caller) {
      const sites = alone(() => captured(caller)) ?? [];
      const frames: Frame[] = [];
      for (let i = 0; i < sites.length; i++) {
        const site = sites[i]!;
        const name = site.getFunctionName() || null;
        const found = site.getFileName() ?? '';
        const file = fileOf ? fileOf(found, name) : found;
        if (file === null) continue;
        const line = site.getLineNumber() ?? 0;
        frames[frames.length] = { file, line, column: site.getColumnNumber() ?? 0, name };
      }
      return frames;
    },
  };
}

function captured(caller: unknown): Sites | null {
  const holder: { stack?: unknown } = {};
  captureStackTrace(holder, caller as () => void);
  return typeof holder.stack === 'object' ? (holder.stack as Sites) : null;
}

/**
 * Runs with a changed setting of Error (undefined: unchanged); null if the program has frozen it or watches it. It is
 * assigned: Bun sees a formatter only then, and does not see any after a definition in a different way.
 */
function withSetting<T>(key: Setting, value: unknown, run: () => T): T | null {
  const found = kept.getOwnPropertyDescriptor(ErrorHere, key);
  if (value === undefined) return run();
  if (found !== undefined && !kept.hasOwn(found, 'value')) return null;
  if (!kept.set(ErrorHere, key, value)) return null;
  try {
    return run();
  } finally {
    if (found === undefined) kept.deleteProperty(ErrorHere, key);
    else kept.set(ErrorHere, key, found.value);
  }
}
