import type { ContentionCounters } from '../model/cpu-contention.ts';
import type { Machine } from '../model/documents/report.ts';
import { ToolError } from '../model/errors.ts';
import type { Channel, LibraryName, Sender } from '../model/names.ts';
import type { Recipe, Source } from '../model/report/recipe.ts';
import type { TriedRewrite } from '../model/rules/tried.ts';
import type { Emit, StepName } from '../model/run/events.ts';
import type { FoundRuntime, FoundRuntimes, MissingRuntime, RuntimeDriver } from '../model/run/runtime.ts';
import type { GuestSlot } from './guest-slot.ts';

/** What the use cases need from outside: everything with I/O, a clock or a process behind it. */
export interface Tools {
  driver: RuntimeDriver;
  emit: Emit;
  /** Milliseconds, monotonic. */
  now: () => number;
  machine: Machine;
  /** CPU steal and throttling so far; null where the machine has no such counters. */
  contention?: () => ContentionCounters | null;
  version: string;
  /** Bytes of a TypeScript module, minified and compressed with gzip; absent in a page. */
  compressedBytes?: (module: string) => Promise<number>;
  /** "2026-01-31", UTC; absent in tests. */
  today?: () => string;
}

/** What measuring needs of the tools. */
export type MeasureTools = Pick<Tools, 'driver' | 'emit' | 'now'>;

/** What every guest is started with. */
export interface GuestTerms {
  /** A guest's deadline for load and describe, and what each measuring step may take beyond its budget. */
  timeoutMs: number;
  cwd: string;
  signal?: AbortSignal | undefined;
  /** Which thread of a page posts; the main one without it. */
  sender?: Sender | undefined;
}

/** One payload on one runtime over one channel. */
export interface RunTarget {
  recipe: Recipe;
  runtime: FoundRuntime;
  channel: Channel;
}

/** `total` of 1: the step has no parts. */
export function emitStep(
  { emit }: Pick<Tools, 'emit'>,
  { recipe, runtime, channel }: RunTarget,
  step: StepName,
  done = 0,
  total = 1,
  gain: number | null = null,
): void {
  const at = { payload: recipe.id, runtime: runtime.spec, channel };
  emit({ type: 'step', ...at, step, done, of: total, ...(gain !== null && { gain }) });
}

export interface AnalyzeRequest extends GuestTerms {
  sources: Source[];
  runtimes: FoundRuntime[];
  /** Asked for and not here: each payload gets a failed run that says so. */
  missing?: MissingRuntime[] | undefined;
  /** null: the usual one of each runtime. */
  channels: Channel[] | null;
  exports: string[] | null;
  via: LibraryName[];
  /** Paths of what the program lists in the transfer list. */
  transfer?: readonly string[] | undefined;
  /** Rewrites of the user's, proven and timed like the tool's own. */
  tries?: readonly TriedRewrite[] | undefined;
  /** Per payload and runtime. */
  budgetMs: number;
  /** For all payloads and runtimes together; each gets at most `budgetMs` at first. */
  totalMs?: number | null | undefined;
  measure: boolean;
  /** Where to write CPU and heap profiles of both threads: absolute, exists; `shown` as the user wrote it. */
  profile?: { folder: string; shown: string } | null | undefined;
  /** Measure what each heavy branch of the payload costs. */
  byPath?: boolean | undefined;
  /** Columns of integers are as wide as those of the sample. */
  assumeIntegers?: boolean | undefined;
  /** What reads a message of the codec without building the payload is timed too, and in its module. */
  withView?: boolean | undefined;
  /** All are samples of one payload: the first is analyzed, and the schema is that of all. */
  one?: boolean | undefined;
  /** With `one`, and of a recorded site: those samples. */
  samples?: readonly Recipe[] | undefined;
  seed: number;
}

/** @throws the error of the first runtime that is missing, when none was found */
export function atLeastOne(runtimes: FoundRuntimes): FoundRuntimes {
  const { found, missing } = runtimes;
  if (found.length > 0) return runtimes;
  throw missing[0]?.error ?? new ToolError('runtime-missing', { value: 'any', detail: 'none is here' });
}

/** What every step of one run works with. */
export interface RunContext extends RunTarget {
  slot: GuestSlot;
  request: AnalyzeRequest;
  tools: Tools;
}
