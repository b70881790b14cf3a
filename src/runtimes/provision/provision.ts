/**
 * Versions of a runtime that are not installed: from the user's cache, or through npm into it. Nothing is written to the
 * user's project, and each fetch is announced.
 */
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { removeStale } from '../../machine/temp-folders.ts';
import { ToolError } from '../../model/errors.ts';
import { PROGRAM_RUNTIMES, type ProgramRuntime } from '../../model/names.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import type { Environment, NpmPackage } from '../process/kind.ts';
import { RUNTIME_KINDS } from '../process/kinds.ts';
import { npmPackageOf, thisTarget } from './build-target.ts';
import { cacheFolder, ensureFolder, listAllEntries, listEntries, lookUp, removeEntry } from './cache.ts';
import { isNetworkFailure, provisionError } from './failure.ts';
import { fetchRuntime } from './fetch.ts';
import type { KnownHashes } from './integrity.ts';
import type { NpmOptions, RunNpm } from './npm.ts';
import { registryOf } from './registry.ts';
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
  /** The user's folder. */
  cwd?: string;
  /** npm also reads the `.npmrc` of that folder's project. */
  projectNpmrc?: boolean;
  /** Also a package that its registry publishes no sha512 of. */
  weakIntegrity?: boolean;
  /** Hashes of packages; default: those of the versions that the rule book names. */
  known?: KnownHashes;
  signal?: AbortSignal | undefined;
  runNpm?: RunNpm;
}

/** What npm is asked for, and the most that it takes: the largest runtime has 50 MiB, what is told of all its versions some. */
const VIEW = { timeoutMs: 120_000, mostBytes: 128 * 2 ** 20 };
const FETCH = { timeoutMs: 15 * 60_000, mostBytes: 2 ** 30 };

/**
 * The runtime of a spec ("bun@1.3.14", "node@24", "deno@latest", "bun"), fetched when the cache lacks it. npm is not asked
 * for a number or a range that the cache satisfies; "latest" and tags always ask npm.
 * @throws ToolError runtime-unknown, version-malformed, runtime-no-build, version-unknown, offline, npm-missing, disk-full,
 * provision-failed, interrupted
 */
export async function provision(spec: string, options: ProvisionOptions = {}): Promise<FoundRuntime> {
  const wanted = parseSpec(spec);
  await removeStale(join(cacheFolder(options.env ?? process.env), 'tmp'));
  const here = await asPublished(wanted, options);
  const cached = await newestCached(here, wanted);
  if (cached && isNumeric(wanted.wanted)) return cached;
  const version = await versionOnline(wanted, here, cached, options);
  if (version === null && cached) return cached;
  if (version === null) throw new ToolError('offline', { value: spec, option: '--offline' });
  return cachedOrFetched(here, wanted, version, options);
}

/** A runtime as the user's registry has it. */
interface PublishedPackage extends NpmPackage {
  cache: string;
  name: ProgramRuntime;
  registry: string;
}

async function asPublished(
  { name, spec }: WantedRuntime,
  options: ProvisionOptions,
): Promise<PublishedPackage> {
  const npmPackage = npmPackageOf(name, thisTarget());
  const npm = npmOptions(options, VIEW);
  try {
    return { ...npmPackage, name, cache: npm.cache, registry: await registryOf(npmPackage.package, npm) };
  } catch (error) {
    throw provisionError(error, spec);
  }
}

/** All runtimes of the cache, by name, newest version first. */
export async function listCached(options: { env?: Environment } = {}): Promise<FoundRuntime[]> {
  return (await Promise.all(PROGRAM_RUNTIMES.map((name) => cachedOf(name, options)))).flat();
}

/** Removes the versions of a spec ("bun": all of them) and returns them. */
export async function removeCached(
  spec: string,
  options: { env?: Environment } = {},
): Promise<FoundRuntime[]> {
  const { name, wanted } = parseSpec(spec);
  const removed = (await cachedOf(name, options)).filter(
    ({ version }) => wanted === 'latest' || satisfies(version, wanted),
  );
  for (const entry of removed) await removeEntry(cacheFolder(options.env ?? process.env), entry);
  return removed;
}

/** Empty where npm has no build for this machine. */
async function cachedOf(
  name: ProgramRuntime,
  { env = process.env }: { env?: Environment },
): Promise<FoundRuntime[]> {
  const npmPackage = RUNTIME_KINDS[name].npmPackage(thisTarget());
  return npmPackage ? listAllEntries(cacheFolder(env), { name, package: npmPackage.package }) : [];
}

async function newestCached(here: PublishedPackage, { wanted }: WantedRuntime): Promise<FoundRuntime | null> {
  const entries = await listEntries(here.cache, here);
  const versions = entries.map(({ version }) => version);
  const version = newestSatisfying(versions, wanted);
  return entries.find((entry) => entry.version === version) ?? null;
}

/** null when npm is not asked (`offline`), or has no network while the cache has a version. */
async function versionOnline(
  wanted: WantedRuntime,
  here: PublishedPackage,
  cached: FoundRuntime | null,
  options: ProvisionOptions,
): Promise<string | null> {
  const instead = cached && `using ${cached.spec} from the cache`;
  if (options.offline) {
    if (instead) options.onNote?.(`${wanted.spec}: npm is not asked with --offline; ${instead}`);
    return null;
  }
  try {
    return chooseVersion(wanted, await published(here.package, npmOptions(options, VIEW)));
  } catch (error) {
    if (!instead || !isNetworkFailure(error)) throw provisionError(error, wanted.spec);
    options.onNote?.(`${wanted.spec}: npm cannot reach its registry; ${instead}`);
    return null;
  }
}

async function cachedOrFetched(
  here: PublishedPackage,
  { spec }: WantedRuntime,
  version: string,
  options: ProvisionOptions,
): Promise<FoundRuntime> {
  const { cache, name, registry } = here;
  const target = { ...here, version };
  const existing = await lookUp(cache, target);
  if (existing) return existing;
  options.onNote?.(
    `fetching ${name}@${version} through npm (${here.package} from ${registry}) into ${cache}`,
  );
  try {
    // Also one that an earlier version made for all to read.
    await chmod(await ensureFolder(cache), 0o700);
    const { weakIntegrity = false, known = null } = options;
    return await fetchRuntime(cache, target, {
      ...npmOptions(options, FETCH),
      weakIntegrity,
      known,
    });
  } catch (error) {
    throw provisionError(error, spec);
  }
}

function npmOptions(
  { cwd = process.cwd(), env = process.env, projectNpmrc = false, signal, runNpm: run }: ProvisionOptions,
  most: Pick<NpmOptions, 'timeoutMs' | 'mostBytes'>,
): NpmOptions {
  return { cwd, env, projectNpmrc, cache: cacheFolder(env), ...most, signal, run };
}
