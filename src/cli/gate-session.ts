import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join, relative, resolve } from 'node:path';
import type { GateRequest } from '../app/gate/gather.ts';
import type { KeepSample } from '../app/gate/sampled.ts';
import { type Shard, unitsOf } from '../app/gate/shards.ts';
import type { SampleTools } from '../app/sample.ts';
import type { CheckConfig, CheckEntry } from '../model/check.ts';
import { ToolError, USAGE_CODES } from '../model/errors.ts';
import type { Source } from '../model/recipe.ts';
import type { FoundRuntime } from '../model/runtime.ts';
import { bundleModule } from '../sources/bundle.ts';
import { entryFor, readConfig } from '../store/config.ts';
import { interruptible } from './interrupt.ts';
import { createProgress, type Progress } from './progress.ts';
import type { Services } from './services.ts';
import type { World } from './world.ts';

/** Options that `check` and `baseline` share, validated. */
export interface GateOptions {
  payloads: string[];
  config: string | null;
  timeoutMs: number;
  offline: boolean;
}

/** All that the gate's use cases need, gathered from the config and the machine. */
export interface GateSession {
  config: CheckConfig;
  request: GateRequest;
  keepSample: KeepSample;
  tools: SampleTools;
  progress: Progress;
  baselinePath: string;
  /** The baseline as the user knows it. */
  baselineFile: string;
  signal: AbortSignal;
}

/** Runs `work` with a session whose work folder and guests are gone afterwards. */
export async function withSession<T>(
  options: GateOptions,
  shard: Shard | null,
  services: Services,
  world: World,
  work: (session: GateSession) => Promise<T>,
): Promise<T> {
  const workdir = mkdtempSync(join(tmpdir(), 'clone-prof-'));
  const progress = createProgress(world);
  try {
    return await interruptible(world, async (signal) =>
      work(await open(options, shard, services, world, { workdir, progress, signal })),
    );
  } finally {
    progress.stop();
    rmSync(workdir, { recursive: true, force: true });
  }
}

interface Ground {
  workdir: string;
  progress: Progress;
  signal: AbortSignal;
}

async function open(
  options: GateOptions,
  shard: Shard | null,
  services: Services,
  world: World,
  { workdir, progress, signal }: Ground,
): Promise<GateSession> {
  const cwd = world.cwd();
  const compile = (file: string) => bundleModule(file, join(workdir, 'config'), cwd);
  const config = await readConfig(cwd, { file: options.config, compile });
  const entries = chosen(options.payloads, config, cwd);
  const units = unitsOf(entries, shard);
  const sources = await load([...new Set(units.map(({ entry }) => entry))], config, services, workdir);
  const onNote = (text: string) => progress.listen({ type: 'note', text });
  const fetching = { offline: options.offline, onNote, signal };
  const specs = [...new Set(units.map(({ spec }) => spec))];
  const baselinePath = resolve(config.folder, config.baseline);
  return {
    config,
    request: {
      units,
      sourcesOf: (entry) => sources.get(entry) ?? [],
      runtimes: await findAll(specs, services, fetching),
      timeoutMs: options.timeoutMs,
      cwd: config.folder,
      signal,
    },
    keepSample: (_id, json) => keep(workdir, json),
    tools: { driver: services.driver, emit: progress.listen, now: services.now },
    progress,
    baselinePath,
    baselineFile: relative(cwd, baselinePath),
    signal,
  };
}

async function keep(workdir: string, json: string): Promise<string> {
  const file = join(workdir, `${randomUUID()}.json`);
  await writeFile(file, json);
  return file;
}

/** Entries by their name or file; a file that no entry names is checked by the limits of all. */
function chosen(payloads: readonly string[], config: CheckConfig, cwd: string): CheckEntry[] {
  if (payloads.length === 0) {
    if (config.entries.length > 0) return config.entries;
    const detail = config.file
      ? `${config.file} names no payloads. Add one: "payloads": ["fixtures/rows.json"]`
      : 'no config here, and no payload named. Write one: clone-prof check --init';
    throw new ToolError('usage', { detail });
  }
  return payloads.flatMap((name) => {
    const file = resolve(cwd, name);
    const stem = (input: string) => basename(input, extname(input));
    const entries = config.entries.filter(
      ({ id, input }) => name === (id ?? stem(input)) || resolve(config.folder, input) === file,
    );
    return entries.length > 0 ? entries : [entryFor(relative(config.folder, file), config)];
  });
}

async function load(
  entries: readonly CheckEntry[],
  { folder }: CheckConfig,
  services: Services,
  workdir: string,
): Promise<Map<CheckEntry, Source[]>> {
  const loaded = entries.map(async (entry): Promise<[CheckEntry, Source[]]> => {
    return [entry, await services.loadSources([entry.input], { as: entry.as, workdir, cwd: folder })];
  });
  return new Map(await Promise.all(loaded));
}

/** Each spec by itself, so that its name in the config stays known. A name that nobody knows ends the command. */
async function findAll(
  specs: readonly string[],
  services: Services,
  fetching: Parameters<Services['findRuntimes']>[1],
): Promise<Map<string, FoundRuntime | ToolError>> {
  const runtimes = new Map<string, FoundRuntime | ToolError>();
  for (const spec of specs) {
    const { found, missing } = await services.findRuntimes([spec], fetching);
    const error = missing[0]?.error ?? new ToolError('runtime-missing', { value: spec, detail: 'not here' });
    if (!found[0] && USAGE_CODES.has(error.code)) throw error;
    runtimes.set(spec, found[0] ?? error);
  }
  return runtimes;
}
