/** A folder with the files of another commit of the user's repository, which is not trusted. */
import { type ExecFileException, execFile } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { noSpaceLeft } from '../../machine/machine.ts';
import { ToolError } from '../../model/errors.ts';
import { orElse } from '../../model/or-else.ts';
import { onPath } from '../../runtimes/process/binaries.ts';
import type { Environment } from '../../runtimes/process/kinds.ts';

export interface GitOptions {
  cwd: string;
  env: Environment;
  signal?: AbortSignal | undefined;
}

/** Variables that git sets for its hooks: they would redirect git to that repository in any folder. */
const OF_A_HOOK = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_COMMON_DIR'];

/**
 * Prevents fetches for any config of the repository: a partial clone fetches missing objects by a program that this
 * config names. GIT_NO_LAZY_FETCH needs git 2.45, GIT_ALLOW_PROTOCOL works in older ones too.
 */
const NO_FETCH = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', GIT_TERMINAL_PROMPT: '0' };

/** `refs/replace` would show a different tree under the id of a commit. */
const NO_REPLACING = { GIT_NO_REPLACE_OBJECTS: '1' };

/** Ambiguous names are refused, so git must warn about them. */
const CONFIG = ['-c', 'core.warnAmbiguousRefs=true'];

/**
 * Runs git and returns its whole output. In the user's repository callers use only commands that read objects
 * (`rev-parse`, `ls-tree`, `cat-file`): unlike a checkout they run no hook, filter or monitor, and write nothing.
 * @throws ToolError 'git-missing', 'interrupted'
 */
export async function git(args: readonly string[], { cwd, env, signal }: GitOptions, input = '') {
  if (signal?.aborted) throw new ToolError('interrupted');
  const [binary] = onPath('git', env, cwd);
  if (binary === undefined) throw new ToolError('git-missing');
  const inherited = Object.entries(env).filter(([name]) => !OF_A_HOOK.includes(name));
  const running = promisify(execFile)(binary, [...CONFIG, ...args], {
    ...{ cwd, encoding: 'buffer', maxBuffer: Number.POSITIVE_INFINITY, windowsHide: true },
    env: { ...Object.fromEntries(inherited), ...NO_FETCH, ...NO_REPLACING, LC_ALL: 'C' },
    ...(signal && { signal, killSignal: 'SIGKILL' }),
  });
  // Git may end before it has read its whole input.
  running.child.stdin?.on('error', () => undefined).end(input);
  const failed = ({ code, signal: by, stdout, stderr }: ExecFileException) => {
    // Ctrl-C reaches git too, possibly before this process.
    if (signal?.aborted || by === 'SIGINT') throw new ToolError('interrupted');
    if (typeof code === 'string') throw new ToolError('git-missing');
    return { code, stdout, stderr: by ? `fatal: git was ended by ${by}\n` : stderr };
  };
  const { code, stdout, stderr } = await running.then((ended) => ({ ...ended, code: 0 }), failed);
  return { code, stdout: Buffer.from(stdout ?? ''), stderr: String(stderr) };
}

type Commit = Awaited<ReturnType<typeof findCommit>>;

/**
 * Finds the commit in the repository of `cwd`, and the top folder of its working tree, without links.
 * @throws ToolError 'repository-missing', 'base-unknown', or as `git`
 */
export async function findCommit(ref: string, options: GitOptions) {
  refuseNoRef(ref);
  const { code, stdout, stderr } = await git(
    ['rev-parse', '--show-toplevel', '--verify', '--end-of-options', `${ref}^{commit}`],
    options,
  );
  // The name of a folder may hold line ends.
  const [, root, id] = /^(.+?)\r?\n(?:([0-9a-f]+)\r?\n)?$/s.exec(stdout.toString('utf8')) ?? [];
  if (root === undefined) throw noRepository(code, stderr);
  if (/warning: refname .* is ambiguous/.test(stderr)) {
    const detail = `it names several. Write refs/heads/${ref} or refs/tags/${ref}`;
    throw new ToolError('base-unknown', { value: ref, detail });
  }
  if (code === 0 && id !== undefined) return { ref, id, root: realpathSync(root) };
  throw new ToolError('base-unknown', { value: ref, detail: UNKNOWN });
}

const UNKNOWN =
  'write a branch, a tag or a commit id that git log shows, like origin/main. Nothing is fetched: in actions/checkout, fetch-depth: 0 brings all commits';

const MAX_CHARACTERS = 1000;

/** A leading dash would be an option, `^` an exclusion; no branch has control or invisible characters. */
function refuseNoRef(ref: string): void {
  if (ref !== '' && ref.length <= MAX_CHARACTERS && !/^[-^]|[\p{C}\p{Zl}\p{Zp}]/u.test(ref)) return;
  throw new ToolError('base-unknown', { value: ref, detail: UNKNOWN });
}

function noRepository(code: unknown, stderr: string): ToolError {
  const said = /^fatal: (.*)/m.exec(stderr)?.[1] ?? `git ended with exit code ${code}`;
  const detail = said.includes('must be run in a work tree') ? 'this repository has no working tree' : said;
  return new ToolError('repository-missing', { detail });
}

const KINDS: Readonly<Record<string, 'link' | 'submodule'>> = { '120000': 'link', '160000': 'submodule' };
type CommitFile = ReturnType<typeof parseFile>[number];

/** All files of a commit. Paths that no checkout would write are left out. @throws ToolError 'base-unreadable' */
async function filesOfCommit({ id, root, ref }: Commit, options: GitOptions): Promise<CommitFile[]> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', id];
  const { code, stdout, stderr } = await git(args, { ...options, cwd: root });
  const [detail = ''] = stderr.trim().split('\n');
  if (code !== 0) throw new ToolError('base-unreadable', { value: ref, detail });
  return stdout.toString('utf8').split('\0').flatMap(parseFile);
}

/** Parses "100644 blob 8ab686eafeb1f44702738c8b0f24f2567c36da6d\tfixtures/rows.json" */
function parseFile(line: string) {
  const [, mode = '', id = '', path = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
  if (path === '' || path.split('/').some(isForbidden)) return [];
  return [{ path, entry: `${mode} ${id}\t${path}`, kind: KINDS[mode] ?? ('file' as const) }];
}

/** A tree that was made by hand may lead out of its folder, or into a `.git` folder. */
const isForbidden = (part: string) => part === '' || part === '.' || part === '..' || /^\.git$/i.test(part);

/** The path of a file from the root of the repository, with `/`; null if it is outside. */
export function pathInRepository(root: string, file: string): string | null {
  const path = relative(root, file).replaceAll('\\', '/');
  return path === '..' || path.startsWith('../') || /^([A-Za-z]:|\/)/.test(path) ? null : path;
}

/** Files of a repository that only has objects, and that writes files unchanged. */
const OWN_REPOSITORY = {
  HEAD: 'ref: refs/heads/none\n',
  'refs/.keep': '',
  'info/attributes': '* -text -eol -ident -filter -working-tree-encoding\n',
};

/** Git does not name the error of a file that it could create but not fill. */
const NO_SPACE = /unable to write file|out of diskspace|no space left|quota exceeded/i;

/**
 * Writes the files as git stores them: no filter of .gitattributes runs, and line ends are not converted. Git writes
 * them for a repository of our own, which has the objects of the user's but nothing of its config and its hooks.
 */
async function writeCommitFiles(
  { root, id, ref }: Commit,
  files: readonly CommitFile[],
  folder: string,
  options: GitOptions,
): Promise<void> {
  const { stdout } = await git(['rev-parse', '--git-path', 'objects'], { ...options, cwd: root });
  const objects = resolve(root, stdout.toString('utf8').replace(/\r?\n$/, ''));
  const own = `${folder}.git`;
  const format = '[core]\nrepositoryFormatVersion = 1\n[extensions]\nobjectFormat = sha256\n';
  const config = id.length === 40 ? '' : format;
  for (const [name, text] of Object.entries({ ...OWN_REPOSITORY, config })) {
    mkdirSync(dirname(join(own, name)), { recursive: true });
    writeFileSync(join(own, name), text);
  }
  const running = { ...options, cwd: folder, env: { ...options.env, GIT_OBJECT_DIRECTORY: objects } };
  const run = async (input: string, ...args: string[]) => {
    const place = ['-c', 'core.hooksPath=/dev/null', `--git-dir=${own}`, `--work-tree=${folder}`];
    const { stderr } = await git([...place, ...args], running, input);
    if (NO_SPACE.test(stderr)) throw noSpaceLeft(new Error(stderr));
    const [, fatal] = /^fatal: (.*)/m.exec(stderr) ?? [];
    if (fatal !== undefined) throw new ToolError('base-unreadable', { value: ref, detail: fatal });
  };
  // Links are made last, so that no file is written through a link.
  for (const kind of ['file', 'link'] as const) {
    const entries = files.flatMap((file) => (file.kind === kind ? `${file.entry}\0` : []));
    if (entries.length === 0) continue;
    await run(entries.join(''), 'update-index', '-z', '--index-info');
    await run('', 'checkout-index', '--all', '--quiet');
  }
  rmSync(own, { recursive: true });
}

/** Size in bytes that pointer files of Git LFS stay below (git-lfs.github.com/spec/v1). */
const LFS_BYTES = 1024;
const ABSENT =
  'git does not have its content here, and nothing is fetched; or its name cannot be written here';
const LFS_POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n/;

/** Removes what may not be in the folder, and returns the reasons why files are not there, by path. */
function notWrittenTo(folder: string, files: readonly CommitFile[]): Map<string, string> {
  const reasons = new Map<string, string>();
  const inodes = new Set<bigint>();
  // Links first: no path may lead out of the folder when a file is removed.
  for (const { path, kind } of files.toSorted(
    (a, b) => Number(b.kind === 'link') - Number(a.kind === 'link'),
  )) {
    const file = join(folder, path);
    const stats = orElse(() => lstatSync(file, { bigint: true }), null);
    if (kind === 'submodule') reasons.set(path, 'it is a submodule');
    else if (stats === null) reasons.set(path, ABSENT);
    // A file system may not tell two names apart.
    else if (inodes.has(stats.ino) || stats.isDirectory())
      reasons.set(path, 'another file has its name here');
    else if (kind === 'link' && !(stats.isSymbolicLink() && staysInside(path, readlinkSync(file)))) {
      reasons.set(path, 'it is a symbolic link that may lead out of the repository');
      rmSync(file);
    } else if (kind === 'file' && stats.size < LFS_BYTES && LFS_POINTER.test(readFileSync(file, 'latin1'))) {
      reasons.set(path, 'its content is in Git LFS, which is not asked');
      rmSync(file);
    }
    if (stats?.ino) inodes.add(stats.ino);
  }
  return reasons;
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

export type BaseFolder = Awaited<ReturnType<typeof writeBaseFolder>>;

/**
 * Writes a folder that stands for the root of the repository. Its modules use the packages of the checkout.
 * @throws ToolError 'base-unreadable', or as `git`
 */
export async function writeBaseFolder(commit: Commit, folder: string, options: GitOptions) {
  mkdirSync(folder, { recursive: true });
  const files = await filesOfCommit(commit, options);
  await writeCommitFiles(commit, files, folder, options);
  const notWritten = notWrittenTo(folder, files);
  linkPackages(files, commit.root, folder);
  return { commit, folder, notWritten };
}

/** Links the node_modules of the checkout next to each package.json. */
function linkPackages(files: readonly CommitFile[], root: string, folder: string): void {
  const own = new Set(files.flatMap(({ path }) => /^(.*?)node_modules\//.exec(path)?.[1] ?? []));
  const beside = files.filter(({ path }) => /(^|\/)package\.json$/.test(path));
  const places = ['', ...beside.map(({ path }) => path.slice(0, -'package.json'.length))];
  for (const place of new Set(places))
    if (!own.has(place) && existsSync(join(root, place, 'node_modules')))
      linkNodeModules(place, root, folder);
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
