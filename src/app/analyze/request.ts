import type { Account } from '../../core/account.ts';
import type { LibraryName } from '../../model/names.ts';
import { DEFAULTS } from '../../model/presets.ts';
import type { Source } from '../../model/report/recipe.ts';
import type { TriedRewrite } from '../../model/rules/tried.ts';
import type { Job } from '../job/job.ts';
import { type Asked, type MeasureRequest, withDefaults } from '../job/request.ts';
import type { Tools } from '../job/tools.ts';

export interface AnalyzeRequest extends MeasureRequest {
  sources: Source[];
  exports: string[] | null;
  via: LibraryName[];
  /** Paths of what the program lists in the transfer list. */
  transfer?: readonly string[] | undefined;
  /** Rewrites of the user's, proven and timed like the tool's own. */
  tries?: readonly TriedRewrite[] | undefined;
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
  ...withDefaults(options, DEFAULTS.budgetMs),
  exports: options.exports ?? null,
  via: options.via ?? [],
  measure: options.measure ?? true,
});
