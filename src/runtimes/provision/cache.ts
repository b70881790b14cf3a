/** The user's cache of runtimes: `runtimes/<name>/<version>/<binary>` and, written last, a small `meta.json`. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rmdir, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ProcessRuntime } from '../../probe/running-runtime.ts';
import { PROCESS_RUNTIMES } from '../process/kinds.ts';
import type { Env } from './npm.ts';
import { withTempFolder } from './temp.ts';
import { newestFirst } from './versions.ts';

export interface CachedRuntime {
  name: ProcessRuntime;
  version: string;
  /** Absolute path. */
  binary: string;
}

interface Meta {
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
export function cacheFolder(env: Env, platform: string = process.platform): string {
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

/** The entry when it is whole, else null: no meta (interrupted), another machine's, truncated or overwritten. */
export async function lookUp(
  cache: string,
  name: ProcessRuntime,
  version: string,
  packageName: string,
): Promise<CachedRuntime | null> {
  const folder = entryFolder(cache, name, version);
  const meta = await readMeta(folder);
  if (meta?.package !== packageName || meta.version !== version) return null;
  const binary = join(folder, meta.file);
  const found = await stat(binary).catch(() => null);
  if (!found?.isFile() || found.size !== meta.size) return null;
  if (found.mtimeMs !== meta.mtimeMs && (await sha256Of(binary)) !== meta.sha256) return null;
  return { name, version, binary };
}

/** Every whole entry, newest version first. */
export async function listEntries(
  cache: string,
  packageOf: (name: ProcessRuntime) => string | null,
): Promise<CachedRuntime[]> {
  const found: CachedRuntime[] = [];
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

/** Makes `folder` (which holds the binary) a whole entry; the meta file comes last. */
export async function seal(
  folder: string,
  facts: { name: string; version: string; package: string; file: string },
): Promise<void> {
  const binary = join(folder, facts.file);
  await chmod(binary, 0o755);
  const { size, mtimeMs } = await stat(binary);
  const meta: Meta = { ...facts, size, mtimeMs, sha256: await sha256Of(binary) };
  await writeFile(join(folder, 'meta.json'), `${JSON.stringify(meta, null, 2)}\n`);
}

/** Renamed away first: nobody sees an entry that is half removed. */
export async function removeEntry(cache: string, { name, version }: CachedRuntime): Promise<void> {
  await withTempFolder(cache, async (temp) => {
    await rename(entryFolder(cache, name, version), join(temp, 'removed'));
  });
  // Fails while other versions are there, as it should.
  await rmdir(join(cache, 'runtimes', name)).catch(() => undefined);
}

export async function ensureFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  return folder;
}

async function readMeta(folder: string): Promise<Meta | null> {
  try {
    return JSON.parse(await readFile(join(folder, 'meta.json'), 'utf8')) as Meta;
  } catch {
    return null;
  }
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
