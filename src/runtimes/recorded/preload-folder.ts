/**
 * The folder with the file that NODE_OPTIONS names. A program may leave processes that still run, and that start workers and
 * children later: without the file none of them would start. So it stays as long as a process may need it, and it holds
 * nothing that was recorded.
 */
import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownedFolder } from '../../machine/temp-folders.ts';
import { isInEnvironments } from '../process/marked-children.ts';

const PREFIX = 'clone-prof-preload-';

/** What ends with the program may take a moment. */
const LOOKS = 5;
const PAUSE_MS = 20;

/** Where nobody can tell who uses it. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

const isInUse = (folder: string): boolean =>
  process.platform === 'linux' ? isInEnvironments(folder) : Date.now() - statSync(folder).mtimeMs < KEPT_MS;

export const preloadFolder = (): string => ownedFolder(PREFIX, isInUse);

/** One that may still be used is left to a later recording. @returns whether a process is known to use it */
export async function removePreload(folder: string): Promise<boolean> {
  for (let look = 0; isInUse(folder); look++) {
    if (look === LOOKS) return process.platform === 'linux';
    await sleep(PAUSE_MS);
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  return false;
}
