/** Runs git in a repository that is not trusted. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { ToolError } from '../model/errors.ts';
import { onPath } from '../runtimes/process/binaries.ts';
import type { Environment } from '../runtimes/process/kinds.ts';

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

interface GitRun {
  code: number | null;
  stdout: Buffer;
  stderr: string;
}

const MAX_STDERR = 4000;

/**
 * Runs git and returns its whole output. In the user's repository callers use only commands that read objects
 * (`rev-parse`, `ls-tree`, `cat-file`): unlike a checkout they run no hook, filter or monitor, and write nothing.
 *
 * @throws ToolError 'git-missing', 'interrupted'
 */
export async function git(
  args: readonly string[],
  { cwd, env, signal }: GitOptions,
  input = '',
): Promise<GitRun> {
  if (signal?.aborted) throw new ToolError('interrupted');
  const [binary] = onPath('git', env, cwd);
  if (binary === undefined) throw new ToolError('git-missing');
  const inherited = Object.entries(env).filter(([name]) => !OF_A_HOOK.includes(name));
  const child = spawn(binary, [...CONFIG, ...args], {
    cwd,
    env: { ...Object.fromEntries(inherited), ...NO_FETCH, ...NO_REPLACING, LC_ALL: 'C' },
    ...(signal ? { signal, killSignal: 'SIGKILL' as const } : {}),
    windowsHide: true,
  });
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(0, MAX_STDERR);
  });
  // Git may end before it has read its whole input.
  child.stdin.on('error', () => undefined).end(input);
  const [code, by] = await once(child, 'close').catch(() => {
    throw new ToolError(signal?.aborted ? 'interrupted' : 'git-missing');
  });
  // Ctrl-C reaches git too, possibly before this process.
  if (by === 'SIGINT') throw new ToolError('interrupted');
  const said = by === null ? stderr : `fatal: git was ended by ${by}\n`;
  return { code, stdout: Buffer.concat(pieces), stderr: said };
}

export interface Commit {
  /** Name that the user wrote: "origin/main". */
  ref: string;
  /** Full id of the commit. */
  id: string;
  /** Top folder of the working tree, its links resolved. */
  root: string;
}

/** A file of a commit; `path` from the root, with `/`. */
export interface CommitFile {
  path: string;
  id: string;
  /** What git calls it in lists: its mode, its id and its path. */
  entry: string;
  kind: 'file' | 'link' | 'submodule';
}

/**
 * The commit that `ref` means, in the repository of `cwd`.
 *
 * @throws ToolError 'git-missing', 'repository-missing', 'base-unknown'
 */
export async function findCommit(ref: string, options: GitOptions): Promise<Commit> {
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
  throw new ToolError('base-unknown', { value: ref, detail: await whyUnknown(ref, stderr, options) });
}

const MAX_CHARACTERS = 1000;

/** A leading dash would be an option, `^` an exclusion; no branch has control or invisible characters. */
function refuseNoRef(ref: string): void {
  if (ref !== '' && ref.length <= MAX_CHARACTERS && !/^[-^]|[\p{C}\p{Zl}\p{Zp}]/u.test(ref)) return;
  throw new ToolError('base-unknown', { value: ref, detail: 'write a branch, a tag or a commit id' });
}

function noRepository(code: number | null, stderr: string): ToolError {
  const said = /^fatal: (.*)/m.exec(stderr)?.[1] ?? `git ended with exit code ${code}`;
  const detail = said.includes('must be run in a work tree') ? 'this repository has no working tree' : said;
  return new ToolError('repository-missing', { detail });
}

async function whyUnknown(ref: string, stderr: string, options: GitOptions): Promise<string> {
  if (/short object ID .* is ambiguous/.test(stderr)) return 'several ids begin so. Write more of it';
  const isThere = async (name: string) =>
    (await git(['rev-parse', '--verify', '--quiet', '--end-of-options', name], options)).code === 0;
  const shallow = await git(['rev-parse', '--is-shallow-repository'], options);
  if (shallow.stdout.toString('utf8').trim() === 'true') {
    return 'this clone is shallow. Fetch the commit first; in actions/checkout: fetch-depth: 0';
  }
  if (await isThere(`refs/remotes/origin/${ref}`)) return `write origin/${ref}`;
  return 'write a branch, a tag or a commit id that git log shows; nothing is fetched';
}

const KINDS: Readonly<Record<string, CommitFile['kind']>> = { '120000': 'link', '160000': 'submodule' };

/** All files of a commit. Paths that no checkout would write are left out. @throws ToolError 'base-unreadable' */
export async function filesOfCommit(commit: Commit, options: GitOptions): Promise<CommitFile[]> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', commit.id];
  const { code, stdout, stderr } = await git(args, { ...options, cwd: commit.root });
  if (code !== 0) throw new ToolError('base-unreadable', { value: commit.ref, detail: firstLine(stderr) });
  return stdout.toString('utf8').split('\0').flatMap(parseFile);
}

export const firstLine = (text: string): string => text.trim().split('\n')[0] ?? '';

/** Parses "100644 blob 8ab686eafeb1f44702738c8b0f24f2567c36da6d\tfixtures/rows.json" */
function parseFile(line: string): CommitFile[] {
  const [, mode = '', id = '', path = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
  if (path === '' || path.split('/').some(isForbidden)) return [];
  return [{ path, id, entry: `${mode} ${id}\t${path}`, kind: KINDS[mode] ?? 'file' }];
}

/** A tree that was made by hand may lead out of its folder, or into a `.git` folder. */
const isForbidden = (part: string) => part === '' || part === '.' || part === '..' || /^\.git$/i.test(part);

/** The path of a file from the root of the repository, with `/`; null if it is outside. */
export function pathInRepository(root: string, file: string): string | null {
  const path = relative(root, file).replaceAll('\\', '/');
  return path === '..' || path.startsWith('../') || /^([A-Za-z]:|\/)/.test(path) ? null : path;
}
