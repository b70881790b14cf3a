/** Packages of this checkout that modules of the other commit import, which a change may have replaced. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { importedFiles, packagesOf } from '../../app/sources/bundle.ts';
import type { Work } from '../../app/world/services.ts';
import { foldersUpFrom, isInside, realFolder } from '../../machine/folders.ts';
import { orElse } from '../../model/or-else.ts';
import { type BaseFolder, type GitOptions, git } from '../repository/commit.ts';
import { isSameContent } from './gate-request.ts';

export const isCode = (file: string): boolean => /\.[cm]?[jt]s$/.test(file);

/** Notes the packages by module, and lock files at the root that differ. @param files modules and data, from `folder` */
export async function noteShared(
  { commit, folder: top }: BaseFolder,
  folder: string,
  files: readonly string[],
  { emit, signal }: Work,
): Promise<void> {
  const shared = await Promise.all(
    [...new Set(files)].filter(isCode).map(async (file) => {
      const path = resolve(folder, file);
      const all = await packagesOf(path, folder, { signal }).catch(() => []);
      const names = all.filter((name) => isShared(name, path, top));
      return names.length === 0 ? [] : `${relative(folder, path)} (${names.join(', ')})`;
    }),
  );
  if (shared.flat().length === 0) return;
  const locks = await otherLocks(top, top, commit.root);
  const other = locks.map((name) => `; ${name} is not that of ${commit.ref}`);
  const text = `packages of this checkout, on both sides: ${shared.flat().join(', ')}${other.join('')}`;
  emit({ type: 'note', text });
}

/** True for a package whose files are not those of the commit. */
function isShared(name: string, importer: string, top: string): boolean {
  const places = foldersUpFrom(dirname(importer)).map((folder) => join(folder, 'node_modules', name));
  const found = places.find((place) => existsSync(place));
  return found !== undefined && !isInside(realFolder(found), top);
}

const LOCK_FILES = [
  'npm-shrinkwrap.json',
  'package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
];

/** Lock files of a folder of the commit and of those above that differ from the checkout's. */
async function otherLocks(folder: string, top: string, root: string): Promise<string[]> {
  const folders = foldersUpFrom(folder).filter((one) => isInside(one, top));
  const names = folders.flatMap((one) => LOCK_FILES.map((name) => join(relative(top, one), name)));
  const differ = await Promise.all(
    names.map(async (name) => {
      const sides = [join(top, name), join(root, name)] as const;
      return sides.some((file) => existsSync(file)) && !(await isSameContent(...sides)) ? name : [];
    }),
  );
  return differ.flat();
}

/** Folder with packages, a package in it as lock files of npm name it, and its name. */
const PACKAGE = /^(.*?)(node_modules\/(?:.*\/node_modules\/)?((?:@[^/]+\/)?[^/]+))(?=\/|$)/;

/**
 * Packages that the config of the commit imports, and that are not those of the commit: its limits may be those of the
 * change. If lock files differ, these are all that it imports, unless npm tells what it has installed.
 *
 * @param config path of a config that is code, in the folder of the commit
 */
export async function replacedPackages(
  config: string,
  { commit: { root }, folder: top }: BaseFolder,
  running: GitOptions,
): Promise<string[]> {
  const isOtherLock = (await otherLocks(dirname(config), top, root)).length > 0;
  const files = await importedFiles(config, top, { signal: running.signal }).catch(() => null);
  if (files === null) return isOtherLock ? ['its imports'] : [];
  const paths = files.flatMap((file) =>
    isInside(file, top) ? [] : relative(root, file).replaceAll('\\', '/'),
  );
  const packages = new Set(paths.map((path) => PACKAGE.exec(path)?.[0] ?? path));
  const replaced: string[] = [];
  for (const path of packages) {
    const [, place = '', key = '', name = path] = PACKAGE.exec(path) ?? [];
    // A link to a folder that the change makes, or packages that it commits.
    const isOfChange = key === '' || (await isInHead(`${place}node_modules`, root, running));
    const [now, before] = [installedIn(join(root, place)), lockedIn(join(top, place))];
    const isOther = now && before ? now[key] === undefined || now[key] !== before[key] : isOtherLock;
    if (isOther || (isOfChange && !path.startsWith('../'))) replaced.push(name);
  }
  return replaced;
}

/** The other commit has no packages there: they would be in its folder. */
async function isInHead(folder: string, root: string, running: GitOptions): Promise<boolean> {
  const { code } = await git(['cat-file', '-e', `HEAD:${folder}`], { ...running, cwd: root });
  return code === 0;
}

/** The packages that npm has installed in a folder, and those that its lock file names; null if it is not npm's. */
const installedIn = (folder: string) => versionsIn(join(folder, 'node_modules/.package-lock.json'));
const lockedIn = (folder: string) =>
  versionsIn(join(folder, 'npm-shrinkwrap.json')) ?? versionsIn(join(folder, 'package-lock.json'));

function versionsIn(file: string): Record<string, string> | null {
  return orElse(() => {
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Locked> };
    const texts = Object.entries(packages).map(([key, { version, resolved, integrity }]) => [
      key,
      [version, resolved, integrity].join(' '),
    ]);
    return Object.fromEntries(texts);
  }, null);
}

type Locked = Partial<Record<'version' | 'resolved' | 'integrity', string>>;
