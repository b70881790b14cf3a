/** Finds the folders of a project, its package manager and its version of Node, for `check --init`. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { LOCK_FILES, projectFolders } from '../../machine/folders.ts';
import { startOf } from '../../machine/given-file.ts';

export type ManagerName = (typeof LOCK_FILES)[keyof typeof LOCK_FILES] | 'yarn-classic';

interface PackageManager {
  name: ManagerName;
  /** Folder of the lock file, or of the package.json that names the manager; from the root of the repository. */
  folder: string;
  lockFile: string | null;
  /** Pinned version in package.json ("pnpm@10.1.0"), without a hash; null if no version is pinned. */
  pinned: string | null;
  /** Of pnpm, if no version is pinned: the version that wrote the lock file. */
  version: string;
}

export interface Project {
  cwd: string;
  /** Root of its repository; `cwd` outside of a repository. */
  root: string;
  /** Path from `root` to `cwd`, with `/`; "" if they are equal. */
  folder: string;
  /** Of the nearest folder that names it or has a lock file: a workspace's root. Null without a package.json. */
  manager: PackageManager | null;
  nodeVersionFile: string | null;
  dependsOnTool: boolean;
}

export function projectOf(cwd: string): Project {
  const folders = projectFolders(cwd);
  const root = folders.at(-1) ?? cwd;
  const versionFile = firstOf(folders, nodeVersionFile);
  const manifest = folders.find((folder) => existsSync(join(folder, 'package.json'))) ?? null;
  return {
    ...{ cwd, root, folder: between(root, cwd) },
    manager:
      firstOf(folders, (folder) => managerIn(folder, between(root, folder))) ??
      (manifest === null
        ? null
        : { name: 'npm', folder: between(root, manifest), lockFile: null, pinned: null, version: '' }),
    nodeVersionFile: versionFile && between(root, versionFile),
    dependsOnTool: folders
      .map(manifestIn)
      .some(({ dependencies, devDependencies }) =>
        [dependencies, devDependencies].some((names) => Object.hasOwn(Object(names), 'clone-prof')),
      ),
  };
}

const firstOf = <T>(folders: readonly string[], find: (folder: string) => T | null): T | null =>
  folders.map(find).find((found) => found !== null) ?? null;

export const between = (from: string, to: string) => relative(from, to).replaceAll('\\', '/');

const readText = (file: string): string => startOf(file) ?? '';

interface Manifest {
  packageManager?: unknown;
  engines?: { node?: unknown };
  volta?: { node?: unknown };
  dependencies?: object;
  devDependencies?: object;
}

/** Reads the package.json of a folder; empty if it is missing or cannot be read. */
export function manifestIn(folder: string): Manifest {
  try {
    return Object(JSON.parse(readText(join(folder, 'package.json')))) as Manifest;
  } catch {
    return {};
  }
}

const VERSION_FILES = ['.nvmrc', '.node-version'];

function nodeVersionFile(folder: string): string | null {
  const file = VERSION_FILES.find((name) => existsSync(join(folder, name)));
  if (file !== undefined) return join(folder, file);
  const { engines, volta } = manifestIn(folder);
  return typeof (volta?.node ?? engines?.node) === 'string' ? join(folder, 'package.json') : null;
}

/** By the version in pnpm-lock.yaml (pnpm.io/next/git#lockfiles). */
const PNPM_VERSIONS: Readonly<Record<string, string>> = { 5: '7', 6: '8' };

/** Manager that a folder names, else null. @param fromRoot the folder's path from the root of the repository */
export function managerIn(folder: string, fromRoot: string): PackageManager | null {
  const { packageManager } = manifestIn(folder);
  const pinned = /^(npm|pnpm|yarn|bun)@\d[\w.-]*/.exec(String(packageManager))?.[0] ?? null;
  const locks = Object.entries(LOCK_FILES).filter(([file]) => existsSync(join(folder, file)));
  const lock =
    locks.find(([, name]) => pinned?.startsWith(`${name}@`)) ?? (pinned === null ? locks[0] : undefined);
  if (lock === undefined && pinned === null) return null;
  const [lockFile = null, name = pinned?.split('@')[0] as ManagerName] = lock ?? [];
  const text = lockFile === null || name === 'bun' ? '' : readText(join(folder, lockFile));
  const version = PNPM_VERSIONS[/^lockfileVersion: '?(\d)/m.exec(text)?.[1] ?? ''] ?? '10';
  const found = { name, folder: fromRoot, lockFile, pinned, version };
  if (name !== 'yarn') return found;
  // From version 2 on yarn writes the key `__metadata`.
  const isClassic = pinned === null ? !/^__metadata:/m.test(text) : /^yarn@[01]\./.test(pinned);
  return { ...found, name: isClassic ? 'yarn-classic' : 'yarn' };
}
