/**
 * Versions of a runtime that are not installed: from the user's cache, or through npm into it. Nothing is written to the
 * user's project, and each fetch is announced.
 */
import { statSync } from 'node:fs';
import { chmod, mkdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { removeStale, withTempFolder } from '../../machine/temp-folders.ts';
import { ToolError } from '../../model/errors.ts';
import { PROGRAM_RUNTIMES, type ProgramRuntime } from '../../model/names.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import type { Environment } from '../process/kind.ts';
import { RUNTIME_KINDS } from '../process/kinds.ts';
import { npmPackageOf, thisTarget } from './build-target.ts';
import {
  addEntry,
  cacheFolder,
  listAllEntries,
  listEntries,
  openCache,
  type PublishedRuntime,
  removeEntry,
  temporaryIn,
} from './cache.ts';
import { npmInstall, npmView, provisionError } from './npm.ts';
import type { NpmOptions } from './npm-program.ts';
import { registryOf, withoutCredentials } from './registry.ts';
import {
  chooseVersion,
  isNumeric,
  isOlder,
  newestSatisfying,
  type PublishedVersions,
  parseSpec,
  publishedFrom,
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
  signal?: AbortSignal | undefined;
}

interface Source extends PublishedRuntime {
  npm: NpmOptions;
}

/**
 * The runtime of a spec ("bun@1.3.14", "node@24", "deno@latest", "bun"), fetched if it is not in the cache. npm is not started
 * for a number or a range that the cache satisfies; "latest" and tags always start it.
 * @throws ToolError runtime-unknown, version-malformed, runtime-no-build, runtime-too-old, version-unknown, offline, npm-missing,
 * disk-full, provision-failed, interrupted
 */
export async function provision(spec: string, options: ProvisionOptions = {}): Promise<FoundRuntime> {
  const wanted = parseSpec(spec);
  refuseOld(wanted, wanted.wanted);
  const source = sourceOf(wanted.name, options);
  await removeStale(temporaryIn(source.cache));
  const entries = await listEntries(source);
  const versions = entries.map(({ version }) => version);
  const cached = entryOf(entries, newestSatisfying(versions, wanted.wanted));
  if (cached && isNumeric(wanted.wanted)) return cached;
  const version = await versionOnline(wanted, source, cached, options);
  if (version === null && cached) return cached;
  if (version === null) throw new ToolError('offline', { value: spec, option: '--offline' });
  refuseOld(wanted, version);
  return entryOf(entries, version) ?? (await fetched(source, wanted, version, options));
}

function sourceOf(name: ProgramRuntime, options: ProvisionOptions): Source {
  const { cwd = process.cwd(), env = process.env, projectNpmrc = false, signal } = options;
  const npm = { cwd, env, projectNpmrc, signal };
  const npmPackage = npmPackageOf(name, thisTarget());
  const registry = withoutCredentials(registryOf(npmPackage.package, npm));
  return { ...npmPackage, name, registry, npm, cache: cacheFolder(env) };
}

const entryOf = (entries: readonly FoundRuntime[], version: string | null): FoundRuntime | null =>
  entries.find((entry) => entry.version === version) ?? null;

/** @throws ToolError runtime-too-old for a version, or a range without a version, on which guests run */
function refuseOld({ spec, name }: WantedRuntime, version: string): void {
  const { oldest } = RUNTIME_KINDS[name];
  if (!isOlder(version, oldest)) return;
  throw new ToolError('runtime-too-old', { runtime: spec, oldest: `${name}@${oldest}` });
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

/** Empty if npm has no build for this machine. */
async function cachedOf(
  name: ProgramRuntime,
  { env = process.env }: { env?: Environment },
): Promise<FoundRuntime[]> {
  const npmPackage = RUNTIME_KINDS[name].npmPackage(thisTarget());
  return npmPackage ? listAllEntries({ ...npmPackage, name, cache: cacheFolder(env) }) : [];
}

/** null if npm is not started (`offline`), or has no network while the cache has a version. */
async function versionOnline(
  wanted: WantedRuntime,
  source: Source,
  cached: FoundRuntime | null,
  options: ProvisionOptions,
): Promise<string | null> {
  const instead = cached && `using ${cached.spec} from the cache`;
  if (options.offline) {
    if (instead) options.onNote?.(`${wanted.spec}: npm is not started with --offline; ${instead}`);
    return null;
  }
  try {
    return chooseVersion(wanted, await publishedVersions(source));
  } catch (error) {
    const reason = provisionError(error, wanted.spec);
    if (!instead || reason.code !== 'offline') throw reason;
    options.onNote?.(`${wanted.spec}: npm cannot reach its registry; ${instead}`);
    return null;
  }
}

async function publishedVersions(source: Source): Promise<PublishedVersions> {
  openCache(source.cache);
  return withTempFolder(temporaryIn(source.cache), async (folder) => {
    const run = { ...source.npm, folder, packageName: source.package };
    return publishedFrom(await npmView(['versions', 'dist-tags'], run));
  });
}

/**
 * Installs one version in a temporary folder, and moves its binary into the cache. Of two runs at the same time both succeed: the
 * second uses the entry of the first.
 */
async function fetched(
  source: Source,
  { spec }: WantedRuntime,
  version: string,
  { onNote }: ProvisionOptions,
): Promise<FoundRuntime> {
  const { cache, name, registry, package: packageName } = source;
  onNote?.(`fetching ${name}@${version} through npm (${packageName} from ${registry}) into ${cache}`);
  try {
    openCache(cache);
    return await withTempFolder(temporaryIn(cache), async (folder) => {
      await npmInstall(version, { ...source.npm, folder, packageName });
      return addEntry(source, version, await binaryAlone(folder, source), folder);
    });
  } catch (error) {
    throw provisionError(error, spec);
  }
}

/** Returns a folder with the binary of the installed package. Guests need nothing else of it (headers, npm itself). */
async function binaryAlone(folder: string, { package: name, binary }: PublishedRuntime): Promise<string> {
  const installed = join(folder, 'node_modules', name, binary);
  if (!statSync(installed, { throwIfNoEntry: false })?.isFile())
    throw new Error(`${name} holds no ${binary}`);
  await chmod(installed, 0o755);
  const entry = join(folder, 'entry');
  await mkdir(entry, { mode: 0o700 });
  await rename(installed, join(entry, basename(binary)));
  return entry;
}
