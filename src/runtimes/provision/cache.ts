/** The user's cache of runtimes: `runtimes/<name>/<version>/<binary>` and, written last, a small `meta.json`. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rmdir, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PROCESS_RUNTIMES, type ProcessRuntime } from '../../model/names.ts';
import type { FoundRuntime } from '../../model/runtime.ts';
import { foundRuntime } from '../found-runtime.ts';
import type { Environment } from '../process/kind.ts';
import { withTempFolder } from './temp.ts';
import { newestFirst } from './versions.ts';

/** `meta.json` of an entry. */
interface EntryMeta {
  name: string;
  version: string;
  /** The npm package it came from: a home folder may be shared by machines of different kinds. */
  package: string;
  file: string;
  size: number;
  mtimeMs: number;
  sha256: string;
}

/** The user's cache folder, as each system has it; XDG_CACHE_HOME counts everywhere when it is absolute. */
export function cacheFolder(env: Environment, platform: string = process.platform): string {
  const home = env.HOME || env.USERPROFILE || homedir();
  const xdg = env.XDG_CACHE_HOME ?? '';
  if (isAbsolute(xdg)) return join(xdg, 'clone-prof');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'clone-prof');
  if (platform === 'win32')
    return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'clone-prof', 'cache');
  return join(home, '.cache', 'clone-prof');
}

export function entryFolder(cache: string, name: string, version: string): string {
  return join(cache, 'runtimes', name, version);
}

/** A complete entry. null for an interrupted one (no meta), one for another machine, a truncated or overwritten one. */
export async function lookUp(
  cache: string,
  name: ProcessRuntime,
  version: string,
  packageName: string,
): Promise<FoundRuntime | null> {
  const folder = entryFolder(cache, name, version);
  const meta = await readMeta(folder);
  if (meta?.package !== packageName || meta.version !== version) return null;
  const binary = join(folder, meta.file);
  const found = await stat(binary).catch(() => null);
  if (!found?.isFile() || found.size !== meta.size) return null;
  if (found.mtimeMs !== meta.mtimeMs && (await sha256Of(binary)) !== meta.sha256) return null;
  return foundRuntime({ name, version }, binary, 'cache');
}

/** Every complete entry, newest version first. */
export async function listEntries(
  cache: string,
  packageOf: (name: ProcessRuntime) => string | null,
): Promise<FoundRuntime[]> {
  const found: FoundRuntime[] = [];
  for (const name of PROCESS_RUNTIMES) {
    const packageName = packageOf(name);
    const versions = await readdir(join(cache, 'runtimes', name)).catch(() => []);
    for (const version of newestFirst(versions)) {
      const entry = packageName && (await lookUp(cache, name, version, packageName));
      if (entry) found.push(entry);
    }
  }
  return found;
}

/** Completes an entry in `folder`, which holds the binary already. */
export async function completeEntry(
  folder: string,
  facts: { name: string; version: string; package: string; file: string },
): Promise<void> {
  const binary = join(folder, facts.file);
  await chmod(binary, 0o755);
  const { size, mtimeMs } = await stat(binary);
  const meta: EntryMeta = { ...facts, size, mtimeMs, sha256: await sha256Of(binary) };
  await writeFile(join(folder, 'meta.json'), `${JSON.stringify(meta, null, 2)}\n`);
}

/** Renamed first, so that no other run finds an entry that is half removed. */
export async function removeEntry(cache: string, { name, version }: FoundRuntime): Promise<void> {
  await withTempFolder(cache, async (temp) => {
    await rename(entryFolder(cache, name, version), join(temp, 'removed'));
  });
  // Fails on purpose while other versions are there.
  await rmdir(join(cache, 'runtimes', name)).catch(() => undefined);
}

export async function ensureFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  return folder;
}

async function readMeta(folder: string): Promise<EntryMeta | null> {
  try {
    return JSON.parse(await readFile(join(folder, 'meta.json'), 'utf8')) as EntryMeta;
  } catch {
    return null;
  }
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
