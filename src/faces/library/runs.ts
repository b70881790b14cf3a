import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { analyze as analyzeInputs } from '../../app/analyze/analyze.ts';
import { atLeastOne } from '../../app/job/job.ts';
import { checkOptions } from '../../app/store/config.ts';
import { loadInputs, runtimesFor, subjectOf } from '../../app/world/analysis.ts';
import { fetchOptions, toolsOf, type Work, withWork } from '../../app/world/services.ts';
import { runningRuntime } from '../../engines/probe/process.ts';
import { inProcessStorage } from '../../engines/probe/process-serializer.ts';
import { typeDetection } from '../../engines/probe/type-detection.ts';
import { checkIn } from '../../gate/check/check.ts';
import type { CheckReport } from '../../model/documents/check.ts';
import type { ReportComparison } from '../../model/documents/comparison.ts';
import type {
  AnalyzeSettings,
  CheckSettings,
  RunSettings,
  SweepSettings,
} from '../../model/documents/config.ts';
import type { Recording } from '../../model/documents/recorded/recording.ts';
import type { Report } from '../../model/documents/report.ts';
import type { SweepReport } from '../../model/documents/sweep.ts';
import { ToolError, usage } from '../../model/errors.ts';
import type { CHECK_SCHEMA, COMPARISON_SCHEMA, REPORT_SCHEMA, SWEEP_SCHEMA } from '../../model/names.ts';
import type { FormatOf, RenderOptions } from '../../model/report/formats.ts';
import type { Source } from '../../model/report/recipe.ts';
import type { Meaning } from '../../model/rules/rule.ts';
import type { AppEvent } from '../../model/run/events.ts';
import { DEFAULTS } from '../../model/run/runtime.ts';
import type { PresetName } from '../../model/vocabulary/words.ts';
import { readRecording as readRecordingFile } from '../../record/files/recording-files.ts';
import { moduleOf } from '../../record/module/module-of.ts';
import { chanceFrom } from '../../record/values/masks.ts';
import { Sample } from '../../record/values/sampler.ts';
import { meaningsOf } from '../../report/meanings/meanings.ts';
import { draw } from '../../report/registry.ts';
import { storedReports } from '../../report/stored/stored-reports.ts';
import { sweep as sweepSubject } from '../../sweep/run/sweep.ts';

interface Caller {
  /** Kills the guests when it is aborted. */
  signal?: AbortSignal | undefined;
  /** Called with steps, verdicts, notes and warnings. */
  onEvent?: ((event: AppEvent) => void) | undefined;
}

/** Options of all functions that start runtimes. */
export type RunOptions = RunSettings & Caller;

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
export type AnalyzeOptions = AnalyzeSettings & Caller;

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
export type SweepOptions = SweepSettings & Caller;

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
    const fetching = fetchOptions(work, options);
    const runtimes = atLeastOne(await services.findRuntimes(options.runtimes ?? [], fetching));
    for (const { error } of runtimes.missing) emit({ type: 'warning', text: error.message });
    const request = { ...withDefaults(options, DEFAULTS.sweepMs), subject: what, runtimes, cwd, signal };
    return sweepSubject(request, toolsOf(work));
  });
}

/** The options of `clone-prof check`. */
export type CheckOptions = CheckSettings & Caller;

export async function check(
  payloads: string | string[] = [],
  options: CheckOptions = {},
): Promise<CheckReport> {
  const query = { ...withDefaults(options, DEFAULTS.budgetMs), payloads: [payloads].flat() };
  return forCaller('check', options, async (work) => (await checkIn(work, query)).report);
}

/** `cwd` is the folder that relative paths start from, `timeoutMs` the time to wait for a pipe. */
export type ReadOptions = Pick<RunOptions, 'cwd' | 'timeoutMs' | 'signal'>;

export async function readRecording(
  file: string,
  { cwd = process.cwd(), ...waiting }: ReadOptions = {},
): Promise<Recording> {
  return readRecordingFile(resolve(cwd, file), file, waiting);
}

export async function readReport(
  files: string | readonly string[],
  { cwd = process.cwd(), join = false }: Pick<ReadOptions, 'cwd'> & { join?: boolean | undefined } = {},
): Promise<Report | SweepReport | ReportComparison> {
  const [first, ...others] = [files].flat();
  if (first === undefined) throw new ToolError('no-input');
  return storedReports([first, ...others], join, { cwd, stdin: () => process.stdin });
}

export type Rendered = Report | ReportComparison | SweepReport | CheckReport;

/** The formats of each document. */
export interface FormatsOf {
  [REPORT_SCHEMA]: FormatOf<'report'>;
  [COMPARISON_SCHEMA]: FormatOf<'report'>;
  [SWEEP_SCHEMA]: FormatOf<'sweep'>;
  [CHECK_SCHEMA]: FormatOf<'check'>;
}

/** @param options default: no colours, 100 columns, as for a file */
export async function render<T extends Rendered>(
  document: T,
  format: FormatsOf[T['schema']],
  { color = false, columns = 100, unicode = true }: Partial<RenderOptions> = {},
): Promise<string> {
  return draw(document, format, { color, columns, unicode });
}

/** @throws ToolError 'usage' for a word that the tool does not print */
export const explain = async (word: string): Promise<Meaning[]> => meaningsOf(word);
