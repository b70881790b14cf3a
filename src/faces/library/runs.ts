import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyze as analyzeInputs } from '../../app/analyze/analyze.ts';
import { atLeastOne } from '../../app/job/tools.ts';
import { checkOptions } from '../../app/store/library-options.ts';
import { loadInputs, runtimesFor, sourcesOf, subjectOf } from '../../app/world/analysis.ts';
import { fetchOptions, toolsOf, type Work, withWork } from '../../app/world/services.ts';
import { inProcessStorage } from '../../engines/probe/in-process-storage.ts';
import { runningRuntime } from '../../engines/probe/process.ts';
import { typeDetection } from '../../engines/probe/type-detection.ts';
import { checkIn } from '../../gate/check/check.ts';
import type { CheckReport, Shard } from '../../model/documents/check.ts';
import type { Report } from '../../model/documents/report.ts';
import type { SweepReport } from '../../model/documents/sweep.ts';
import { ToolError, usage } from '../../model/errors.ts';
import type { Channel, LibraryName, Sender } from '../../model/names.ts';
import type { Source } from '../../model/report/recipe.ts';
import type { AppEvent } from '../../model/run/events.ts';
import { DEFAULTS } from '../../model/run/runtime.ts';
import type { DimensionName, PresetName } from '../../model/vocabulary/words.ts';
import { moduleOf } from '../../record/module/module-of.ts';
import { chanceFrom } from '../../record/values/masks.ts';
import { Sample } from '../../record/values/sampler.ts';
import { sweep as sweepSubject } from '../../sweep/run/sweep.ts';

/** Options of all functions that start runtimes. */
export interface RunOptions {
  /** Deadline of a guest beyond its budget, ms; default 30000. */
  timeoutMs?: number | undefined;
  /** If true, runtimes are never fetched. */
  offline?: boolean | undefined;
  /** If true, runtimes are also fetched with the `.npmrc` of the working directory: its registry, its credentials. */
  projectNpmrc?: boolean | undefined;
  /** Folder that relative paths start from; default: the working directory. */
  cwd?: string | undefined;
  /** Kills the guests when it is aborted. */
  signal?: AbortSignal | undefined;
  /** Called with steps, verdicts, notes and warnings. */
  onEvent?: ((event: AppEvent) => void) | undefined;
}

/** @throws ToolError 'usage' for an option that the function does not have, or that has another type */
const forCaller = async <T>(
  of: 'analyze' | 'sweep' | 'check',
  options: RunOptions,
  run: (work: Work) => Promise<T>,
): Promise<T> => {
  checkOptions(of, options);
  const { cwd = process.cwd(), onEvent: emit = () => {}, signal } = options;
  return withWork({ cwd, emit, signal }, run);
};

/** Options that all runs have, with their defaults. */
const withDefaults = <Options extends RunOptions & Pick<AnalyzeOptions, 'channels' | 'budgetMs' | 'seed'>>(
  options: Options,
  budgetMs: number,
) => ({
  ...options,
  channels: options.channels ?? null,
  budgetMs: options.budgetMs ?? budgetMs,
  timeoutMs: options.timeoutMs ?? DEFAULTS.timeoutMs,
  seed: options.seed ?? DEFAULTS.seed,
});

/** Id of the payload, and its file in reports. */
const VALUE = 'value';
const MAX_BYTES = 2 ** 27;

/** True for names of files. Any other argument of `analyze` is the payload itself. */
const areFiles = (given: unknown): given is string | string[] =>
  typeof given === 'string' || (Array.isArray(given) && given.every((one) => typeof one === 'string'));

/**
 * @param given the payload, or a function that makes it
 * @throws ToolError 'usage' for a value that cannot leave its program: functions, proxies, getters
 */
async function valueSource(given: unknown, folder: string): Promise<Source> {
  const value: unknown = typeof given === 'function' ? await given() : given;
  const sample = new Sample(value, {
    probe: { types: typeDetection(), storage: inProcessStorage(runningRuntime().engine) },
    ...{ values: 'kept', chance: chanceFrom(''), nodes: Number.POSITIVE_INFINITY, maxBytes: MAX_BYTES },
  });
  sample.finish(false);
  if (sample.isPart) throw usage('the value is too large, or nested too deeply');
  const { text, differences } = moduleOf(sample.tree, 'kept');
  const [difference] = differences;
  if (difference !== undefined) {
    throw usage(
      `the value cannot be made again in another process: ${difference}. Export it from a module, and name the file: analyze('payload.mjs')`,
    );
  }
  const file = join(folder, `${VALUE}.mjs`);
  writeFileSync(file, text);
  const build = { form: 'module', file, original: VALUE, export: 'default', generated: true } as const;
  return { kind: 'ready', recipe: { id: VALUE, source: { file: VALUE, export: null }, build } };
}

/** The options of `clone-prof analyze`. */
export interface AnalyzeOptions extends RunOptions {
  /** "node", "bun@1.4", "deno", a path to a binary; default: the running one, plus installed bun and deno. */
  runtimes?: string[] | undefined;
  /** Default: ["worker"]. */
  channels?: Channel[] | undefined;
  /** Exports of a module to analyze; default: all. */
  exports?: string[] | undefined;
  /** Libraries whose envelope is put around the payload first. */
  via?: LibraryName[] | undefined;
  /** Further rewrites to prove and time: modules with `apply` and `restore`, or "msgpackr", "cbor-x", "devalue", ... */
  try?: string[] | undefined;
  /** Number of call sites of a recording to analyze, costliest first; default: the sites that make 95 % of the cost. */
  top?: number | undefined;
  /** Analyze only sites of a recording whose file and line, or library, contain this text. */
  site?: string | undefined;
  /** Paths of the objects in the transfer list: "$.tiles[*].pixels". */
  transfer?: string[] | undefined;
  /** Thread of a browser page that posts; default: its main thread. */
  sender?: Sender | undefined;
  /** Format of the files, instead of the format that their extension says. */
  as?: 'text' | 'bytes' | 'json' | undefined;
  /** Measuring time per payload and runtime, ms; default 5000. */
  budgetMs?: number | undefined;
  /**
   * Time for all payloads and runtimes together, ms; each then measures at most `budgetMs` at first. A run that no time
   * is left for is `classified`, with the error 'total-spent'.
   */
  totalMs?: number | undefined;
  /** false: payloads are classified, but not measured. */
  measure?: boolean | undefined;
  /** If true, the cost of each heavy branch of the payload is measured. */
  byPath?: boolean | undefined;
  /** All inputs are samples of one payload: the first is measured, codecs are compiled from all. */
  one?: boolean | undefined;
  /** Seed of every random choice; default 1. */
  seed?: number | undefined;
}

/**
 * @param payload files, globs, or "-" for JSON on stdin; else the payload itself, or a function that makes it
 * @throws ToolError 'no-input'; 'usage' for a value that cannot leave this process; 'runtime-unknown',
 * 'runtime-missing' when no runtime was found
 */
export async function analyze(payload: unknown, options: AnalyzeOptions = {}): Promise<Report> {
  const named = areFiles(payload) ? [payload].flat() : [VALUE];
  if (named.length === 0) throw new ToolError('no-input');
  return forCaller('analyze', options, async (work) => {
    const { cwd, workdir, services } = work;
    const loadSources = areFiles(payload)
      ? services.loadSources
      : async () => [await valueSource(payload, workdir)];
    const { try: tries, top = null, site = null } = options;
    const query = { ...options, payloads: named, tries, top, site };
    const inputs = await loadInputs({ ...work, services: { ...services, loadSources } }, query);
    const runtimes = await runtimesFor(work, options, inputs);
    const { exports = null, via = [], measure = true } = options;
    const request = { ...withDefaults(options, DEFAULTS.budgetMs), exports, via, measure };
    return analyzeInputs({ ...request, ...inputs, runtimes, cwd }, toolsOf(work));
  });
}

/** The options of `clone-prof sweep`. */
export interface SweepOptions extends RunOptions {
  /** Default: the running one, plus installed bun and deno. */
  runtimes?: string[] | undefined;
  /** Default: ["worker"], or as published. */
  channels?: Channel[] | undefined;
  /** Export of a module to use, if it has several. */
  export?: string | undefined;
  /** Library whose envelope is put around the payload, as in its messages. */
  via?: LibraryName | undefined;
  /** Format of the file, instead of the format that its extension says. */
  as?: 'text' | 'bytes' | 'json' | undefined;
  /** Dimension that grows; default: the largest part of the payload. */
  by?: DimensionName | undefined;
  /** Sizes; default: a hundredth to ten times the payload. */
  scale?: { from: number; to: number } | undefined;
  /** Number of sizes; a few more follow near crossovers. Default 8. */
  steps?: number | undefined;
  /** Measuring time for all sizes on one runtime, ms; default 25000. */
  budgetMs?: number | undefined;
  /** Time for all runtimes together, ms. */
  totalMs?: number | undefined;
  /** Seed of every random choice; default 1. */
  seed?: number | undefined;
}

/** A missing runtime is reported as a warning if a different requested runtime was found. */
export function sweep(
  subject: string | { preset: PresetName },
  options: SweepOptions = {},
): Promise<SweepReport> {
  const { export: only } = options;
  return forCaller('sweep', options, async (work) => {
    const { services, cwd, signal, emit } = work;
    const what = await subjectOf(work, {
      ...options,
      payloads: typeof subject === 'string' ? [subject] : [],
      preset: typeof subject === 'string' ? null : subject.preset,
      exports: only === undefined ? null : [only],
    });
    const fetching = fetchOptions(work, options, sourcesOf(what));
    const runtimes = atLeastOne(await services.findRuntimes(options.runtimes ?? [], fetching));
    for (const { error } of runtimes.missing) emit({ type: 'warning', text: error.message });
    const request = { ...withDefaults(options, DEFAULTS.sweepMs), subject: what, runtimes, cwd, signal };
    return sweepSubject(request, toolsOf(work));
  });
}

/** The options of `clone-prof check`. */
export interface CheckOptions extends RunOptions {
  /** Path of the config; default: the nearest config, as for the command. */
  config?: string | undefined;
  /** Runtimes to check; default: the runtimes of the config. */
  runtimes?: string[] | undefined;
  /** Commit, branch or tag to compare with; default: the baseline. */
  base?: string | undefined;
  /** Path of the baseline, which must be there; default: that of the config. */
  baseline?: string | undefined;
  /** Results keep keys of the payload that look like data, such as addresses; default: `.*` stands for them. */
  keys?: boolean | undefined;
  /** With `base`: payloads in `removed` of the config may be gone. */
  allowRemoved?: boolean | undefined;
  /** Part of the payloads and runtimes to check; default: all. */
  shard?: Shard | undefined;
  /** Measuring time for each limit on time, ms; default 5000. */
  budgetMs?: number | undefined;
  /** Time for all measured limits together, ms. */
  totalMs?: number | undefined;
  /** Seed of every random choice; default 1. */
  seed?: number | undefined;
}

/**
 * Runs the checks of a config. Files in the report are relative to the config's folder.
 *
 * @throws ToolError 'interrupted'; errors of the config, the baseline, the other commit
 */
export async function check(
  payloads: string | string[] = [],
  options: CheckOptions = {},
): Promise<CheckReport> {
  const query = { ...withDefaults(options, DEFAULTS.budgetMs), payloads: [payloads].flat() };
  return forCaller('check', options, async (work) => (await checkIn(work, query)).report);
}
