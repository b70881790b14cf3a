/** Makes a folder with the files of another commit. Payloads are found and modules resolve there as in the checkout. */

import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isNoSpace, noSpaceLeft } from '../machine/limits.ts';
import { ToolError } from '../model/errors.ts';
import {
  type Commit,
  type CommitFile,
  endOf,
  filesOfCommit,
  firstLine,
  type GitOptions,
  pathInRepository,
  startGit,
} from './git.ts';

/** Reasons why files of the commit are not in the folder, by path. */
type NotWritten = Map<string, string>;

/**
 * Writes the files as git stores them: no filter of .gitattributes runs, and line ends are not converted. A symbolic
 * link is made only if it cannot lead out of the folder.
 *
 * @throws ToolError 'base-unreadable', 'interrupted'
 */
async function writeCommitFiles(
  commit: Commit,
  files: readonly CommitFile[],
  folder: string,
  options: GitOptions,
): Promise<NotWritten> {
  const notWritten: NotWritten = new Map();
  for (const { path, kind } of files) if (kind === 'submodule') notWritten.set(path, 'it is a submodule');
  const stored = files.filter(({ kind }) => kind !== 'submodule');
  const child = startGit(['cat-file', '--batch'], { ...options, cwd: commit.root });
  const ended = endOf(child, options);
  ended.catch(() => undefined);
  child.stdin?.end(stored.map(({ id }) => `${id}\n`).join(''));
  const reader = new BatchReader(child.stdout!);
  const links = new Map<string, string>();
  for (const file of stored) {
    const size = await reader.size();
    if (size === null) break;
    try {
      const target = await writeOne(file, size, reader, folder);
      if (target !== null) links.set(file.path, target);
    } catch (error) {
      if (isNoSpace(error)) {
        child.kill('SIGKILL');
        throw noSpaceLeft(error);
      }
      // A name that this file system rejects must not stop the other files.
      notWritten.set(file.path, (error as Error).message);
    }
  }
  await reader.pieces(Number.POSITIVE_INFINITY, () => undefined);
  const { code, stderr } = await ended;
  if (code !== 0) throw new ToolError('base-unreadable', { value: commit.ref, detail: firstLine(stderr) });
  // Links are made last, so that no file is written through a link.
  for (const [path, to] of links) makeLink(folder, path, to, notWritten);
  return notWritten;
}

/** Size in bytes that pointer files of Git LFS stay below (git-lfs.github.com/spec/v1). */
const LFS_BYTES = 1024;
const LFS_POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n/;

/** Writes a file, or returns the target of a link, which is made later. @throws Error why it is not written */
async function writeOne(
  { path, kind }: CommitFile,
  size: number | 'missing',
  reader: BatchReader,
  folder: string,
): Promise<string | null> {
  if (size === 'missing') throw new Error('git does not have its content here, and nothing is fetched');
  if (kind === 'link') return (await reader.bytes(size)).toString('utf8');
  const small = size < LFS_BYTES ? await reader.bytes(size) : null;
  if (small && LFS_POINTER.test(small.toString('latin1')))
    throw new Error('its content is in Git LFS, which is not asked');
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  const fd = openSync(file, 'wx');
  try {
    if (small) writeAll(fd, small);
    else await reader.pieces(size, (piece) => writeAll(fd, piece));
  } finally {
    closeSync(fd);
  }
  return null;
}

function writeAll(fd: number, piece: Uint8Array): void {
  for (let done = 0; done < piece.length; ) done += writeSync(fd, piece, done);
}

function makeLink(folder: string, path: string, target: string, notWritten: NotWritten): void {
  if (!staysInside(path, target)) {
    notWritten.set(path, 'it is a symbolic link that may lead out of the repository');
    return;
  }
  try {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(target, join(folder, path));
  } catch (error) {
    notWritten.set(path, (error as Error).message);
  }
}

/**
 * True if a link stays inside the folder. `../` may stand only at the start, at most once per folder above: behind
 * the name of a link, it would go up from the target of that link.
 */
export function staysInside(path: string, target: string): boolean {
  if (target === '' || target.startsWith('/') || /[\\:\0]/.test(target)) return false;
  const parts = target.split('/').filter((part) => part !== '.');
  const below = parts.findIndex((part) => part !== '..');
  const ups = below < 0 ? parts.length : below;
  return ups < path.split('/').length && !parts.slice(ups).includes('..');
}

/** Reads what `git cat-file --batch` prints, piece by piece, so that memory does not grow with a file. */
class BatchReader {
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);
  /** Unread bytes of the current object, including the line end after it. */
  #left = 0;

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Bytes of the next object; skips the rest of the previous object. 'missing': git lacks it. null at the end. */
  async size(): Promise<number | 'missing' | null> {
    await this.pieces(this.#left, () => undefined);
    const line = await this.#line();
    if (line === null) return null;
    const [, size] = /^[0-9a-f]+ \w+ (\d+)$/.exec(line) ?? [];
    if (size === undefined) return 'missing';
    this.#left = Number(size) + 1;
    return Number(size);
  }

  async bytes(size: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    await this.pieces(size, (piece) => pieces.push(piece));
    return Buffer.concat(pieces);
  }

  /** Passes the next `size` bytes to `use`; fewer if git ended before. */
  async pieces(size: number, use: (piece: Buffer) => void): Promise<void> {
    for (let left = size; left > 0; ) {
      if (this.#rest.length === 0 && !(await this.#more())) return;
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      this.#left -= piece.length;
      left -= piece.length;
      use(piece);
    }
  }

  async #line(): Promise<string | null> {
    let end = this.#rest.indexOf('\n');
    while (end < 0) {
      if (!(await this.#more())) return null;
      end = this.#rest.indexOf('\n');
    }
    const line = this.#rest.toString('utf8', 0, end);
    this.#rest = this.#rest.subarray(end + 1);
    return line;
  }

  async #more(): Promise<boolean> {
    // A process that was killed closes its output early: its exit says why.
    const next = await this.#pieces.next().catch(() => null);
    if (next === null || next.done) return false;
    this.#rest = this.#rest.length === 0 ? next.value : Buffer.concat([this.#rest, next.value]);
    return true;
  }
}

export interface BaseFolder {
  commit: Commit;
  /** Path that stands for the root of the repository. */
  folder: string;
  notWritten: NotWritten;
  /** True if its modules use packages of the current checkout. */
  sharesPackages: boolean;
}

/**
 * Writes the commit's files into `folder`.
 *
 * @param isWanted selects files that suffice to read the payloads; null: all, and the checkout's packages for modules
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

/** Links the node_modules of the checkout next to each package.json; false if no folder was linked. */
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

/** Links the whole folder, unless it leads to packages of the repository: these packages must be of the commit, too. */
function linkNodeModules(place: string, root: string, folder: string): void {
  const [from, to] = [join(root, place, 'node_modules'), join(folder, place, 'node_modules')];
  const targets = new Map(packagesIn(from).map((name) => [name, ofCommit(join(from, name), root, folder)]));
  const isWhole = [...targets].every(([name, target]) => target === join(from, name));
  if (isWhole) link(from, to);
  else for (const [name, target] of targets) link(target, join(to, name));
}

/** Names of the packages in a folder: `lodash`, `@scope/name`. */
function packagesIn(folder: string): string[] {
  const visible = (path: string) =>
    statSync(path).isDirectory() ? readdirSync(path).filter((name) => !name.startsWith('.')) : [];
  return visible(folder).flatMap((name) =>
    name.startsWith('@') ? visible(join(folder, name)).map((inner) => `${name}/${inner}`) : name,
  );
}

/** Path of a package, in the commit if npm, pnpm or yarn linked it into node_modules from the workspace. */
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
