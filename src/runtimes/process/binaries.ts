import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, sep } from 'node:path';
import { isInside, projectFolders, projectRoot, realFolder } from '../../machine/folders.ts';
import { orElse } from '../../model/or-else.ts';
import type { Environment, RuntimeKind } from './kind.ts';

const onWindows = process.platform === 'win32';

export function isBinary(file: string): boolean {
  return orElse(() => {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  }, false);
}

/** Absolute folders of PATH, in its order. */
const pathFolders = (env: Environment): string[] =>
  (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));

/** npx and `npm run` put `node_modules/.bin` of the working folder and of every folder above it on PATH. */
const IN_NODE_MODULES = /(^|[\\/])node_modules([\\/]|$)/;

/**
 * Selects folders whose programs run without a request: not a node_modules, nor the project that `cwd` is in. If the
 * user works in the home folder, the project holds it: programs that are installed there belong to the user.
 */
function installedIn(cwd: string): (folder: string) => boolean {
  const root = realFolder(projectRoot(cwd));
  const holdsHome = isInside(realFolder(homedir()), root);
  return (folder) => {
    const real = realFolder(folder);
    const ofPackages = [folder, real].some((path) => IN_NODE_MODULES.test(path));
    return !ofPackages && (holdsHome || !isInside(real, root));
  };
}

/** True for a folder in the node_modules of a folder above the project, which is never used. */
function isBeyondProject(folder: string, cwd: string): boolean {
  const real = realFolder(folder);
  const owner = real.slice(0, IN_NODE_MODULES.exec(real)?.index ?? real.length) || sep;
  const root = realFolder(projectRoot(cwd));
  return owner !== real && owner !== root && isInside(root, owner);
}

/** Folders of PATH with programs that the user, or the system, installed. */
export const installedFolders = (env: Environment, cwd: string): string[] =>
  pathFolders(env).filter(installedIn(cwd));

const binariesIn = (folders: readonly string[], name: string) =>
  folders.map((folder) => join(folder, onWindows ? `${name}.exe` : name)).filter(isBinary);

/** Every installed binary of this name on PATH, in its order. On Windows only binaries that start without a shell. */
export const onPath = (name: string, env: Environment, cwd: string): string[] =>
  binariesIn(installedFolders(env, cwd), name);

/**
 * Binaries that belong to the project of `cwd`, used only when the user asks for the runtime: what npm installed for
 * it, the nearest node_modules first, and other binaries on PATH (of `npx -p bun`).
 */
export function inProject(name: string, kind: RuntimeKind, env: Environment, cwd: string): string[] {
  const installed = projectFolders(cwd).flatMap((folder) =>
    kind.inNodeModules.flatMap((pattern) => matchingFiles(folder, ['node_modules', ...pattern.split('/')])),
  );
  const isInstalled = installedIn(cwd);
  const others = pathFolders(env).filter((folder) => !isInstalled(folder) && !isBeyondProject(folder, cwd));
  return [...new Set([...installed.filter(isBinary), ...binariesIn(others, name)])];
}

function matchingEntries(folder: string, pattern: string): string[] {
  if (!pattern.includes('*')) return [pattern];
  const [before = '', after = ''] = pattern.split('*');
  return orElse(
    () =>
      readdirSync(folder)
        .filter((entry) => entry.startsWith(before) && entry.endsWith(after))
        .sort(),
    [],
  );
}

/** Files below `folder` that match a path with at most one `*` per part. */
function matchingFiles(folder: string, parts: readonly string[]): string[] {
  const [part, ...rest] = parts;
  if (part === undefined) return [folder];
  return matchingEntries(folder, part).flatMap((entry) => matchingFiles(join(folder, entry), rest));
}

/** Programs at an absolute path with at most one `*` per part. */
export const filesAt = (path: string): string[] =>
  (path.includes('*') ? matchingFiles('/', path.slice(1).split('/')) : [path]).filter(isBinary);
