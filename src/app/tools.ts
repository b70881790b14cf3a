import type { LoadWish } from '../core/measure/load.ts';
import type { ContentionCounters } from '../model/cpu-contention.ts';
import type { ToolError } from '../model/errors.ts';
import type { Emit } from '../model/events.ts';
import type { Channel, RuntimeId } from '../model/names.ts';
import type { Source } from '../model/recipe.ts';
import type { Machine } from '../model/report.ts';
import type { FoundRuntime, RuntimeDriver } from '../model/runtime.ts';

/** What the use cases need from outside: everything with I/O, a clock or a process behind it. */
export interface Tools {
  driver: RuntimeDriver;
  emit: Emit;
  /** Milliseconds, monotonic. */
  now: () => number;
  machine: Machine;
  /** Counters of what the machine withholds from us; null where it does not tell. */
  contention?: () => ContentionCounters | null;
  version: string;
}

export interface AnalyzeRequest {
  sources: Source[];
  runtimes: FoundRuntime[];
  /** Asked for, but not to be had: each payload says so in a failed run. */
  missing?: { runtime: RuntimeId; error: ToolError }[];
  channels: Channel[];
  exports: string[] | null;
  via: string[];
  /** Per payload and runtime. */
  budgetMs: number;
  measure: boolean;
  /** Write CPU and heap profiles of both threads there: absolute, exists; `shown` as the user named it. */
  profile?: { folder: string; shown: string } | null;
  /** Measure what each heavy branch of the payload costs. */
  byPath?: boolean;
  /** Also offer the payload as a load. */
  load?: LoadWish | null;
  /** A guest's deadline for load and describe, and what each measuring step may take beyond its slice. */
  timeoutMs: number;
  seed: number;
  cwd: string;
  signal?: AbortSignal | undefined;
}
