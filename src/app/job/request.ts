import type { Channel, Sender } from '../../model/names.ts';
import { DEFAULTS } from '../../model/presets.ts';
import type { FoundRuntimes } from '../../model/run/runtime.ts';

/** What every guest is started with. */
export interface GuestTerms {
  /** What a guest's answer may take, and each step of measuring beyond its own time, ms. */
  timeoutMs: number;
  cwd: string;
  signal?: AbortSignal | undefined;
}

/** What `analyze` and `sweep` are asked alike. */
export interface MeasureRequest extends GuestTerms {
  /** Those that are missing are told. */
  runtimes: FoundRuntimes;
  /** null: the usual one of each runtime, or as published. */
  channels: Channel[] | null;
  /** ms for each payload, or all its sizes, on one runtime over one channel. */
  budgetMs: number;
  /** ms for all payloads together; each gets at most `budgetMs` at first. */
  totalMs?: number | null | undefined;
  seed: number;
  /** Which thread of a page posts; the main one without it. */
  sender?: Sender | undefined;
}

/** A request of which only this must be given: all else has a default. */
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
