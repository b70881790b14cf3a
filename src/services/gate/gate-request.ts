/** What the gate is asked, made of the options, the config and the machine. */
import { createHash, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { basename, extname, join, relative, resolve } from 'node:path';
import type { CheckRequest, CheckUnit, GateRequest } from '../../app/gate/request.ts';
import { shardOf } from '../../core/gate/check-report.ts';
import { projectRoot } from '../../machine/folders.ts';
import type { Waiting } from '../../machine/given-file.ts';
import type { Shard } from '../../model/documents/check.ts';
import { ToolError } from '../../model/errors.ts';
import type { CheckConfig, CheckEntry } from '../../model/gate/limits.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { bundleConfig } from '../../sources/bundle.ts';
import { type ConfigPlace, entryFor, readConfig } from '../../store/config/config.ts';
import type { FetchOptions } from '../services.ts';
import { type Fetching, fetchOptions, type Work } from '../work.ts';

/** Which payloads of which config, and how they are read. */
export interface GateQuery extends Fetching {
  /** Names or files; none: all of the config. */
  payloads: string[];
  /** null: the nearest. */
  config: string | null;
  timeoutMs: number;
  /** Instead of those of the config; none: those. */
  runtimes?: string[];
  shard?: Shard | null;
}

/** What a check is asked. */
export interface CheckQuery extends GateQuery, Pick<CheckRequest, 'budgetMs' | 'totalMs' | 'seed'> {
  runtimes: string[];
  shard: Shard | null;
  /** The commit to compare with, as the user wrote it; null: the baseline. */
  base: string | null;
}

export interface GateInputs {
  config: CheckConfig;
  /** Its entries that were asked for. */
  asked: CheckEntry[];
  request: GateRequest;
  baselinePath: string;
  /** The baseline's path as the user knows it. */
  baselineFile: string;
  /** How long to wait for files, and for modules that are built. */
  waiting: Waiting;
  /** Hash of the payloads and limits that were asked for: equal in all shards of one check. */
  configHash: string;
}

export async function gateInputs(work: Work, options: GateQuery): Promise<GateInputs> {
  const { cwd, emit, signal, workdir } = work;
  const config = await configHere(work, options.config, options.timeoutMs);
  const { asked, configHash } = askedOf(config, options, cwd);
  const units = unitsOf(asked, options.shard ?? null);
  const baselinePath = resolve(config.folder, config.baseline);
  work.services.onRead?.(baselinePath);
  const sources = await loadEach(
    entriesOf(units),
    ({ input }) => input,
    config.folder,
    work,
    options.timeoutMs,
  );
  const specs = [...new Set(units.map(({ spec }) => spec))];
  for (const spec of specs.filter((one) => /[\\/]/.test(one)))
    emit({ type: 'note', text: `${config.file} asks for it: running ${spec}` });
  // These are code of the user's.
  const hasRewrites = asked.some(({ remedies, codec }) => remedies.length > 0 || codec !== undefined);
  const fetching = fetchOptions(work, options, [...sources.values()].flat(), hasRewrites);
  return {
    ...{ config, asked, configHash, baselinePath, baselineFile: relative(cwd, baselinePath) },
    waiting: { timeoutMs: options.timeoutMs, signal },
    request: {
      ...{ units, sources, signal, timeoutMs: options.timeoutMs, cwd: config.folder },
      selected: options.payloads.length === 0 ? null : asked.flatMap(namesBelow),
      runtimes: await findEach(specs, work, { ...fetching, guestsIn: config.folder }),
      async keepSample(json) {
        const file = join(workdir, `${randomUUID()}.json`);
        await writeFile(file, json);
        return file;
      },
    },
  };
}

/** The config that the user named, or the nearest one. @throws ToolError of reading it */
export const configHere = (work: Work, file: GateQuery['config'], timeoutMs: number): Promise<CheckConfig> =>
  configIn(work, { cwd: work.cwd, file, root: projectRoot(work.cwd), timeoutMs, whose: '' });

interface ConfigTerms extends Pick<ConfigPlace, 'file' | 'root'> {
  cwd: string;
  timeoutMs: number;
  /** What a note that it runs adds; watched is the config of now alone. */
  whose: '' | ' of the other commit';
}

export function configIn(
  { services: { onRead }, emit, workdir, signal }: Work,
  { cwd, whose, timeoutMs, ...place }: ConfigTerms,
): Promise<CheckConfig> {
  const waiting = { timeoutMs, signal };
  const [from, folder] = whose === '' ? [cwd, 'config'] : [place.root, 'config-before'];
  return readConfig(cwd, {
    ...{ ...place, waiting, ...(whose === '' && onRead && { onRead }) },
    compile: (source) => bundleConfig(source, join(workdir, folder), cwd, waiting),
    onRun: (path) => emit({ type: 'note', text: `running ${relative(from, path)}${whose}` }),
  });
}

/** Entries on the runtimes that were asked for, and what all shards of such a check have in common. */
export function askedOf(
  config: CheckConfig,
  { payloads, runtimes }: Pick<GateQuery, 'payloads' | 'runtimes'>,
  cwd: string,
) {
  const asked = onRuntimes(chosenEntries(payloads, config, cwd), runtimes ?? []);
  const demanded = [asked, config.baseline, config.new, config.undecided];
  return { asked, configHash: hashOf(JSON.stringify(demanded)) };
}

export const onRuntimes = (entries: CheckEntry[], runtimes: string[]): CheckEntry[] =>
  entries.map((entry) => (runtimes.length === 0 ? entry : { ...entry, runtimes }));

/** 64 bits: enough to tell two inputs apart. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** The id of an entry; without one, the name of its file without the ending. */
export const entryName = ({ id, input }: Pick<CheckEntry, 'id' | 'input'>): string =>
  id ?? basename(input, extname(input));

/** The id of an entry; those of a glob are below it. */
const namesBelow = ({ id, input }: CheckEntry) => (id === null ? [entryName({ id, input })] : [id, `${id}/`]);

/** Entries by name or file; a file without an entry gets the common limits. */
export function chosenEntries(payloads: readonly string[], config: CheckConfig, cwd: string): CheckEntry[] {
  if (payloads.length === 0) {
    if (config.entries.length > 0) return config.entries;
    const detail = config.file
      ? `${config.file} names no payloads. Add one: "payloads": ["fixtures/rows.json"]`
      : 'no config here, and no payload named. Write one: clone-prof check --init';
    throw new ToolError('usage', { detail });
  }
  return payloads.flatMap((name) => {
    const file = resolve(cwd, name);
    const entries = config.entries.filter(
      (entry) => name === entryName(entry) || resolve(config.folder, entry.input) === file,
    );
    return entries.length > 0 ? entries : [entryFor(relative(config.folder, file), config)];
  });
}

/** Entries times runtimes times channels, in the order of the config; of these the shard's own. */
export function unitsOf(entries: readonly CheckEntry[], shard: Shard | null): CheckUnit[] {
  const units = entries.flatMap((entry) =>
    entry.runtimes.flatMap((spec) => entry.channels.map((channel) => ({ entry, spec, channel }))),
  );
  return shard ? shardOf(units, shard) : units;
}

/** Each entry once. */
export const entriesOf = (units: readonly CheckUnit[]): CheckEntry[] => [
  ...new Set(units.map(({ entry }) => entry)),
];

/** @param inputOf what an entry names, from the folder; null if nothing is there */
export async function loadEach(
  entries: readonly CheckEntry[],
  inputOf: (entry: CheckEntry) => string | null,
  folder: string,
  { services, workdir, signal }: Work,
  timeoutMs: number,
): Promise<GateRequest['sources']> {
  const loaded = entries.map(async (entry) => {
    const input = inputOf(entry);
    const options = { as: entry.as, workdir, cwd: folder, timeoutMs, signal };
    return [entry, input === null ? [] : await services.loadSources([input], options)] as const;
  });
  return new Map(await Promise.all(loaded));
}

/** Each spec by itself, so that its name in the config stays known. @throws ToolError 'runtime-unknown' */
async function findEach(
  specs: readonly string[],
  { services }: Work,
  fetching: FetchOptions,
): Promise<GateRequest['runtimes']> {
  const runtimes = new Map<string, FoundRuntime | ToolError>();
  for (const spec of specs) {
    const { found, missing } = await services.findRuntimes([spec], fetching);
    const error = missing[0]?.error ?? new ToolError('runtime-missing', { value: spec, detail: 'not here' });
    runtimes.set(spec, found[0] ?? error);
  }
  return runtimes;
}
