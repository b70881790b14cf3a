import type { Channel, LibraryName, Sender } from '../../model/names.ts';
import type { Source } from '../../model/report/recipe.ts';
import type { TriedRewrite } from '../../model/rules/remedy.ts';
import type { FoundRuntimes, StartOptions } from '../../model/run/runtime.ts';
import type { Account } from '../../stats/account.ts';
import type { Job } from './job.ts';
import type { Tools } from './tools.ts';

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
