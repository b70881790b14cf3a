/** The commit that a payload is compared with, and the files in it. */
import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { ToolError } from '../model/errors.ts';
import { type GitOptions, git } from './git.ts';

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
  return path === '' || path.split('/').some(isForbidden) ? [] : [{ path, id, kind: KINDS[mode] ?? 'file' }];
}

/** A tree that was made by hand may lead out of its folder, or into a `.git` folder. */
const isForbidden = (part: string) => part === '' || part === '.' || part === '..' || /^\.git$/i.test(part);

/** The path of a file from the root of the repository, with `/`; null if it is outside. */
export function pathInRepository(root: string, file: string): string | null {
  const path = relative(root, file).replaceAll('\\', '/');
  return path === '..' || path.startsWith('../') || /^([A-Za-z]:|\/)/.test(path) ? null : path;
}
