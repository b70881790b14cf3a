/**
 * The user's cache of runtimes: `runtimes/<registry>/<name>/<version>/<binary>`, its stamp and, written last, a small
 * `meta.json`.
 * What came from one registry is never used where another one is asked.
 */
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rmdir, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { withTempFolder } from '../../machine/temp-folders.ts';
import type { ProgramRuntime } from '../../model/names.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { foundRuntime } from '../process/found-runtime.ts';
import type { Environment } from '../process/kind.ts';
import { hasSha256, stamped } from './stamp.ts';
import { newestFirst } from './versions.ts';

/** `meta.json` of an entry. */
interface EntryMeta {
  name: string;
  version: string;
  /** The npm package it came from: a home folder may be shared by machines of different kinds. */
  package: string;
  /** Without credentials. */
  registry: string;
  /** Hash of the package. */
  integrity: string;
  file: string;
  size: number;
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

/** One version of a runtime as one registry has it for this machine. */
export interface EntryKey {
  name: ProgramRuntime;
  version: string;
  package: string;
  registry: string;
}

/** "registry.example.org-1a2b3c4d": its host to be read, and a hash of all of it. */
function registryFolder(registry: string): string {
  const host = (URL.canParse(registry) ? new URL(registry).host : 'private').replace(/[^\w.]/g, '_');
  return `${host}-${createHash('sha256').update(registry).digest('hex').slice(0, 8)}`;
}

export function entryFolder(cache: string, { registry, name, version }: Omit<EntryKey, 'package'>): string {
  return join(cache, 'runtimes', registryFolder(registry), name, version);
}

/** A complete entry. null for an interrupted one (no meta), one for another machine, a truncated or overwritten one. */
export async function lookUp(cache: string, key: EntryKey): Promise<FoundRuntime | null> {
  const { name, version } = key;
  const folder = entryFolder(cache, key);
  const meta = await readMeta(folder);
  if (meta?.package !== key.package || meta.version !== version || meta.registry !== key.registry)
    return null;
  const binary = join(folder, meta.file);
  const found = await stat(binary).catch(() => null);
  if (!found?.isFile() || found.size !== meta.size) return null;
  if (!(await hasSha256(binary, meta.sha256, join(cache, 'tmp')))) return null;
  return foundRuntime({ name, version }, binary, 'cache');
}

/** Complete entries of a runtime from one registry, newest version first. */
export async function listEntries(cache: string, kind: Omit<EntryKey, 'version'>): Promise<FoundRuntime[]> {
  const versions = await namesIn(dirname(entryFolder(cache, { ...kind, version: '_' })));
  const found = await Promise.all(
    newestFirst(versions).map((version) => lookUp(cache, { ...kind, version })),
  );
  return found.filter((entry) => entry !== null);
}

/** Every complete entry of a runtime, whichever registry it came from. */
export async function listAllEntries(
  cache: string,
  kind: Omit<EntryKey, 'version' | 'registry'>,
): Promise<FoundRuntime[]> {
  const registries = (await namesIn(join(cache, 'runtimes'))).map(async (folder) => {
    const versions = join(cache, 'runtimes', folder, kind.name);
    const metas = await Promise.all((await namesIn(versions)).map((one) => readMeta(join(versions, one))));
    return metas.find((meta) => meta !== null)?.registry ?? null;
  });
  const known = new Set((await Promise.all(registries)).filter((registry) => registry !== null));
  return (await Promise.all([...known].map((registry) => listEntries(cache, { ...kind, registry })))).flat();
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** Completes an entry in `folder`, which holds the binary already. */
export async function completeEntry(
  folder: string,
  facts: EntryKey & Pick<EntryMeta, 'integrity' | 'file'>,
): Promise<void> {
  const binary = join(folder, facts.file);
  await chmod(binary, 0o755);
  const { size } = await stat(binary);
  const meta: EntryMeta = { ...facts, size, sha256: await stamped(binary) };
  await writeFile(join(folder, 'meta.json'), `${JSON.stringify(meta, null, 2)}\n`);
}

/** Renamed first, so that no other run finds an entry that is half removed. */
export async function removeEntry(cache: string, { binary }: FoundRuntime): Promise<void> {
  const folder = dirname(binary);
  await withTempFolder(join(cache, 'tmp'), (temp) => rename(folder, join(temp, 'removed')));
  // Fails on purpose while other versions are there.
  const empty = [dirname(folder), dirname(dirname(folder))];
  for (const parent of empty) await rmdir(parent).catch(() => undefined);
}

/** For the user alone: what is in the cache is run. */
export async function ensureFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

async function readMeta(folder: string): Promise<EntryMeta | null> {
  try {
    const meta = JSON.parse(await readFile(join(folder, 'meta.json'), 'utf8')) as EntryMeta | null;
    return typeof meta?.registry === 'string' ? meta : null;
  } catch {
    return null;
  }
}
