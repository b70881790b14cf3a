/** Inputs and runtimes of `analyze`, for the command and for the library. */
import { atLeastOne } from '../app/job/tools.ts';
import type { RuntimeId } from '../model/documents/names.ts';
import { ToolError } from '../model/errors.ts';
import { PROCESS_RUNTIMES, type RuntimeName, runtimeWord } from '../model/names.ts';
import { DEFAULTS } from '../model/presets.ts';
import type { SiteChoice } from '../model/recording/recording.ts';
import { runsModules, type Source } from '../model/report/recipe.ts';
import type { TriedRewrite } from '../model/rules/tried.ts';
import type { FoundRuntime, FoundRuntimes } from '../model/run/runtime.ts';
import type { FetchOptions, LoadOptions, Services, Work } from './services.ts';

/** Options that say how the inputs of an analysis are read. */
interface InputOptions extends Partial<SiteChoice> {
  as?: LoadOptions['as'] | undefined;
  /** Channels that the user named. */
  channels?: readonly string[] | null | undefined;
  /** Files and names of serializers. */
  tries?: string[] | undefined;
  one?: boolean | undefined;
  seed?: number | undefined;
  timeoutMs?: number | undefined;
}

export interface Inputs {
  sources: Source[];
  tries: TriedRewrite[];
}

/** Refuses options that choose sites if no input is a recording. @throws ToolError 'usage' */
export function refuseWithoutRecording({ top, site }: SiteChoice, hasRecording: boolean): void {
  const asked = [top === null ? [] : '--top', site === null ? [] : '--site'].flat();
  if (asked.length === 0 || hasRecording) return;
  const detail = `${asked.join(' and ')}: no payload is a recording (.cprof), which has sites to choose from`;
  throw new ToolError('usage', { detail });
}

/** @throws ToolError 'no-input'; 'usage' for a site that no recording has; the error of a missing rewrite */
export async function loadInputs(
  inputs: string[],
  options: InputOptions,
  { services: { loadSources, loadTries }, workdir, signal }: Work,
): Promise<Inputs> {
  const { as = null, top = null, site = null, tries = [], one, channels } = options;
  const { seed = DEFAULTS.seed, timeoutMs = DEFAULTS.timeoutMs } = options;
  const recordings = { top, site, seed, overNamedChannels: channels != null && channels.length > 0 };
  const waiting = { timeoutMs, signal };
  const sources = await loadSources(inputs, { as, workdir, recordings, ...waiting });
  refuseWithoutRecording(
    { top, site },
    sources.some(({ recorded, kind }) => recorded || kind === 'failed'),
  );
  if (one && sources.some(({ recorded }) => recorded))
    throw new ToolError('usage', { detail: '--one is for samples of one payload. A recording has many' });
  return { sources, tries: await loadTries(tries, { workdir, waiting }) };
}

/**
 * Requested runtimes. The default is the runtimes of the recordings, and for other inputs the installed ones. A
 * recording is not trusted: it only selects among the user's Node, Bun and Deno. Nothing is fetched, and no browser is
 * started.
 */
export async function runtimesFor(
  asked: string[],
  { sources, tries }: Inputs,
  { findRuntimes, listRuntimes }: Services,
  fetching: Omit<FetchOptions, 'forModules'>,
): Promise<FoundRuntimes> {
  const options = { ...fetching, forModules: tries.length > 0 || runsModules(sources) };
  const recorded = recordedRuntimes(sources);
  if (asked.length > 0 || recorded.length === 0) return atLeastOne(await findRuntimes(asked, options));
  const usual = await findRuntimes([], options);
  // Finding all runtimes takes much longer, so it is done only if needed.
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

/** Recorded runtimes, without duplicates: that of the first process, and any other process that posts. */
function recordedRuntimes(sources: readonly Source[]): RuntimeId[] {
  const all = sources.flatMap(
    ({ recorded }) => recorded?.traffic.runtime ?? recorded?.recording.runtime ?? [],
  );
  return [...new Map(all.map((runtime) => [`${runtime.name}@${runtime.version}`, runtime])).values()];
}

/** The installed runtime with the same version, else the first with the same name. A note reports the difference. */
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
