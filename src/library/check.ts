import type { CheckReport, Shard } from '../model/documents/check.ts';
import { DEFAULTS } from '../model/presets.ts';
import { checkIn } from '../services/gate/check.ts';
import type { RunOptions } from './run-options.ts';
import { fetchingOf, withWork } from './with-work.ts';

/** The options of `clone-prof check`. */
export interface CheckOptions extends RunOptions {
  /** The config; default: the nearest one, as for the command. */
  config?: string | undefined;
  /** Instead of those of the config. */
  runtimes?: string[] | undefined;
  /** Compare with this commit, branch or tag; default: with the baseline. */
  base?: string | undefined;
  /** Only this part of the payloads and runtimes. */
  shard?: Shard | undefined;
  /** Measuring time for each limit on time, ms; default 5000. */
  budgetMs?: number | undefined;
  /** Time for all of them together, ms. */
  totalMs?: number | undefined;
  /** Seed of every random choice; default 1. */
  seed?: number | undefined;
}

/** Files in the report start from the config's folder. @throws ToolError 'interrupted'; of the config, the baseline, the other commit */
export async function check(
  payloads: string | string[] = [],
  options: CheckOptions = {},
): Promise<CheckReport> {
  const query = {
    ...fetchingOf(options),
    payloads: [payloads].flat(),
    config: options.config ?? null,
    runtimes: options.runtimes ?? null,
    base: options.base ?? null,
    shard: options.shard ?? null,
    budgetMs: options.budgetMs ?? DEFAULTS.budgetMs,
    totalMs: options.totalMs ?? null,
    timeoutMs: options.timeoutMs ?? DEFAULTS.timeoutMs,
    seed: options.seed ?? DEFAULTS.seed,
  };
  return withWork(options, async (work) => (await checkIn(work, query)).report);
}
