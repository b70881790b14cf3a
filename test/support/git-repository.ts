/** Real git repositories in temporary folders, the same commits on every machine. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';

/** By path: its content, or what a symbolic link leads to. A name that ends in `*` is executable (without the `*`). */
export type RepositoryFiles = Record<string, string | Uint8Array | { link: string }>;

/** Who and when, so that ids are the same; nothing of the user's configuration. */
const ENV = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
};

export function runGit(folder: string, ...args: string[]): string {
  // A commit would start two more processes, which look whether there is something to tidy up.
  return execFileSync('git', ['-c', 'maintenance.auto=false', ...args], {
    cwd: folder,
    env: ENV,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export function putFiles(folder: string, files: RepositoryFiles): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name.replace(/\*$/, ''));
    mkdirSync(dirname(path), { recursive: true });
    if (typeof content === 'object' && 'link' in content) symlinkSync(content.link, path);
    else writeFileSync(path, content);
    if (name.endsWith('*')) chmodSync(path, 0o755);
  }
}

/** A repository on branch main with one commit of these files and all that are in the folder. */
export function makeRepository(folder: string, files: RepositoryFiles): void {
  putFiles(folder, files);
  runGit(folder, 'init', '-q', '-b', 'main', '--template=');
  runGit(folder, 'add', '-A');
  runGit(folder, 'commit', '-q', '--no-verify', '--allow-empty', '-m', 'base');
}

/** Calls `body` with the folder of such a repository, which is removed afterwards. */
export async function inRepository(files: RepositoryFiles, body: (folder: string) => unknown): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'clone-prof-repository-')));
  try {
    makeRepository(folder, files);
    await body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes an object as git keeps it (git-scm.com/docs/gitformat-loose). @returns its id, in hex */
function putObject(objects: string, kind: string, content: string | Buffer): string {
  const body = Buffer.from(content);
  const whole = Buffer.concat([Buffer.from(`${kind} ${body.length}\0`), body]);
  const id = createHash('sha1').update(whole).digest('hex');
  const file = join(objects, id.slice(0, 2), id.slice(2));
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, deflateSync(whole));
  }
  return id;
}

/** A tree of files by path (git-scm.com/docs/git-mktree). */
function putTree(objects: string, files: Readonly<Record<string, string>>): string {
  const folders: Record<string, Record<string, string>> = {};
  const entries: { name: string; mode: string; id: string }[] = [];
  for (const [path, text] of Object.entries(files)) {
    const [name, ...rest] = path.split('/') as [string, ...string[]];
    if (rest.length > 0) folders[name] = { ...folders[name], [rest.join('/')]: text };
    else entries.push({ name, mode: '100644', id: putObject(objects, 'blob', text) });
  }
  for (const [name, within] of Object.entries(folders))
    entries.push({ name, mode: '40000', id: putTree(objects, within) });
  // Git sorts by bytes, as if names of folders ended in a slash.
  const key = ({ name, mode }: { name: string; mode: string }) =>
    Buffer.from(mode === '40000' ? `${name}/` : name);
  entries.sort((a, b) => Buffer.compare(key(a), key(b)));
  const parts = entries.map(({ name, mode, id }) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
  );
  return putObject(objects, 'tree', Buffer.concat(parts));
}

/** A commit of these files, without a start of git, which takes longer than all else in a test. @returns its id */
export function putCommit(
  objects: string,
  files: Readonly<Record<string, string>>,
  parents: readonly string[],
  message = 'x',
): string {
  const who = 'A <a@example.com> 1767225600 +0000';
  const head = [`tree ${putTree(objects, files)}`, ...parents.map((id) => `parent ${id}`)];
  return putObject(objects, 'commit', `${head.join('\n')}\nauthor ${who}\ncommitter ${who}\n\n${message}\n`);
}
