/** Temporary folders whose names contain the owner, so that a later run can remove the folders of killed runs. */
import { lstatSync, mkdtempSync, readlinkSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolError } from '../model/errors.ts';
import { orElse } from '../model/or-else.ts';
import { makeFolder } from './folders.ts';
import { limitReached, statOf } from './machine.ts';

const OLD_MS = 24 * 60 * 60 * 1000;
const OWN_ONLY = 0o700;

export async function withTempFolder<T>(parent: string, use: (folder: string) => Promise<T>): Promise<T> {
  makeFolder(parent, OWN_ONLY);
  const folder = await mkdtemp(join(parent, `${owner()}-`));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

export const WORK = 'clone-prof-work-';

/** For one run of the tool: the folder is removed afterwards. Also removes the folders of killed runs. */
export async function withWorkFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = madeFolder(WORK);
  const removing = removeStale(tmpdir(), WORK);
  try {
    return await work(folder);
  } finally {
    await removing;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function madeFolder(prefix: string): string {
  try {
    return mkdtempSync(ownedPath(prefix));
  } catch (error) {
    const detail = `no folder can be made in it (${(error as NodeJS.ErrnoException).code})`;
    throw (
      limitReached(error) ?? new ToolError('temp-unwritable', { folder: tmpdir(), detail }, { cause: error })
    );
  }
}

export const ownedPath = (prefix: string): string => join(tmpdir(), `${prefix}${owner()}-`);

/** The caller removes the folder. Also removes the folders of killed runs. */
export function ownedFolder(prefix: string): string {
  void removeStale(tmpdir(), prefix);
  return madeFolder(prefix);
}

/**
 * Removes the folders `<prefix><owner>-<random>` of this user whose owner has ended. The owners on other hosts and in
 * other containers cannot be checked: their folders are removed when they are a day old.
 */
export async function removeStale(parent: string, prefix = '', now: number = Date.now()): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const isOld = name.startsWith(prefix) && isStale(join(parent, name), name.slice(prefix.length), now);
    if (!isOld) continue;
    // Links in the folder are removed, not followed.
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

/** `<host>-<process id>-<start time>`: process ids are reused, and are meaningless on a different host. */
const owner = () => `${hostPart()}-${process.pid}-${startTime(process.pid) ?? 0}`;

/** Host name, on Linux with the namespace of process ids: containers may share a host name and a folder. */
function hostPart(): string {
  const host = hostname().replace(/[^A-Za-z0-9.]/g, '_') || 'host';
  return orElse(() => `${host}.${/\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0]}`, host);
}

/** Start time in ticks since boot, proc_pid_stat(5), field 22; null if unknown. */
const startTime = (pid: number): string | null => statOf(pid)[19] ?? null;

function isStale(folder: string, rest: string, now: number): boolean {
  // mkdtemp ends a name with six characters; this excludes folders that a user named by a date.
  const [, host, pid, start] = /^(.+)-(\d+)-(\d+)-[A-Za-z0-9]{6}$/.exec(rest) ?? [];
  if (host === undefined) return false;
  try {
    const found = lstatSync(folder);
    if (!found.isDirectory() || (process.getuid && found.uid !== process.getuid())) return false;
    if (host !== hostPart()) return now - found.mtimeMs > OLD_MS;
    return !isAlive(Number(pid)) || (startTime(Number(pid)) ?? start) !== start;
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
