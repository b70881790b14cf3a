import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import type { Env } from '../process/guest-env.ts';
import type { RuntimeKind } from '../process/kind.ts';

const onWindows = process.platform === 'win32';

export function isBinary(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Every binary of this name on PATH, in its order. On Windows only what starts without a shell. */
export function onPath(name: string, env: Env): string[] {
  const path = env.PATH ?? env.Path ?? '';
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, onWindows ? `${name}.exe` : name)).filter(isBinary);
}

function entriesLike(folder: string, pattern: string): string[] {
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

/** Files below `folder` that a path with at most one `*` per part stands for. */
function filesLike(folder: string, parts: readonly string[]): string[] {
  const [part, ...rest] = parts;
  if (part === undefined) return [folder];
  return entriesLike(folder, part).flatMap((entry) => filesLike(join(folder, entry), rest));
}

/** Binaries of this kind that npm installed for the project of `cwd`, the nearest node_modules first. */
export function inNodeModules(kind: RuntimeKind, cwd: string): string[] {
  const found: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    found.push(...kind.inNodeModules.flatMap((like) => filesLike(modules, like.split('/'))).filter(isBinary));
    if (folder === dirname(folder)) return found;
  }
}
