import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { foldersUpFrom } from '../../machine/folders.ts';
import type { Environment, RuntimeKind } from '../process/kind.ts';

const onWindows = process.platform === 'win32';

export function isBinary(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Absolute folders of PATH, in its order. */
export function pathFolders(env: Environment): string[] {
  return (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
}

/** Every binary of this name on PATH, in its order. On Windows only those that start without a shell. */
export function onPath(name: string, env: Environment): string[] {
  return pathFolders(env)
    .map((folder) => join(folder, onWindows ? `${name}.exe` : name))
    .filter(isBinary);
}

function matchingEntries(folder: string, pattern: string): string[] {
  if (!pattern.includes('*')) return [pattern];
  const [before = '', after = ''] = pattern.split('*');
  try {
    return readdirSync(folder)
      .filter((entry) => entry.startsWith(before) && entry.endsWith(after))
      .sort();
  } catch {
    return [];
  }
}

/** Files below `folder` that match a path with at most one `*` per part. */
function matchingFiles(folder: string, parts: readonly string[]): string[] {
  const [part, ...rest] = parts;
  if (part === undefined) return [folder];
  return matchingEntries(folder, part).flatMap((entry) => matchingFiles(join(folder, entry), rest));
}

/** Binaries of this kind that npm installed for the project of `cwd`, the nearest node_modules first. */
export function inNodeModules(kind: RuntimeKind, cwd: string): string[] {
  return foldersUpFrom(cwd)
    .map((folder) => join(folder, 'node_modules'))
    .flatMap((modules) => kind.inNodeModules.flatMap((pattern) => matchingFiles(modules, pattern.split('/'))))
    .filter(isBinary);
}
