/**
 * Versions of a runtime that are not installed: from the user's cache, or through npm into it. Nothing is written to the
 * user's project, and each fetch is announced.
 */
import { ToolError } from '../../model/errors.ts';
import type { ProcessRuntime } from '../../model/names.ts';
import type { FoundRuntime } from '../../model/runtime.ts';
import type { Environment } from '../process/kind.ts';
import { npmPackageOf, thisTarget } from './build-target.ts';
import { cacheFolder, listEntries, lookUp, removeEntry } from './cache.ts';
import { isNetworkFailure, provisionError } from './failure.ts';
import { fetchRuntime } from './fetch.ts';
import type { NpmOptions } from './npm.ts';
import { removeStale } from './temp.ts';
import {
  chooseVersion,
  isNumeric,
  newestSatisfying,
  parseSpec,
  published,
  satisfies,
  type WantedRuntime,
} from './versions.ts';

export interface ProvisionOptions {
  /** Only the cache is used. */
  offline?: boolean;
  /** Gets a line before each fetch, and when the cache may hold an older version than npm. */
  onNote?: (text: string) => void;
  env?: Environment;
  /** The user's folder, for the .npmrc of a project. */
  cwd?: string;
  signal?: AbortSignal | undefined;
}

const VIEW_TIMEOUT_MS = 120_000;
const FETCH_TIMEOUT_MS = 15 * 60_000;

/**
 * The runtime of a spec ("bun@1.3.14", "node@24", "deno@latest", "bun"), fetched when the cache lacks it. npm is not asked
 * for a number or a range that the cache satisfies; "latest" and tags always ask npm.
 * @throws ToolError runtime-unknown, runtime-no-build, version-unknown, offline, npm-missing, disk-full,
 * provision-failed, interrupted
 */
export async function provision(spec: string, options: ProvisionOptions = {}): Promise<FoundRuntime> {
  const wanted = parseSpec(spec);
  const cache = cacheFolder(options.env ?? process.env);
  await removeStale(cache);
  const cached = await newestCached(cache, wanted);
  if (cached && isNumeric(wanted.wanted)) return cached;
  const version = await versionOnline(wanted, cached, options);
  if (version === null && cached) return cached;
  if (version === null) throw new ToolError('offline', { value: spec, option: '--offline' });
  return cachedOrFetched(cache, wanted, version, options);
}

/** All runtimes of the cache, by name, newest version first. */
export function listCached(options: { env?: Environment } = {}): Promise<FoundRuntime[]> {
  return listEntries(cacheFolder(options.env ?? process.env), packageNameHere);
}

/** Removes the versions of a spec ("bun": all of them) and returns them. */
export async function removeCached(
  spec: string,
  options: { env?: Environment } = {},
): Promise<FoundRuntime[]> {
  const { name, wanted } = parseSpec(spec);
  const cache = cacheFolder(options.env ?? process.env);
  const removed = (await entriesOf(cache, name)).filter(
    ({ version }) => wanted === 'latest' || satisfies(version, wanted),
  );
  for (const entry of removed) await removeEntry(cache, entry);
  return removed;
}

function packageNameHere(name: ProcessRuntime): string | null {
  try {
    return npmPackageOf(name, thisTarget()).package;
  } catch {
    return null;
  }
}

async function entriesOf(cache: string, name: ProcessRuntime): Promise<FoundRuntime[]> {
  return (await listEntries(cache, packageNameHere)).filter((entry) => entry.name === name);
}

async function newestCached(cache: string, { name, wanted }: WantedRuntime): Promise<FoundRuntime | null> {
  const entries = await entriesOf(cache, name);
  const versions = entries.map(({ version }) => version);
  const version = newestSatisfying(versions, wanted);
  return entries.find((entry) => entry.version === version) ?? null;
}

/** null when npm is not asked (`offline`), or has no network while the cache has a version. */
async function versionOnline(
  wanted: WantedRuntime,
  cached: FoundRuntime | null,
  options: ProvisionOptions,
): Promise<string | null> {
  const instead = cached && `using ${cached.spec} from the cache`;
  if (options.offline) {
    if (instead) options.onNote?.(`${wanted.spec}: npm is not asked with --offline; ${instead}`);
    return null;
  }
  const npmPackage = npmPackageOf(wanted.name, thisTarget());
  try {
    return chooseVersion(wanted, await published(npmPackage.package, npmOptions(options, VIEW_TIMEOUT_MS)));
  } catch (error) {
    if (!instead || !isNetworkFailure(error)) throw provisionError(error, wanted.spec);
    options.onNote?.(`${wanted.spec}: npm cannot reach its registry; ${instead}`);
    return null;
  }
}

async function cachedOrFetched(
  cache: string,
  { name, spec }: WantedRuntime,
  version: string,
  options: ProvisionOptions,
): Promise<FoundRuntime> {
  const target = { ...npmPackageOf(name, thisTarget()), name, version };
  const existing = await lookUp(cache, name, version, target.package);
  if (existing) return existing;
  options.onNote?.(`fetching ${name}@${version} through npm (${target.package}) into ${cache}`);
  try {
    return await fetchRuntime(cache, target, npmOptions(options, FETCH_TIMEOUT_MS));
  } catch (error) {
    throw provisionError(error, spec);
  }
}

function npmOptions({ cwd, env, signal }: ProvisionOptions, timeoutMs: number): NpmOptions {
  return { cwd: cwd ?? process.cwd(), env: env ?? process.env, timeoutMs, signal };
}
