import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startOf } from '../../../machine/given-file.ts';

export type ManagerName = 'npm' | 'pnpm' | 'yarn' | 'yarn-classic' | 'bun';

/** How the packages of a project are installed. */
export interface PackageManager {
  name: ManagerName;
  /** Folder of the lock file, or of the package.json that names the manager. */
  folder: string;
  /** Name of the lock file; null when there is none. */
  lockFile: string | null;
  /** As package.json pins it ("pnpm@10.1.0"), without a hash; null when it does not. */
  pinned: string | null;
  /** Version that reads the lock file, if nothing pins one; null: any. */
  version: string | null;
}

/** In this order where a folder has several. */
const LOCK_FILES: readonly [file: string, name: ManagerName][] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];

/** By `lockfileVersion` of pnpm-lock.yaml (pnpm.io/next/git#lockfiles). */
const PNPM_VERSIONS: readonly [lockVersion: RegExp, version: string][] = [
  [/^5\./, '7'],
  [/^6\./, '8'],
];
const NEWEST_PNPM = '10';

/**
 * Package manager of the nearest folder that has a lock file or names one: in a workspace that is its root.
 *
 * @param folders from the project's own up to the root of its repository
 * @returns null without a package.json
 */
export function packageManagerOf(folders: readonly string[]): PackageManager | null {
  for (const folder of folders) {
    const pinned = pinnedIn(folder);
    const locks = LOCK_FILES.filter(([file]) => existsSync(join(folder, file)));
    const lock =
      locks.find(([, name]) => pinned?.startsWith(`${name}@`)) ?? (pinned === null ? locks[0] : undefined);
    if (lock !== undefined || pinned !== null) return managerIn(folder, lock, pinned);
  }
  const own = folders.find((folder) => existsSync(join(folder, 'package.json')));
  return own === undefined ? null : { name: 'npm', folder: own, lockFile: null, pinned: null, version: null };
}

function managerIn(
  folder: string,
  lock: (typeof LOCK_FILES)[number] | undefined,
  pinned: string | null,
): PackageManager {
  const lockFile = lock?.[0] ?? null;
  const name = lock?.[1] ?? (pinned?.split('@')[0] as ManagerName);
  const found = { name, folder, lockFile, pinned, version: null };
  const text = lockFile === null || lockFile === 'bun.lockb' ? '' : readText(join(folder, lockFile));
  if (name === 'yarn') return { ...found, name: isClassic(text, pinned) ? 'yarn-classic' : 'yarn' };
  if (name !== 'pnpm' || pinned !== null) return found;
  const [, lockVersion = ''] = /^lockfileVersion: '?([\d.]+)/m.exec(text) ?? [];
  return { ...found, version: PNPM_VERSIONS.find(([of]) => of.test(lockVersion))?.[1] ?? NEWEST_PNPM };
}

/** Only later versions of yarn write this key. */
const isClassic = (text: string, pinned: string | null) =>
  pinned === null ? !/^__metadata:/m.test(text) : /^yarn@[01]\./.test(pinned);

function pinnedIn(folder: string): string | null {
  try {
    const { packageManager } = JSON.parse(readText(join(folder, 'package.json')));
    return /^(npm|pnpm|yarn|bun)@\d[\w.-]*/.exec(String(packageManager))?.[0] ?? null;
  } catch {
    return null;
  }
}

const readText = (file: string): string => startOf(file) ?? '';
