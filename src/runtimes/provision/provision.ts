/**
 * Other versions of a runtime: from the user's cache, else through npm into it. Never into the user's project, never
 * without a word, never with `offline`.
 */
import { ToolError } from '../../model/errors.ts';
import { ENGINE_OF } from '../../model/names.ts';
import type { FoundRuntime } from '../../model/runtime.ts';
import type { ProcessRuntime } from '../../probe/running-runtime.ts';
import { type CachedRuntime, cacheFolder, listEntries, lookUp, removeEntry } from './cache.ts';
import { explain, isNetworkFailure } from './failure.ts';
import { fetchRuntime } from './fetch.ts';
import type { Env, NpmOptions } from './npm.ts';
import { platformPackage, thisHost } from './platform.ts';
import { removeStale } from './temp.ts';
import {
  chooseVersion,
  isNumeric,
  newestSatisfying,
  parseSpec,
  published,
  satisfies,
  type Wanted,
} from './versions.ts';

export interface ProvisionOptions {
  /** Only what is in the cache. */
  offline?: boolean;
  /** One line for each fetch, before it begins, and for each answer that is older than asked for. */
  onNote?: (text: string) => void;
  env?: Env;
  /** The user's folder, for the .npmrc of a project. */
  cwd?: string;
  signal?: AbortSignal | undefined;
}

const VIEW_TIMEOUT_MS = 120_000;
const FETCH_TIMEOUT_MS = 15 * 60_000;

/**
 * The binary that `spec` means ("bun@1.3.14", "node@24", "deno@latest", "bun"), fetched when it must be.
 * A number or a range that the cache satisfies asks nobody; "latest" and tags ask npm.
 * @throws ToolError runtime-unknown, runtime-no-build, version-unknown, offline, npm-missing, disk-full,
 * provision-failed, interrupted
 */
export async function provision(spec: string, options: ProvisionOptions = {}): Promise<FoundRuntime> {
  const wanted = parseSpec(spec);
  const cache = cacheFolder(options.env ?? process.env);
  await removeStale(cache);
  const cached = await newestCached(cache, wanted);
  if (cached && isNumeric(wanted.wanted)) return found(cached);
  const version = await versionOnline(wanted, cached, options);
  if (version === null && cached) return found(cached);
  if (version === null) throw new ToolError('offline', { value: spec, option: '--offline' });
  return found(await cachedOrFetched(cache, wanted, version, options));
}

/** All whole runtimes of the cache, by name, newest version first. */
export async function listCached(options: { env?: Env } = {}): Promise<FoundRuntime[]> {
  const entries = await listEntries(cacheFolder(options.env ?? process.env), packageHere);
  return entries.map(found);
}

/** Removes the versions that `spec` means ("bun" is all of them) and says which. */
export async function removeCached(spec: string, options: { env?: Env } = {}): Promise<FoundRuntime[]> {
  const { name, wanted } = parseSpec(spec);
  const cache = cacheFolder(options.env ?? process.env);
  const entries = (await listEntries(cache, packageHere)).filter((entry) => entry.name === name);
  const meant = entries.filter(({ version }) => wanted === 'latest' || satisfies(version, wanted));
  for (const entry of meant) await removeEntry(cache, entry);
  return meant.map(found);
}

function packageHere(name: ProcessRuntime): string | null {
  try {
    return platformPackage(name, thisHost()).package;
  } catch {
    return null;
  }
}

function found({ name, version, binary }: CachedRuntime): FoundRuntime {
  return { name, version, engine: ENGINE_OF[name], spec: `${name}@${version}`, binary, from: 'cache' };
}

async function newestCached(cache: string, { name, wanted }: Wanted): Promise<CachedRuntime | null> {
  const entries = (await listEntries(cache, packageHere)).filter((entry) => entry.name === name);
  const versions = entries.map(({ version }) => version);
  const version = newestSatisfying(versions, wanted);
  return entries.find((entry) => entry.version === version) ?? null;
}

/** Null when nobody can be asked: `offline`, or no network while the cache has an answer. */
async function versionOnline(
  wanted: Wanted,
  cached: CachedRuntime | null,
  options: ProvisionOptions,
): Promise<string | null> {
  const instead = cached && `using ${cached.name}@${cached.version} from the cache`;
  if (options.offline) {
    if (instead) options.onNote?.(`${wanted.spec}: npm is not asked with --offline; ${instead}`);
    return null;
  }
  const target = platformPackage(wanted.name, thisHost());
  try {
    return chooseVersion(wanted, await published(target.package, npmOptions(options, VIEW_TIMEOUT_MS)));
  } catch (error) {
    if (!instead || !isNetworkFailure(error)) throw explain(error, wanted.spec);
    options.onNote?.(`${wanted.spec}: npm cannot reach its registry; ${instead}`);
    return null;
  }
}

async function cachedOrFetched(
  cache: string,
  { name, spec }: Wanted,
  version: string,
  options: ProvisionOptions,
): Promise<CachedRuntime> {
  const target = platformPackage(name, thisHost());
  const there = await lookUp(cache, name, version, target.package);
  if (there) return there;
  options.onNote?.(`fetching ${name}@${version} through npm (${target.package}) into ${cache}`);
  try {
    return await fetchRuntime(cache, { ...target, name, version }, npmOptions(options, FETCH_TIMEOUT_MS));
  } catch (error) {
    throw explain(error, spec);
  }
}

function npmOptions({ cwd, env, signal }: ProvisionOptions, timeoutMs: number): NpmOptions {
  return { cwd: cwd ?? process.cwd(), env: env ?? process.env, timeoutMs, signal };
}
