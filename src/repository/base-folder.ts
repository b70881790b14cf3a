/** A folder with the files of another commit, in which payloads are found and modules resolve as in the checkout. */

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
import { type Commit, type CommitFile, filesOfCommit, firstLine, pathInRepository } from './commit.ts';
import { endOf, type GitOptions, startGit } from './git.ts';

/** Why a file of the commit is not in the folder, by path. */
type NotWritten = Map<string, string>;

/**
 * The files as git stores them: no filter of .gitattributes runs, and line ends are not converted. A symbolic link is
 * made only when it cannot lead out of the folder.
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
  const target: CheckoutTarget = { reader, folder, links: new Map(), noSpace: null };
  for (const file of stored) {
    const size = await reader.size();
    if (size === null) break;
    const reason = await writeOne(file, size, target);
    if (reason !== null) notWritten.set(file.path, reason);
  }
  await reader.pieces(Number.POSITIVE_INFINITY, () => undefined);
  const { code, stderr } = await ended;
  if (code !== 0) throw new ToolError('base-unreadable', { value: commit.ref, detail: firstLine(stderr) });
  if (target.noSpace !== null) throw target.noSpace;
  // Last: no file is written through a link.
  for (const [path, to] of target.links) makeLink(folder, path, to, notWritten);
  return notWritten;
}

interface CheckoutTarget {
  reader: BatchReader;
  folder: string;
  links: Map<string, string>;
  /** Told when git has been read to its end. */
  noSpace: ToolError | null;
}

/** A pointer file of Git LFS is smaller (git-lfs.github.com/spec/v1). */
const LFS_BYTES = 1024;
const LFS_POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n/;

/** Why it was not written; null when it was. */
async function writeOne(
  { path, kind }: CommitFile,
  size: number | 'missing',
  target: CheckoutTarget,
): Promise<string | null> {
  const { reader, links } = target;
  if (size === 'missing') return 'git does not have its content here, and nothing is fetched';
  if (kind === 'link') {
    links.set(path, (await reader.bytes(size)).toString('utf8'));
    return null;
  }
  if (size >= LFS_BYTES) return intoFile(target, path, (write) => reader.pieces(size, write));
  const bytes = await reader.bytes(size);
  if (LFS_POINTER.test(bytes.toString('latin1'))) return 'its content is in Git LFS, which is not asked';
  return intoFile(target, path, async (write) => write(bytes));
}

type Write = (piece: Uint8Array) => void;

/** A name that this file system does not take must not end the others; all of `fill` is read in any case. */
async function intoFile(
  target: CheckoutTarget,
  path: string,
  fill: (write: Write) => Promise<void>,
): Promise<string | null> {
  const file = join(target.folder, path);
  let reason: string | null = null;
  let fd: number | null = null;
  const attempt = (step: () => void) => {
    if (reason !== null) return;
    try {
      step();
    } catch (error) {
      if (isNoSpace(error)) target.noSpace ??= noSpaceLeft(error);
      reason = (error as Error).message;
    }
  };
  attempt(() => {
    mkdirSync(dirname(file), { recursive: true });
    fd = openSync(file, 'wx');
  });
  await fill((piece) => attempt(() => writeAll(fd!, piece)));
  if (fd !== null) closeSync(fd);
  return reason;
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
 * `../` only at the start, and no more than there are folders above: behind the name of another link it would go up from
 * wherever that leads.
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
  /** Content is followed by a line end. */
  #lineEnds = 0;

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Bytes of the next object, whose content must be read next; 'missing': it is not here. null at the end. */
  async size(): Promise<number | 'missing' | null> {
    await this.pieces(this.#lineEnds, () => undefined);
    this.#lineEnds = 0;
    const line = await this.#line();
    if (line === null) return null;
    const [, size] = /^[0-9a-f]+ \w+ (\d+)$/.exec(line) ?? [];
    if (size === undefined) return 'missing';
    this.#lineEnds = 1;
    return Number(size);
  }

  async bytes(size: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    await this.pieces(size, (piece) => pieces.push(piece));
    return Buffer.concat(pieces);
  }

  /** The next `size` bytes; fewer when git ended before. */
  async pieces(size: number, use: (piece: Buffer) => void): Promise<void> {
    for (let left = size; left > 0; ) {
      if (this.#rest.length === 0 && !(await this.#more())) return;
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
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
