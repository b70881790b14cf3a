/** A folder with the files of another commit, in which payloads are found and modules resolve as in the checkout. */
import { existsSync, mkdirSync, readdirSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Commit, type CommitFile, filesOfCommit, pathInRepository } from './commit.ts';
import { type NotWritten, writeCommitFiles } from './files.ts';
import type { GitOptions } from './git.ts';

export interface BaseFolder {
  commit: Commit;
  /** Stands for the root of the repository. */
  folder: string;
  notWritten: NotWritten;
  /** Packages of the present checkout serve it. */
  sharesPackages: boolean;
}

/**
 * Writes the commit's files into `folder`.
 *
 * @param isWanted which of them are enough to read the payloads; null: all, and the packages of the checkout, for modules
 * @throws ToolError 'base-unreadable', 'interrupted'
 */
export async function writeBaseFolder(
  commit: Commit,
  folder: string,
  isWanted: ((path: string) => boolean) | null,
  options: GitOptions,
): Promise<BaseFolder> {
  mkdirSync(folder, { recursive: true });
  const files = await filesOfCommit(commit, options);
  // A wanted link may stand for a file of any name; any link or submodule may be a folder of wanted files.
  const isAll = isWanted === null || files.some(({ path, kind }) => kind === 'link' && isWanted(path));
  const wanted = isAll ? files : files.filter(({ path, kind }) => kind !== 'file' || isWanted(path));
  const notWritten = await writeCommitFiles(commit, wanted, folder, options);
  const sharesPackages = isWanted === null && linkPackages(files, commit.root, folder);
  return { commit, folder, notWritten, sharesPackages };
}

/** Beside each package.json, the node_modules of the checkout; false when there is none. */
function linkPackages(files: readonly CommitFile[], root: string, folder: string): boolean {
  const own = new Set(files.flatMap(({ path }) => /^(.*?)node_modules\//.exec(path)?.[1] ?? []));
  const beside = files.filter(({ path }) => /(^|\/)package\.json$/.test(path));
  const places = ['', ...beside.map(({ path }) => path.slice(0, -'package.json'.length))];
  const shared = [...new Set(places)].filter(
    (place) => !own.has(place) && existsSync(join(root, place, 'node_modules')),
  );
  for (const place of shared) linkNodeModules(place, root, folder);
  return shared.length > 0;
}

/** The whole folder at once, unless it leads to packages of the repository itself: those are of the commit, too. */
function linkNodeModules(place: string, root: string, folder: string): void {
  const [from, to] = [join(root, place, 'node_modules'), join(folder, place, 'node_modules')];
  const targets = new Map(packagesIn(from).map((name) => [name, ofCommit(join(from, name), root, folder)]));
  const isWhole = [...targets].every(([name, target]) => target === join(from, name));
  if (isWhole) link(from, to);
  else for (const [name, target] of targets) link(target, join(to, name));
}

/** `lodash`, `@scope/name` */
function packagesIn(folder: string): string[] {
  const visible = (path: string) =>
    statSync(path).isDirectory() ? readdirSync(path).filter((name) => !name.startsWith('.')) : [];
  return visible(folder).flatMap((name) =>
    name.startsWith('@') ? visible(join(folder, name)).map((inner) => `${name}/${inner}`) : name,
  );
}

/** npm, pnpm and yarn link the packages of a workspace into node_modules. */
function ofCommit(path: string, root: string, folder: string): string {
  const real = existsSync(path) ? pathInRepository(root, realpathSync(path)) : null;
  const isOwn = real !== null && !`/${real}/`.includes('/node_modules/') && existsSync(join(folder, real));
  return isOwn ? join(folder, real) : path;
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // On Windows a junction needs no privilege.
  symlinkSync(target, path, 'junction');
}
