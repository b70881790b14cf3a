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

/** Context of a phase, in addition to its job. */
export interface Analysis {
  request: AnalyzeRequest;
  tools: Tools;
  account: Account;
}

/** Adds its findings to the run of a job. @param ms time that it may measure */
export type Phase = (job: Job, analysis: Analysis, ms: number) => Promise<void>;

export type AnalyzeOptions = Asked<AnalyzeRequest, 'sources' | 'runtimes' | 'cwd'>;

export const analyzeRequestOf = (options: AnalyzeOptions): AnalyzeRequest => ({
  ...withDefaults(options, DEFAULTS.budgetMs),
  exports: options.exports ?? null,
  via: options.via ?? [],
  measure: options.measure ?? true,
});
