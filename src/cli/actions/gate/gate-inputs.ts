import { createHash, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { basename, extname, join, relative, resolve } from 'node:path';
import type { GateRequest } from '../../../app/gate/gather.ts';
import type { KeepSample } from '../../../app/gate/sampled.ts';
import { unitsOf } from '../../../app/gate/shards.ts';
import type { Tools } from '../../../app/tools.ts';
import { projectRoot } from '../../../machine/folders.ts';
import type { Shard } from '../../../model/documents/check.ts';
import { ToolError } from '../../../model/errors.ts';
import type { CheckConfig, CheckEntry } from '../../../model/gate/check.ts';
import type { Source } from '../../../model/report/recipe.ts';
import type { FoundRuntime } from '../../../model/run/runtime.ts';
import type { FetchOptions } from '../../../services/services.ts';
import { bundleConfig } from '../../../sources/bundle.ts';
import { entryFor, readConfig } from '../../../store/config/config.ts';
import type { CheckOptions, GateOptions } from '../../options/check.ts';
import { fetchOptions, type Session } from '../../session/session.ts';

/** All that the gate's use cases need, gathered from the config and the machine. */
export interface GateInputs {
  config: CheckConfig;
  /** Its entries that were asked for. */
  asked: CheckEntry[];
  request: GateRequest & { keepSample: KeepSample };
  tools: Tools;
  baselinePath: string;
  /** The baseline's path as the user knows it. */
  baselineFile: string;
  /** Hash of the payloads and limits that were asked for: equal in all shards of one check. */
  configHash: string;
}

/** The config that the user named, or the nearest one. @throws ToolError of reading it */
export function configHere(
  { world, progress, workdir }: Session,
  { config }: Pick<GateOptions, 'config'>,
): Promise<CheckConfig> {
  const cwd = world.cwd();
  const compile = (file: string) => bundleConfig(file, join(workdir, 'config'), cwd);
  const onRun = (file: string) => progress.listen({ type: 'note', text: `running ${relative(cwd, file)}` });
  return readConfig(cwd, { file: config, root: projectRoot(cwd), compile, onRun });
}

type Asked = Pick<GateOptions, 'payloads'> & Partial<Pick<CheckOptions, 'runtimes' | 'acceptConfig'>>;

/** Entries on the runtimes that were asked for, and what all shards of such a check have in common. */
export function askedOf(config: CheckConfig, { payloads, runtimes, acceptConfig }: Asked, cwd: string) {
  const chosen = chosenEntries(payloads, config, cwd).map((entry) =>
    runtimes ? { ...entry, runtimes } : entry,
  );
  const demanded = [chosen, config.baseline, config.new, config.undecided, acceptConfig];
  return { chosen, configHash: hashOf(JSON.stringify(demanded)) };
}

export async function gateInputs(
  session: Session,
  options: GateOptions & Partial<Pick<CheckOptions, 'runtimes' | 'acceptConfig'>>,
  shard: Shard | null,
): Promise<GateInputs> {
  const { services, world, progress, signal, workdir } = session;
  const cwd = world.cwd();
  const note = (text: string) => progress.listen({ type: 'note', text });
  const config = await configHere(session, options);
  const { chosen, configHash } = askedOf(config, options, cwd);
  const units = unitsOf(chosen, shard);
  const sources = await loadEntries([...new Set(units.map(({ entry }) => entry))], config, session);
  const specs = [...new Set(units.map(({ spec }) => spec))];
  for (const spec of specs.filter((one) => /[\\/]/.test(one)))
    note(`${config.file} asks for it: running ${spec}`);
  const baselinePath = resolve(config.folder, config.baseline);
  return {
    config,
    asked: chosen,
    configHash,
    request: {
      units,
      selected: options.payloads.length === 0 ? null : chosen.flatMap(namesBelow),
      sourcesOf: (entry) => sources.get(entry) ?? [],
      runtimes: await findEach(specs, session, {
        ...fetchOptions(session, options, [...sources.values()].flat(), chosen.some(hasRemedies)),
        guestsIn: config.folder,
      }),
      timeoutMs: options.timeoutMs,
      cwd: config.folder,
      signal,
      keepSample: (_id, json) => writeSample(workdir, json),
    },
    tools: { ...services.tools, emit: progress.listen },
    baselinePath,
    baselineFile: relative(cwd, baselinePath),
  };
}

/** Code of the user's. */
const hasRemedies = ({ remedies, codec }: CheckEntry): boolean => remedies.length > 0 || codec !== undefined;

/** Enough to tell two inputs apart. */
const HASH_DIGITS = 16;

export const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);

/** The id of an entry; those of a glob are below it. */
const namesBelow = ({ id, input }: CheckEntry) => (id === null ? [stem(input)] : [id, `${id}/`]);

const stem = (input: string) => basename(input, extname(input));

async function writeSample(workdir: string, json: string): Promise<string> {
  const file = join(workdir, `${randomUUID()}.json`);
  await writeFile(file, json);
  return file;
}

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
      ({ id, input }) => name === (id ?? stem(input)) || resolve(config.folder, input) === file,
    );
    return entries.length > 0 ? entries : [entryFor(relative(config.folder, file), config)];
  });
}

async function loadEntries(
  entries: readonly CheckEntry[],
  { folder }: CheckConfig,
  { services, workdir }: Session,
): Promise<Map<CheckEntry, Source[]>> {
  const loaded = entries.map(async (entry): Promise<[CheckEntry, Source[]]> => {
    return [entry, await services.loadSources([entry.input], { as: entry.as, workdir, cwd: folder })];
  });
  return new Map(await Promise.all(loaded));
}

/** Each spec by itself, so that its name in the config stays known. @throws ToolError 'runtime-unknown' */
export async function findEach(
  specs: readonly string[],
  { services }: Session,
  fetching: FetchOptions,
): Promise<Map<string, FoundRuntime | ToolError>> {
  const runtimes = new Map<string, FoundRuntime | ToolError>();
  for (const spec of specs) {
    const { found, missing } = await services.findRuntimes([spec], fetching);
    const error = missing[0]?.error ?? new ToolError('runtime-missing', { value: spec, detail: 'not here' });
    runtimes.set(spec, found[0] ?? error);
  }
  return runtimes;
}
