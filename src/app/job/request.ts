import type { Channel, Sender } from '../../model/names.ts';
import { DEFAULTS } from '../../model/presets.ts';
import type { FoundRuntimes } from '../../model/run/runtime.ts';

/** Terms that every guest is started with. */
export interface GuestTerms {
  /** Maximum time for an answer of a guest, and for each step of measuring beyond the step's own duration, ms. */
  timeoutMs: number;
  cwd: string;
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
  sender?: Sender | undefined;
}

/** Options of a request: `Given` is required, all else has a default. */
export type Asked<Request, Given extends keyof Request> = Pick<Request, Given> & {
  [Key in Exclude<keyof Request, Given>]?: Request[Key] | undefined;
};

type Defaults = Pick<MeasureRequest, 'channels' | 'budgetMs' | 'timeoutMs' | 'seed'>;

export const withDefaults = <Options extends { [Key in keyof Defaults]?: Defaults[Key] | undefined }>(
  options: Options,
  budgetMs: number,
): Options & Defaults => ({
  ...options,
  channels: options.channels ?? null,
  budgetMs: options.budgetMs ?? budgetMs,
  timeoutMs: options.timeoutMs ?? DEFAULTS.timeoutMs,
  seed: options.seed ?? DEFAULTS.seed,
});
