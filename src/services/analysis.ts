/** `analyze` from the inputs to the report, for the command and for the library. */
import { analyze } from '../app/analyze/analyze.ts';
import { type AnalyzeRequest, atLeastOne, type Tools } from '../app/tools.ts';
import type { RuntimeId } from '../model/documents/names.ts';
import type { Report } from '../model/documents/report.ts';
import { ToolError } from '../model/errors.ts';
import { PROCESS_RUNTIMES, type RuntimeName, runtimeWord } from '../model/names.ts';
import { DEFAULTS } from '../model/presets.ts';
import type { SiteChoice } from '../model/recording/recording.ts';
import { runsModules, type Source } from '../model/report/recipe.ts';
import type { TriedRewrite } from '../model/rules/tried.ts';
import type { Emit } from '../model/run/events.ts';
import type { FoundRuntime, FoundRuntimes } from '../model/run/runtime.ts';
import type { FetchOptions, LoadOptions, Services } from './services.ts';

type Asked = Omit<AnalyzeRequest, 'sources' | 'runtimes' | 'missing' | 'tries' | 'channels' | 'cwd'>;

/** What may be left out has a default. */
type AnalysisOptions = { [Key in keyof Asked]?: Asked[Key] | undefined } & Partial<SiteChoice> & {
    as?: LoadOptions['as'] | undefined;
    channels?: AnalyzeRequest['channels'] | null | undefined;
    /** Files and names of serializers. */
    tries?: string[] | undefined;
    cwd: string;
  };

type Loaded = Pick<AnalyzeRequest, 'sources'> & { tries: TriedRewrite[] };

/** Options that choose sites. @throws ToolError 'usage' */
export function refuseWithoutRecording({ top, site }: SiteChoice, hasRecording: boolean): void {
  const asked = [top === null ? [] : '--top', site === null ? [] : '--site'].flat();
  if (asked.length === 0 || hasRecording) return;
  const detail = `${asked.join(' and ')}: no payload is a recording (.cprof), which has sites to choose from`;
  throw new ToolError('usage', { detail });
}

/** @throws ToolError 'no-input'; 'usage' for a site that is in no recording; that of a rewrite that is not there */
export async function loadInputs(
  inputs: string[],
  {
    as = null,
    top = null,
    site = null,
    seed = DEFAULTS.seed,
    channels,
    tries = [],
    one,
    signal,
    timeoutMs = DEFAULTS.timeoutMs,
  }: Omit<AnalysisOptions, 'profile'>,
  { loadSources, loadTries }: Services,
  workdir: string,
): Promise<Loaded> {
  const recordings = { top, site, seed, overNamedChannels: channels != null };
  const waiting = { timeoutMs, ...(signal && { signal }) };
  const sources = await loadSources(inputs, { as, workdir, recordings, ...waiting });
  refuseWithoutRecording(
    { top, site },
    sources.some(({ recorded, kind }) => recorded || kind === 'failed'),
  );
  if (one && sources.some(({ recorded }) => recorded))
    throw new ToolError('usage', { detail: '--one is for samples of one payload. A recording has many' });
  return { sources, tries: await loadTries(tries, { workdir, waiting }) };
}

/** Defaults are those of the command and of the library. `visitors` see what goes on. */
export async function analyzeLoaded(
  options: AnalysisOptions,
  loaded: Loaded,
  { found, missing, visitors }: FoundRuntimes,
  { emit, ...tools }: Tools,
): Promise<Report> {
  const request: AnalyzeRequest = {
    ...{ ...options, ...loaded, runtimes: found, missing },
    channels: options.channels ?? null,
    exports: options.exports ?? null,
    via: options.via ?? [],
    measure: options.measure ?? true,
    budgetMs: options.budgetMs ?? DEFAULTS.budgetMs,
    timeoutMs: options.timeoutMs ?? DEFAULTS.timeoutMs,
    seed: options.seed ?? DEFAULTS.seed,
  };
  const shown: Emit = (event) => {
    emit(event);
    visitors?.show(event);
  };
  const report = await analyze(request, { ...tools, emit: shown });
  await visitors?.end();
  return report;
}

/**
 * The runtimes that were asked for; else those that recordings were made on, and for other inputs what is here. Recordings
 * are not trusted: they choose among Node, Bun and Deno of the user's. Nothing is fetched, and no browser is started.
 */
export async function runtimesFor(
  asked: string[],
  { sources, tries }: Loaded,
  { findRuntimes, listRuntimes }: Services,
  fetching: Omit<FetchOptions, 'forModules'>,
): Promise<FoundRuntimes> {
  const options = { ...fetching, forModules: tries.length > 0 || runsModules(sources) };
  const recorded = recordedRuntimes(sources);
  if (asked.length > 0 || recorded.length === 0) return atLeastOne(await findRuntimes(asked, options));
  const usual = await findRuntimes([], options);
  // Looking for all takes much longer.
  const isUsual = recorded.every((one) => usual.found.some((found) => isSame(found, one)));
  const all = isUsual ? usual.found : [...usual.found, ...(await listRuntimes())];
  const here = all.filter(({ name, needs }) => isProcess(name) && needs === undefined);
  const own = recorded.flatMap((runtime) => like(runtime, here, options.onNote) ?? []);
  const isMixed = own.length === 0 || sources.some((source) => !source.recorded);
  const found = new Map([...own, ...(isMixed ? usual.found : [])].map((runtime) => [runtime.spec, runtime]));
  return atLeastOne({ found: [...found.values()], missing: isMixed ? usual.missing : [] });
}

const isProcess = (name: RuntimeName): boolean => PROCESS_RUNTIMES.some((one) => one === name);

const isSame = (a: RuntimeId, b: RuntimeId): boolean => a.name === b.name && a.version === b.version;

/** Each once: of the first process, and of others that post. */
function recordedRuntimes(sources: readonly Source[]): RuntimeId[] {
  const all = sources.flatMap(
    ({ recorded }) => recorded?.traffic.runtime ?? recorded?.recording.runtime ?? [],
  );
  return [...new Map(all.map((runtime) => [`${runtime.name}@${runtime.version}`, runtime])).values()];
}

/** The same version, else the first of that name, which is said. */
function like(
  recorded: RuntimeId,
  here: readonly FoundRuntime[],
  onNote: (text: string) => void,
): FoundRuntime | null {
  const same = here.find((one) => isSame(one, recorded));
  if (same) return same;
  const first = here.find(({ name }) => name === recorded.name);
  const other = first ? `${first.name} ${first.version}` : 'what is here';
  const word = runtimeWord(recorded);
  const why = isProcess(recorded.name) ? 'which is not installed' : `which is started with -r ${word}`;
  onNote(`recorded on ${word} ${recorded.version}, ${why}: analyzed on ${other}`);
  return first ?? null;
}
