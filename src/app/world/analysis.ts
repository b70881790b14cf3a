/** Inputs and runtimes of `analyze`, for the command and for the library. */

import { pathToFileURL } from 'node:url';
import { codecTerms } from '../../codec/make/codec.ts';
import { packageFile } from '../../machine/folders.ts';
import type { RuntimeId } from '../../model/documents/names.ts';
import { ToolError, usage } from '../../model/errors.ts';
import { PROCESS_RUNTIMES, type RuntimeName, runtimeWord } from '../../model/names.ts';
import type { SiteChoice } from '../../model/recording/recording.ts';
import type { Source } from '../../model/report/recipe.ts';
import type { TriedRewrite } from '../../model/rules/remedy.ts';
import { DEFAULTS, type FoundRuntime, type FoundRuntimes } from '../../model/run/runtime.ts';
import type { PresetName } from '../../model/vocabulary/words.ts';
import type { Preset, Subject } from '../../sweep/run/sizes.ts';
import { GuestSlot } from '../job/guest-slot.ts';
import { atLeastOne } from '../job/job.ts';
import { openSources, recipesOf, samplesIn } from '../job/payloads.ts';
import { loadTries } from '../sources/tries.ts';
import { type Fetching, fetchOptions, type LoadOptions, type Work } from './services.ts';

interface InputOptions extends Partial<SiteChoice> {
  payloads: string[];
  as?: LoadOptions['as'] | undefined;
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
  throw usage(`${asked.join(' and ')}: no payload is a recording (.cprof), which has sites to choose from`);
}

/** @throws ToolError 'no-input'; 'usage' for a site that no recording has; the error of a missing rewrite */
export async function loadInputs(
  { services: { loadSources }, cwd, workdir, signal }: Work,
  options: InputOptions,
): Promise<Inputs> {
  const { as = null, top = null, site = null, tries = [], one, channels } = options;
  const { seed = DEFAULTS.seed, timeoutMs = DEFAULTS.timeoutMs } = options;
  const recordings = { top, site, seed, overNamedChannels: channels != null && channels.length > 0 };
  const waiting = { workdir, timeoutMs, signal };
  const sources = await loadSources(options.payloads, { as, recordings, ...waiting });
  refuseWithoutRecording(
    { top, site },
    sources.some(({ recorded, kind }) => recorded || kind === 'failed'),
  );
  if (one && sources.some(({ recorded }) => recorded))
    throw usage('--one is for samples of one payload. A recording has many');
  return { sources, tries: await loadTries(tries, { cwd, ...waiting }) };
}

/**
 * Default: the runtimes of the recordings, else the installed ones. A recording is not trusted: it only selects among
 * the user's Node, Bun and Deno. Nothing is fetched, and no browser is started.
 */
export async function runtimesFor(
  work: Work,
  query: Fetching & { runtimes?: string[] | undefined },
  { sources }: Inputs,
): Promise<FoundRuntimes> {
  const { findRuntimes, listRuntimes } = work.services;
  const { runtimes: asked = [] } = query;
  const options = fetchOptions(work, query);
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
  onNote: ((text: string) => void) | undefined,
): FoundRuntime | null {
  const same = here.find((one) => isSame(one, recorded));
  if (same) return same;
  const first = here.find(({ name }) => name === recorded.name);
  const other = first ? `${first.name} ${first.version}` : 'what is here';
  const word = runtimeWord(recorded);
  const why = isProcess(recorded.name) ? 'which is not installed' : `which is started with -r ${word}`;
  onNote?.(`recorded on ${word} ${recorded.version}, ${why}: analyzed on ${other}`);
  return first ?? null;
}

type OfPayload = Omit<Extract<Subject, { kind: 'payload' }>, 'kind' | 'sources'> & Pick<LoadOptions, 'as'>;

/** The payload to scale, or a published benchmark (`preset`) to repeat. */
type SweepSubject = { [Key in keyof OfPayload]?: OfPayload[Key] | undefined } & {
  payloads: string[];
  preset: PresetName | null;
  timeoutMs?: number | undefined;
};

/** @throws ToolError 'no-input' */
export async function subjectOf({ services, workdir, signal }: Work, query: SweepSubject): Promise<Subject> {
  const { preset, payloads, as = null, timeoutMs = DEFAULTS.timeoutMs } = query;
  const { exports = null, via = null, by = null, scale = null, steps = DEFAULTS.sweepSteps } = query;
  if (preset) return { kind: 'preset', preset: await readPreset(preset) };
  const sources = await services.loadSources(payloads, { as, workdir, signal, timeoutMs });
  return { kind: 'payload', sources, exports, via, by, scale, steps };
}

/** Loads a preset: a module of this package, which guests load too. */
export async function readPreset(name: PresetName): Promise<Preset> {
  const file = packageFile(`dist/presets/${name}.mjs`);
  const module: { default: Omit<Preset, 'name' | 'file'> } = await import(pathToFileURL(file).href);
  return { ...module.default, name, file };
}

interface SamplesQuery extends Fetching, Pick<LoadOptions, 'as'> {
  samples: string[];
  /** Names of the exports to take from modules; null: all. */
  exports: string[] | null;
  runtime: string;
  timeoutMs: number;
}

/**
 * Reads all samples. The first unreadable one ends it: a codec of the others would not be the requested codec.
 * @returns at least one recipe, and the schema of all: files of messages count whole
 * @throws the error of a sample or a runtime
 */
export async function readSamples(work: Work, query: SamplesQuery) {
  const { services, cwd, workdir, signal } = work;
  const { samples, as, exports, runtime, timeoutMs } = query;
  const sources = await services.loadSources(samples, { as, workdir, cwd, timeoutMs, signal });
  const options = fetchOptions(work, query);
  const [reader] = atLeastOne(await services.findRuntimes([runtime], options)).found;
  const slot = new GuestSlot(services.tools, reader!, { timeoutMs, cwd, signal });
  try {
    const terms = { exports, via: [], worst: true, emit: work.emit };
    const payloads = await openSources(sources, [slot], terms);
    for (const payload of payloads) if (payload.kind === 'failed') throw payload.error;
    const recipes = recipesOf(payloads);
    if (recipes.length === 0) throw new ToolError('no-input');
    const whole = samplesIn(recipes);
    return { recipes, ...codecTerms(await slot.ask({ type: 'schema', recipes: whole }), whole) };
  } finally {
    await slot.close();
  }
}
