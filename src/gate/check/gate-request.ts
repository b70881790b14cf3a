/** Makes the request to the gate from the options, the config and the machine: its entries, files and runtimes. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { GuestTerms } from '../../app/job/job.ts';
import { bundleConfig } from '../../app/sources/bundle.ts';
import { filesOf } from '../../app/sources/load.ts';
import { type ConfigPlace, readConfig } from '../../app/store/config.ts';
import { type Fetching, type FetchOptions, fetchOptions, type Work } from '../../app/world/services.ts';
import { isInside, movedEnv, projectRoot } from '../../machine/folders.ts';
import type { Demand, Demands } from '../../model/documents/baseline.ts';
import type { Shard } from '../../model/documents/check.ts';
import type { CheckSettings } from '../../model/documents/config.ts';
import { guessText, ToolError, usage } from '../../model/errors.ts';
import { SERIALIZER_NAMES } from '../../model/names.ts';
import type { Source } from '../../model/report/recipe.ts';
import {
  type CheckConfig,
  type CheckEntry,
  type CheckUnit,
  entryName,
} from '../../model/run/check-config.ts';
import type { FoundRuntime, MovedFolder } from '../../model/run/runtime.ts';
import { groupedBy } from '../../model/sums.ts';
import { shardOf } from '../compare/check-report.ts';
import { type Demanded, heldDemands } from '../compare/demands.ts';

/** Options of the library; the command has null for what is not given. */
type OrNull<Names extends keyof CheckSettings> = { [Name in Names]?: CheckSettings[Name] | null | undefined };

export interface GateQuery
  extends Fetching,
    Pick<CheckSettings, 'runtimes'>,
    OrNull<'config' | 'baseline' | 'shard'> {
  /** Names or files; empty: all of the config. */
  payloads: string[];
  timeoutMs: number;
}

export interface CheckQuery
  extends GateQuery,
    Pick<CheckSettings, 'keys' | 'allowRemoved'>,
    OrNull<'totalMs' | 'base'> {
  budgetMs: number;
  seed: number;
}

export type Asked = Awaited<ReturnType<typeof askedHere>>;

/** Payloads of the config on their runtimes, now or in another commit. */
export interface Gate extends GuestTerms, Asked {
  units: readonly CheckUnit[];
  sources: ReadonlyMap<CheckEntry, Source[]>;
  runtimes: ReadonlyMap<string, FoundRuntime | ToolError>;
  /** Folder for files that guests read during the run. */
  workdir: string;
}

/** What is asked for. `baselineFile`: path of the baseline from the working folder, for messages. */
export async function askedHere(work: Work, options: GateQuery) {
  const { cwd, services } = work;
  const { baseline = null } = options;
  const found = await configHere(work, options.config, options.timeoutMs);
  const asked = askedOf(found, options, cwd);
  const named = baseline === null ? found.baseline : relative(found.folder, resolve(cwd, baseline));
  const config = { ...found, baseline: named, needsBaseline: found.needsBaseline || baseline !== null };
  const baselinePath = resolve(config.folder, config.baseline);
  services.onRead?.(baselinePath);
  const files = { baselinePath, baselineFile: relative(cwd, baselinePath) };
  return { config, ...asked, ...files };
}

export async function openGate(work: Work, options: GateQuery, given: Asked): Promise<Gate> {
  const { emit, signal, workdir } = work;
  const { timeoutMs } = options;
  const { config, asked } = given;
  const units = unitsOf(asked, options.shard ?? null);
  const sources = await loadEach(entriesOf(units), ({ input }) => input, config.folder, work, timeoutMs);
  const specs = [...new Set(units.map(({ spec }) => spec))];
  for (const spec of specs.filter((one) => /[\\/]/.test(one)))
    emit({ type: 'note', text: `${config.file} asks for it: running ${spec}` });
  return {
    ...{ ...given, units, sources, signal, timeoutMs, workdir, cwd: config.folder },
    runtimes: await findEach(specs, work, fetchOptions(work, options)),
  };
}

/** Reads the config that the user named, or the nearest config. @throws ToolError if it cannot be read */
export const configHere = (work: Work, file: string | null = null, timeoutMs: number): Promise<CheckConfig> =>
  configIn(work, work.cwd, { file, root: projectRoot(work.cwd) }, timeoutMs);

/** @param moved for the config of the other commit: the checkout, and the folder that stands for it */
export function configIn(
  { services: { onRead }, emit, env, workdir, signal }: Work,
  cwd: string,
  place: Pick<ConfigPlace, 'file' | 'root'>,
  timeoutMs: number,
  moved: MovedFolder | null = null,
): Promise<CheckConfig> {
  const waiting = { timeoutMs, signal };
  const [from, folder, end] = moved
    ? [place.root, 'config-before', ' of the other commit']
    : [cwd, 'config', ''];
  return readConfig(cwd, {
    ...{ ...place, ...waiting },
    // The config of the other commit is not watched.
    ...(moved ? { env: movedEnv(env, moved) } : onRead && { onRead }),
    compile: (source) => bundleConfig(source, join(workdir, folder), cwd, waiting),
    onRun: (path) => emit({ type: 'note', text: `running ${relative(from, path)}${end}` }),
  });
}

/** `configHash`: of the requested payloads and limits, equal in all shards of one check. */
export function askedOf(config: CheckConfig, query: Pick<GateQuery, 'payloads' | 'runtimes'>, cwd: string) {
  const asked = askedEntries(config, query, cwd);
  const demanded = [asked, config.baseline, config.new, config.undecided];
  return { asked, configHash: hashOf(JSON.stringify(demanded)) };
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

function unitsOf(entries: readonly CheckEntry[], shard: Shard | null): CheckUnit[] {
  const units = entries.flatMap((entry) =>
    entry.runtimes.flatMap((spec) => entry.channels.map((channel) => ({ entry, spec, channel }))),
  );
  // Entries of one name share a shard, which thus knows what is missing of them.
  const alike = groupedBy(units, ({ entry, spec, channel }) =>
    JSON.stringify([entryName(entry), spec, channel]),
  );
  return shard ? shardOf([...alike.values()], shard).flat() : units;
}

export const entriesOf = (units: readonly CheckUnit[]): CheckEntry[] => [
  ...new Set(units.map(({ entry }) => entry)),
];

/** @param inputOf input of an entry, relative to the folder; null if it does not exist */
export async function loadEach(
  entries: readonly CheckEntry[],
  inputOf: (entry: CheckEntry) => string | null,
  folder: string,
  { services, workdir, signal }: Work,
  timeoutMs: number,
): Promise<Gate['sources']> {
  const loaded = entries.map(async (entry) => {
    const input = inputOf(entry);
    const options = { as: entry.as, workdir, cwd: folder, timeoutMs, signal };
    return [entry, input === null ? [] : await services.loadSources([input], options)] as const;
  });
  return new Map(await Promise.all(loaded));
}

/** Finds each runtime by itself, so that its name in the config stays known. @throws ToolError 'runtime-unknown' */
async function findEach(specs: readonly string[], { services }: Work, fetching: FetchOptions) {
  const runtimes = new Map<string, FoundRuntime | ToolError>();
  for (const spec of specs) {
    const { found, missing } = await services.findRuntimes([spec], fetching);
    const error = missing[0]?.error ?? new ToolError('runtime-missing', { value: spec, detail: 'not here' });
    runtimes.set(spec, found[0] ?? error);
  }
  return runtimes;
}

/** Former entries by the requested entries that were demanded before. */
export type Formers = ReadonlyMap<CheckEntry, CheckEntry>;

/** The config with what was demanded before, wherever it says less. Paths start from the folder of the config. */
export async function heldConfig(found: Asked, demanded: Demanded | null, { signal }: Pick<Work, 'signal'>) {
  const { config, asked } = found;
  const before = demanded ?? { ...config, entries: [] };
  const named = before.entries.flatMap(({ input, codec = [], remedies }) =>
    [input, ...remedies, codec].flat(),
  );
  const there = new Set<string>();
  for (const file of new Set(named)) {
    const matches = isPackage(file) ? [] : await filesOf(file, config.folder, signal);
    if (matches.every(({ error }) => error?.code !== 'file-missing')) there.add(file);
  }
  const now = { ...config, entries: placedEntries(asked, config, config.folder) };
  const held = heldDemands(config.file ?? 'config', before, now, (file) => there.has(file));
  return {
    ...{ pending: held.pending, gone: held.gone },
    given: {
      ...found,
      config: { ...config, new: held.new, undecided: held.undecided },
      // The paths of a new payload do not change.
      asked: held.payloads.map(({ entry, former }, at) => (former ? entry : asked[at]!)),
    },
    formers: new Map(
      held.payloads.flatMap(({ entry, former }) => (former ? [[entry, former]] : [])),
    ) as Formers,
  };
}

// Entries of a config that are asked for, and their paths from another folder.

interface EntriesQuery {
  /** Names or files; empty: all of the config. */
  payloads: readonly string[];
  /** Empty: those of each entry. */
  runtimes?: string[] | undefined;
}

/** @throws ToolError 'usage' for a mistyped name, and if there is no payload */
function askedEntries(config: CheckConfig, { payloads, runtimes }: EntriesQuery, cwd: string): CheckEntry[] {
  const chosen = chosenEntries(payloads, config, cwd);
  for (const name of payloads) refuseMistyped(name, config, cwd);
  return onRuntimes(chosen, runtimes);
}

/**
 * Entries that another commit has for the query; their paths start from `root`. A named file that neither its config nor
 * the commit has is new. @param top folder of the commit's files
 */
export function entriesBefore(
  before: CheckConfig,
  { payloads, runtimes }: EntriesQuery,
  { cwd, root, top }: { cwd: string; root: string; top: string },
): CheckEntry[] {
  const { entries: all, folder } = before;
  const isKnown = (entry: CheckEntry) => all.includes(entry) || existsSync(resolve(folder, entry.input));
  const chosen = payloads.length === 0 ? all : chosenEntries(payloads, before, cwd).filter(isKnown);
  return placedEntries(onRuntimes(chosen, runtimes), before, root, top);
}

/**
 * A word without an ending is the name of a payload rather than of a file. It is refused before anything is written: a
 * baseline would demand it as a payload from then on.
 */
function refuseMistyped(name: string, { entries }: CheckConfig, cwd: string): void {
  const names = entries.map(entryName);
  if (names.includes(name) || !/^[\w-]+$/.test(name) || existsSync(resolve(cwd, name))) return;
  const meant = guessText(name, names);
  if (meant !== '') throw usage(`'${name}' is neither a payload of the config nor a file.${meant}`);
}

const onRuntimes = (entries: CheckEntry[], runtimes: string[] = []): CheckEntry[] =>
  entries.map((entry) => (runtimes.length === 0 ? entry : { ...entry, runtimes }));

/** Entries by name or file; a file without an entry gets the common limits, runtimes and channels. */
function chosenEntries(payloads: readonly string[], config: CheckConfig, cwd: string): CheckEntry[] {
  if (payloads.length === 0) {
    if (config.entries.length > 0) return config.entries;
    const detail = config.file
      ? `${config.file} names no payloads. Add one: "payloads": ["fixtures/rows.json"]`
      : 'no config here, and no payload named. Write one: npx clone-prof check --init';
    throw usage(detail);
  }
  return payloads.flatMap((name) => {
    const file = resolve(cwd, name);
    const entries = config.entries.filter(
      (entry) => name === entryName(entry) || resolve(config.folder, entry.input) === file,
    );
    return entries.length > 0 ? entries : [{ ...config.common, input: relative(config.folder, file) }];
  });
}

const isPackage = (word: string) => SERIALIZER_NAMES.some((name) => name === word);

/** Entries of a config whose paths start from `root`. @param top absolute paths out of it do not change */
export function placedEntries(
  entries: readonly CheckEntry[],
  { folder }: Pick<CheckConfig, 'folder'>,
  root: string,
  top = root,
): CheckEntry[] {
  const placed = (path: string) =>
    isPackage(path) || (isAbsolute(path) && !isInside(path, top))
      ? path
      : relative(root, resolve(folder, path)).replaceAll(sep, '/');
  return entries.map((entry) => ({
    ...entry,
    input: placed(entry.input),
    remedies: entry.remedies.map(placed),
    ...(entry.codec && { codec: placed(entry.codec) }),
  }));
}

/** Demands that a baseline keeps of the config. The demands of payloads that were not requested do not change. */
export function demandsNow(config: CheckConfig, asked: readonly CheckEntry[], old?: Demands): Demands {
  const names = new Set(asked.map(entryName));
  const own = config.entries.filter((entry) => names.has(entryName(entry)));
  const others = asked.filter((one) => own.every((entry) => entryName(entry) !== entryName(one)));
  const isWhole = own.length === config.entries.length;
  const kept = isWhole ? [] : (old?.payloads ?? []).filter((one) => !names.has(entryName(one)));
  const payloads = placedEntries([...own, ...others], config, config.folder).map(demandOf);
  return { new: config.new, undecided: config.undecided, payloads: [...kept, ...payloads] };
}

function demandOf({ type: _, limits, ...entry }: CheckEntry): Demand {
  const withoutPresets = Object.entries(limits).map(([name, { preset: _, ...limit }]) => [name, limit]);
  return { ...entry, limits: Object.fromEntries(withoutPresets) };
}
