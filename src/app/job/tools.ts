import type { ContentionCounters } from '../../model/cpu-contention.ts';
import type { Machine } from '../../model/documents/report.ts';
import { ToolError } from '../../model/errors.ts';
import type { Emit } from '../../model/run/events.ts';
import type { FoundRuntimes, RuntimeDriver, Visitors } from '../../model/run/runtime.ts';

/** What the use cases need from outside: everything with I/O, a clock or a process behind it. */
export interface Tools {
  driver: RuntimeDriver;
  emit: Emit;
  /** Milliseconds, monotonic. */
  now: () => number;
  machine: Machine;
  /** CPU steal and throttling so far; null if the machine has no such counters. */
  contention?: () => ContentionCounters | null;
  version: string;
  /** Bytes of a TypeScript module, minified and compressed with gzip; absent in a page. */
  compressedBytes?: (module: string) => Promise<number>;
  /** "2026-01-31", UTC; absent in tests. */
  today?: () => string;
}

/** What measuring needs of the tools. */
export type MeasureTools = Pick<Tools, 'driver' | 'emit' | 'now' | 'machine'>;

/** @throws the error of the first runtime that is missing, when none was found */
export function atLeastOne(runtimes: FoundRuntimes): FoundRuntimes {
  const { found, missing } = runtimes;
  if (found.length > 0) return runtimes;
  throw missing[0]?.error ?? new ToolError('runtime-missing', { value: 'any', detail: 'none is here' });
}

/** What goes on is shown in the pages of browsers that came by a link, too. */
export const shownTo = <Given extends Pick<Tools, 'emit'>>(
  visitors: Visitors | undefined,
  tools: Given,
): Given => ({
  ...tools,
  emit: (event) => {
    tools.emit(event);
    visitors?.show(event);
  },
});
