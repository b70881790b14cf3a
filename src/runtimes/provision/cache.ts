/**
 * The user's cache of runtimes: `runtimes/<settings of npm>/<npm package>/<version>/<binary>`. A folder of a version is
 * complete: it gets its name last. A package that npm fetched with the settings of a project is used only with the same
 * settings; the name of the package keeps machines apart that share a home folder.
 */
import { createHash } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { readdir, rename, rmdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolder } from '../../machine/folders.ts';
import { withTempFolder } from '../../machine/temp-folders.ts';
import type { ProgramRuntime } from '../../model/names.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { isBinary } from '../process/binaries.ts';
import { foundRuntime } from '../process/found-runtime.ts';
import type { Environment, NpmPackage } from '../process/kind.ts';
import { newestFirst } from './versions.ts';

/** A runtime as npm has it for this machine, and the cache that it goes into. */
export interface PublishedRuntime extends NpmPackage {
  cache: string;
  name: ProgramRuntime;
  /** Text of the project's `.npmrc` that npm reads; null: the user's own settings alone. */
  settings: string | null;
}

const RENAME_ATTEMPTS = 5;

/** The user's cache folder by the custom of each system; an absolute XDG_CACHE_HOME counts everywhere. */
export function cacheFolder(env: Environment, platform: string = process.platform): string {
  const home = env.HOME || env.USERPROFILE || homedir();
  const xdg = env.XDG_CACHE_HOME ?? '';
  if (isAbsolute(xdg)) return join(xdg, 'clone-prof');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'clone-prof');
  if (platform === 'win32')
    return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'clone-prof', 'cache');
  return join(home, '.cache', 'clone-prof');
}

/** Folder of temporary folders, on the same disk. */
export const temporaryIn = (cache: string): string => join(cache, 'tmp');

/** Calls `use` with a temporary folder of the cache, which is for its user alone, because its files are run. */
export async function withCacheFolder<T>(cache: string, use: (folder: string) => Promise<T>): Promise<T> {
  makeFolder(cache, 0o700);
  // Earlier versions made it for all to read.
  chmodSync(cache, 0o700);
  return withTempFolder(temporaryIn(cache), use);
}

/** Folder of all versions of a package. */
function versionsFolder({ cache, settings, package: packageName }: PublishedRuntime): string {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
  return join(cache, 'runtimes', settings === null ? 'npm' : `npmrc-${hash(settings)}`, packageName);
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** Versions of a runtime in the cache, the newest first. */
export const listEntries = (runtime: PublishedRuntime): Promise<FoundRuntime[]> =>
  entriesIn(versionsFolder(runtime), runtime);

/** Versions of a runtime by all settings. */
export async function listAllEntries(runtime: Omit<PublishedRuntime, 'settings'>): Promise<FoundRuntime[]> {
  const all = join(runtime.cache, 'runtimes');
  const folders = (await namesIn(all)).map((settings) => join(all, settings, runtime.package));
  return (await Promise.all(folders.map((folder) => entriesIn(folder, runtime)))).flat();
}

async function entriesIn(
  folder: string,
  { name, binary }: Pick<PublishedRuntime, 'name' | 'binary'>,
): Promise<FoundRuntime[]> {
  return newestFirst(await namesIn(folder))
    .map((version) => foundRuntime({ name, version }, join(folder, version, basename(binary)), 'cache'))
    .filter((runtime) => isBinary(runtime.binary));
}

/**
 * Moves a folder that holds the binary into the cache. If a different run was faster, its entry is used.
 * @param temp a temporary folder of the cache
 */
export async function addEntry(
  runtime: PublishedRuntime,
  version: string,
  made: string,
  temp: string,
): Promise<FoundRuntime> {
  const folder = join(versionsFolder(runtime), version);
  makeFolder(dirname(folder), 0o700);
  for (let attempt = 1; ; attempt++) {
    const failure = await rename(made, folder).catch((error: unknown) => error);
    const entry = (await listEntries(runtime)).find((candidate) => candidate.version === version);
    if (entry) return entry;
    if (attempt === RENAME_ATTEMPTS) throw failure;
    // An entry without its binary has this name. On Windows a virus scanner may keep it open for a moment.
    await rename(folder, join(temp, `replaced-${attempt}`)).catch(() => delay(100 * attempt));
  }
}

/** Renames first, so that no other run finds an entry that is half removed. */
export async function removeEntry(cache: string, { binary }: FoundRuntime): Promise<void> {
  const folder = dirname(binary);
  await withCacheFolder(cache, (temp) => rename(folder, join(temp, 'removed')));
  // `rmdir` fails on purpose at the first folder that is not empty.
  for (let parent = dirname(folder); parent !== join(cache, 'runtimes'); parent = dirname(parent)) {
    await rmdir(parent).catch(() => undefined);
  }
}
