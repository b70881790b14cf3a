/** Temporary folders inside the cache (same file system, so that a rename is atomic), and what killed runs left there. */
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

const OLD_MS = 24 * 60 * 60 * 1000;

const machine = () => hostname().replace(/[^A-Za-z0-9.]/g, '_') || 'host';

/** Gives `use` a fresh folder `tmp/<host>-<pid>-<random>` and removes it afterwards, come what may. */
export async function withTempFolder<T>(cache: string, use: (folder: string) => Promise<T>): Promise<T> {
  const parent = join(cache, 'tmp');
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, `${machine()}-${process.pid}-`));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes the folders of runs that ended without cleaning up: their process is gone, or they are a day old. */
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
  // Process ids of another host or container say nothing here; its age does.
  if (host === machine() && !isAlive(Number(pid))) return true;
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
