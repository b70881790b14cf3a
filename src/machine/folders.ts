import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { orElse } from '../model/or-else.ts';
import type { MovedFolder } from '../model/run/runtime.ts';

export function foldersUpFrom(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersUpFrom(parent)];
}

/**
 * Folders whose files belong to the project of `cwd`, the nearest first: `cwd` and the folders above up to the root of
 * its repository (with `.git`), or `cwd` alone without a repository. Folders above may belong to other users.
 */
export function projectFolders(cwd: string): string[] {
  const folders = foldersUpFrom(cwd);
  return folders.slice(0, folders.findIndex((folder) => isRepository(folder, cwd)) + 1 || 1);
}

/** Lock files and their package managers, in order of precedence if a folder has several. */
export const LOCK_FILES = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'package-lock.json': 'npm',
  'npm-shrinkwrap.json': 'npm',
} as const;

export const projectRoot = (cwd: string): string => projectFolders(cwd).at(-1) ?? cwd;

/** Like git, ignores a `.git` of a different user: any user can make one in a shared folder. */
const isRepository = (folder: string, cwd: string): boolean =>
  orElse(() => {
    const { uid } = lstatSync(join(folder, '.git'));
    return uid === 0 || uid === process.getuid?.() || uid === statSync(cwd).uid;
  }, false);

export function isInside(folder: string, parent: string): boolean {
  const path = relative(parent, folder);
  const isOtherDrive = /^[a-z]:/i.test(path) || path.startsWith(sep);
  return path === '' || !(path === '..' || path.startsWith(`..${sep}`) || isOtherDrive);
}

/** Both sides share the folder for temporary files. */
const SHARED = /^(TMPDIR|TEMP|TMP)$/i;

/** The environment of what runs in `to` as if it ran in `from`: GITHUB_WORKSPACE leads to the files there. */
export const movedEnv = (env: NodeJS.ProcessEnv, { from, to }: MovedFolder): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).map(([name, value = '']) => [
      name,
      isAbsolute(value) && isInside(value, from) && !SHARED.test(name)
        ? join(to, relative(from, value))
        : value,
    ]),
  );

export const realFolder = (folder: string): string => orElse(() => realpathSync.native(folder), folder);

/** Makes the folders above too. Recursive `mkdir` of Node never returns where a parent seems to be missing (/proc). */
export function makeFolder(folder: string, mode = 0o777): void {
  const isThere = () => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // A different process may have made the folder first.
    if (!isThere()) throw error;
  }
}

/** Path of a file of this package; works in the sources and in the bundle, whose folders have different depths. */
export function packageFile(name: string): string {
  const folders = foldersUpFrom(dirname(fileURLToPath(import.meta.url)));
  return join(folders.find((folder) => existsSync(join(folder, 'package.json'))) ?? '/', name);
}

export function toolVersion(): string {
  return (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version;
}

/** Code by file name: `jsc-nested-value.js`. */
export const rulePayloads = (): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(packageFile('dist/rule-payloads.json'), 'utf8')) as Record<string, string>;

export function writeRulePayloads(folder: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  for (const [name, code] of Object.entries(rulePayloads())) writeFileSync(join(folder, name), code);
}
