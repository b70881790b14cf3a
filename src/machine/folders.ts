import { existsSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { orElse } from '../model/or-else.ts';

/** A folder and all folders above it, the nearest first. */
export function foldersUpFrom(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersUpFrom(parent)];
}

/**
 * The folders whose files belong to the project of `cwd`: from `cwd` up to the root of its repository (a folder with
 * `.git`), the nearest first; `cwd` alone where there is no repository. What lies above may be anybody's.
 */
export function projectFolders(cwd: string): string[] {
  const folders = foldersUpFrom(cwd);
  return folders.slice(0, folders.findIndex((folder) => isRepository(folder, cwd)) + 1 || 1);
}

/** The outermost of them. */
export const projectRoot = (cwd: string): string => projectFolders(cwd).at(-1) ?? cwd;

/** As git does, a `.git` of another user does not count: in a shared folder anybody can make one. */
const isRepository = (folder: string, cwd: string): boolean =>
  orElse(() => {
    const { uid } = lstatSync(join(folder, '.git'));
    return uid === 0 || uid === process.getuid?.() || uid === statSync(cwd).uid;
  }, false);

/** `folder` is `parent` or lies below it. */
export function isInside(folder: string, parent: string): boolean {
  const path = relative(parent, folder);
  const isOtherDrive = /^[a-z]:/i.test(path) || path.startsWith(sep);
  return path === '' || !(path === '..' || path.startsWith(`..${sep}`) || isOtherDrive);
}

/** Without links; as it is where it does not exist. */
export const realFolder = (folder: string): string => orElse(() => realpathSync.native(folder), folder);

/**
 * Makes a folder and the folders above it. Node's recursive `mkdir` never returns where a file system claims that a parent is
 * missing although it is there (/proc on Linux).
 */
export function makeFolder(folder: string, mode = 0o777): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // A different process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
