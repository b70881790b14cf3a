import type { Machine, Run, RunError } from '../../model/documents/report.ts';
import type { Untried } from '../../model/documents/trial.ts';
import { ToolError } from '../../model/errors.ts';
import type { Channel, LibraryName, Sender } from '../../model/names.ts';
import type { Recipe, Source } from '../../model/report/recipe.ts';
import { emptyRun } from '../../model/report/runs.ts';
import type { TriedRewrite } from '../../model/rules/remedy.ts';
import type { Emit, StepName } from '../../model/run/events.ts';
import type {
  ContentionCounters,
  FoundRuntime,
  FoundRuntimes,
  RuntimeDriver,
  StartOptions,
} from '../../model/run/runtime.ts';
import type { AnswerTo, Described, GuestRequest, Measured, Proof } from '../../model/wire/wire.ts';
import type { Account } from '../../stats/account.ts';
import { MAX_LOOKS } from '../../stats/intervals/intervals.ts';
import type { MemoryUses } from '../../stats/race/judge.ts';
import type { GuestSlot } from './guest-slot.ts';

export interface Proven {
  proofs: readonly Proof[];
  untried: Untried[];
}

/** Before any rewrite is proven; a new object each time, because proofs are replaced. */
export const nothingProven = (): Proven => ({ proofs: [], untried: [] });

export interface JobSamples {
  results: readonly Measured[];
  dropped: readonly string[];
  looks: number;
  /** Error of the last process that failed; null if none failed. */
  error: unknown;
  failures: number;
  /** Time spent in ms, including the starts of processes. */
  spentMs: number;
}

export const NOT_SAMPLED: JobSamples = {
  results: [],
  dropped: [],
  looks: MAX_LOOKS,
  error: null,
  failures: 0,
  spentMs: 0,
};

export interface JobTerms {
  recipe: Recipe;
  slot: GuestSlot;
  channel: Channel;
  tools: MeasureTools;
  seed: number;
  /** Id of the payload for steps and messages; default: the id of the recipe. */
  id?: string;
  /** All payloads of the same schema, the recipe included; default: the recipe alone. */
  samples?: readonly Recipe[] | undefined;
  transferring?: boolean | undefined;
  sender?: Sender | null | undefined;
}

export function runError(error: unknown): RunError {
  if (!(error instanceof ToolError)) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { code: 'internal', message };
  }
  const { code, message, facts } = error;
  return { code, message, ...(facts.path === undefined ? {} : { path: facts.path }) };
}

/** A run in progress: one payload on one runtime over one channel, with the results of each phase. */
export class Job {
  readonly terms: JobTerms;
  readonly recipe: Recipe;
  readonly slot: GuestSlot;
  readonly channel: Channel;
  readonly tools: MeasureTools;
  run: Run;
  described: Described | null = null;
  proven: Proven | null = null;
  sampled = NOT_SAMPLED;
  memory: MemoryUses | null = null;
  /** Start of sampling, and the counters of the machine at that time. */
  began: { ms: number; counters: ContentionCounters | null } | null = null;

  constructor(terms: JobTerms) {
    this.terms = terms;
    ({ recipe: this.recipe, slot: this.slot, channel: this.channel, tools: this.tools } = terms);
    const { runtime } = this.slot;
    const spec = runtime.from === 'cache' ? { spec: runtime.spec } : {};
    this.run = { ...emptyRun(runtime, terms.channel), ...spec };
  }

  get runtime(): FoundRuntime {
    return this.slot.runtime;
  }

  get id(): string {
    return this.terms.id ?? this.recipe.id;
  }

  get name(): string {
    return `${this.id} on ${this.runtime.spec}`;
  }

  askFresh<A extends GuestRequest>(request: A, ownMs = 0): Promise<AnswerTo<A['type']>> {
    return this.slot.askFresh(request, ownMs, this.terms.sender ?? undefined);
  }

  /** Reports the progress of a step. If `of` is 1, the step cannot be divided. */
  step(step: StepName, done = 0, of = 1, gain: number | null = null): void {
    const at = { payload: this.id, runtime: this.runtime.spec, channel: this.channel };
    this.tools.emit({ type: 'step', ...at, step, done, of, ...(gain !== null && { gain }) });
  }
}

/** `timeoutMs`: maximum time for an answer of a guest, and for each step of measuring beyond the step's own duration. */
export interface GuestTerms extends Pick<StartOptions, 'timeoutMs' | 'cwd' | 'moved'> {
  signal?: AbortSignal | undefined;
}

/** Options that `analyze` and `sweep` share. */
export interface MeasureRequest extends GuestTerms {
  /** Runtimes that are missing are reported too. */
  runtimes: FoundRuntimes;
  /** null: the usual channel of each runtime, or of the published benchmark. */
  channels: Channel[] | null;
  /** Budget for each payload, or for all its sizes, on one runtime over one channel, ms. */
  budgetMs: number;
  /** Budget for all payloads together, ms; each gets at most `budgetMs` at first. */
  totalMs?: number | null | undefined;
  seed: number;
  /** Thread of a page that posts; default: the main thread. */
  sender?: Sender | null | undefined;
}

export interface AnalyzeRequest extends MeasureRequest {
  sources: Source[];
  exports: string[] | null;
  via: LibraryName[];
  /** Paths of the values that the program lists in the transfer list. */
  transfer?: readonly string[] | undefined;
  /** The user's rewrites, proven and timed like the tool's own. */
  tries?: readonly TriedRewrite[] | undefined;
  measure: boolean;
  /** Existing folder for CPU and heap profiles of both threads, absolute; `shown`: the user's spelling. */
  profile?: { folder: string; shown: string } | null | undefined;
  /** Measure the cost of each heavy branch of the payload. */
  byPath?: boolean | undefined;
  /** Assume that columns of integers stay within the range of the sample. */
  assumeIntegers?: boolean | undefined;
  /** Time a view too, which reads a message of the codec without building the payload, and put it into the module. */
  withView?: boolean | undefined;
  /** All sources are samples of one payload: the first is analyzed, and the schema is made of all. */
  one?: boolean | undefined;
}

export interface Analysis {
  request: AnalyzeRequest;
  tools: Tools;
  account: Account;
}

/** Adds its findings to the run of a job. @param ms time that it may measure */
export type Phase = (job: Job, analysis: Analysis, ms: number) => Promise<void>;

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
