import { atLeastOne } from '../app/tools.ts';
import type { SweepReport } from '../model/documents/sweep.ts';
import type { Channel, LibraryName } from '../model/names.ts';
import { DEFAULTS } from '../model/presets.ts';
import type { DimensionName, PresetName } from '../model/vocabulary/sweep.ts';
import { sourcesOf, subjectOf, sweepIn } from '../services/sweep.ts';
import { fetchOptions } from '../services/work.ts';
import type { RunOptions } from './run-options.ts';
import { fetchingOf, withWork } from './with-work.ts';

/** The options of `clone-prof sweep`. */
export interface SweepOptions extends RunOptions {
  /** Default: the running one, plus installed bun and deno. */
  runtimes?: string[] | undefined;
  /** Default: ["worker"], or as published. */
  channels?: Channel[] | undefined;
  /** Only this export of a module. */
  export?: string | undefined;
  /** Post as a worker library does, in its envelope. */
  via?: LibraryName | undefined;
  /** Read the file as this, whatever its ending. */
  as?: 'text' | 'bytes' | 'json' | undefined;
  /** What grows; default: the largest part of the payload. */
  by?: DimensionName | undefined;
  /** Sizes; default: a hundredth to ten times the payload. */
  scale?: { from: number; to: number } | undefined;
  /** How many sizes; a few more follow near crossovers. Default 8. */
  steps?: number | undefined;
  /** Measuring time for all sizes on one runtime, ms; default 25000. */
  budgetMs?: number | undefined;
  /** Time for all runtimes together, ms. */
  totalMs?: number | undefined;
  /** Seed of every random choice; default 1. */
  seed?: number | undefined;
}

/** A runtime that is not here is told as a warning where another one is. */
export function sweep(
  subject: string | { preset: PresetName },
  options: SweepOptions = {},
): Promise<SweepReport> {
  const { timeoutMs = DEFAULTS.timeoutMs, seed = DEFAULTS.seed, budgetMs = DEFAULTS.sweepMs } = options;
  const what = {
    payloads: typeof subject === 'string' ? [subject] : [],
    preset: typeof subject === 'string' ? null : subject.preset,
    exports: options.export === undefined ? null : [options.export],
    via: options.via === undefined ? [] : [options.via],
    as: options.as ?? null,
    by: options.by ?? null,
    scale: options.scale ?? null,
    steps: options.steps ?? DEFAULTS.sweepSteps,
  };
  return withWork(options, async (work) => {
    const subject = await subjectOf(work, { ...what, timeoutMs });
    const fetching = fetchOptions(work, fetchingOf(options), sourcesOf(subject));
    const found = atLeastOne(await work.services.findRuntimes(options.runtimes ?? [], fetching));
    for (const { error } of found.missing) work.emit({ type: 'warning', text: error.message });
    const times = { budgetMs, totalMs: options.totalMs ?? null, timeoutMs };
    return sweepIn(work, found, { ...times, subject, seed, channels: options.channels ?? null });
  });
}
