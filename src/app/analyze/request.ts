import type { Account } from '../../core/account.ts';
import type { Channel, LibraryName, Sender } from '../../model/names.ts';
import { DEFAULTS } from '../../model/presets.ts';
import type { Source } from '../../model/report/recipe.ts';
import type { TriedRewrite } from '../../model/rules/tried.ts';
import type { FoundRuntimes } from '../../model/run/runtime.ts';
import type { Job } from '../job/job.ts';
import type { Asked, GuestTerms, Tools } from '../job/tools.ts';

export interface AnalyzeRequest extends GuestTerms {
  sources: Source[];
  /** What is missing is a failed run of each payload. */
  runtimes: FoundRuntimes;
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
  seed: number;
  /** Which thread of a page posts; the main one without it. */
  sender?: Sender | undefined;
}

/** What phases work with besides their job. */
export interface Analysis {
  request: AnalyzeRequest;
  tools: Tools;
  account: Account;
}

/** Adds to the run of a job what it finds. @param ms what it may measure */
export type Phase = (job: Job, analysis: Analysis, ms: number) => Promise<void>;

export type AnalyzeOptions = Asked<AnalyzeRequest, 'sources' | 'runtimes' | 'cwd'>;

export const analyzeRequestOf = (options: AnalyzeOptions): AnalyzeRequest => ({
  ...options,
  channels: options.channels ?? null,
  exports: options.exports ?? null,
  via: options.via ?? [],
  measure: options.measure ?? true,
  budgetMs: options.budgetMs ?? DEFAULTS.budgetMs,
  timeoutMs: options.timeoutMs ?? DEFAULTS.timeoutMs,
  seed: options.seed ?? DEFAULTS.seed,
});
