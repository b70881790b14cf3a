import type { Machine } from '../../model/documents/report.ts';
import { ToolError } from '../../model/errors.ts';
import type { Emit } from '../../model/run/events.ts';
import type { ContentionCounters, FoundRuntimes, RuntimeDriver } from '../../model/run/runtime.ts';

/** Dependencies of the use cases: everything that needs I/O, a clock or a process. */
export interface Tools {
  driver: RuntimeDriver;
  emit: Emit;
  /** Milliseconds, monotonic. */
  now: () => number;
  machine: Machine;
  /** CPU steal and throttling so far; null if the machine does not have such counters. */
  contention?: () => ContentionCounters | null;
  version: string;
  /** Size in bytes of a TypeScript module after minification and gzip; absent in a page. */
  compressedBytes?: (module: string) => Promise<number>;
  /** "2026-01-31", UTC; absent in tests. */
  today?: () => string;
}

export type MeasureTools = Pick<Tools, 'driver' | 'emit' | 'now' | 'machine'>;

/** @throws the error of the first missing runtime, if no runtime was found */
export function atLeastOne(runtimes: FoundRuntimes): FoundRuntimes {
  const { found, missing } = runtimes;
  if (found.length > 0) return runtimes;
  throw missing[0]?.error ?? new ToolError('runtime-missing', { value: 'any', detail: 'none is here' });
}
