/** Temporary folders inside the cache, on the same file system so that a rename is atomic. */
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

const OLD_MS = 24 * 60 * 60 * 1000;

const hostPart = () => hostname().replace(/[^A-Za-z0-9.]/g, '_') || 'host';

/** Calls `use` with a fresh folder `tmp/<host>-<pid>-<random>` and removes the folder afterwards. */
export async function withTempFolder<T>(cache: string, use: (folder: string) => Promise<T>): Promise<T> {
  const parent = join(cache, 'tmp');
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, `${hostPart()}-${process.pid}-`));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes folders of runs that were killed: their process has ended, or they are a day old. */
export async function removeStale(cache: string, now: number = Date.now()): Promise<void> {
  const parent = join(cache, 'tmp');
  for (const name of await readdir(parent).catch(() => [])) {
    const folder = join(parent, name);
    if (await isStale(folder, name, now)) {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    }
  }
}

async function isStale(folder: string, name: string, now: number): Promise<boolean> {
  const [, host, pid] = /^(.+)-(\d+)-[^-]+$/.exec(name) ?? [];
  // Process ids of another host or container mean nothing here, so the age decides.
  if (host === hostPart() && !isAlive(Number(pid))) return true;
  const found = await stat(folder).catch(() => null);
  return found !== null && now - found.mtimeMs > OLD_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
