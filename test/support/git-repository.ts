/** Real git repositories in temporary folders, the same commits on every machine. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { tempFolder } from './temp-folder.ts';

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

/** Calls `body` with the folder of such a repository. */
export async function inRepository(files: RepositoryFiles, body: (folder: string) => unknown): Promise<void> {
  const folder = tempFolder('repository');
  makeRepository(folder, files);
  await body(folder);
}

/**
 * A commit of these files, written as git stores objects (git-scm.com/book/en/v2/Git-Internals-Git-Objects): to start git
 * takes longer than all of it. @returns its id
 */
export function putCommit(
  git: string,
  files: Readonly<Record<string, string>>,
  parents: readonly string[],
): string {
  const lines = [
    `tree ${putTree(git, Object.entries(files))}`,
    ...parents.map((id) => `parent ${id}`),
    ...['author', 'committer'].map((role) => `${role} A <a@example.com> 1767225600 +0000`),
    '\nx\n',
  ];
  return putObject(git, 'commit', Buffer.from(lines.join('\n')));
}

/** A folder as git stores it. @returns its id */
function putTree(git: string, files: readonly (readonly [path: string, text: string])[]): string {
  const inFolders = new Map<string, [path: string, text: string][]>();
  const entries: { mode: string; name: string; id: string }[] = [];
  for (const [path, text] of files) {
    const end = path.indexOf('/');
    if (end < 0) {
      entries.push({ mode: '100644', name: path, id: putObject(git, 'blob', Buffer.from(text)) });
      continue;
    }
    const folder = path.slice(0, end);
    inFolders.set(folder, [...(inFolders.get(folder) ?? []), [path.slice(end + 1), text]]);
  }
  for (const [name, inside] of inFolders) entries.push({ mode: '40000', name, id: putTree(git, inside) });
  // Git sorts a folder as if its name ended in a slash.
  const key = ({ mode, name }: (typeof entries)[number]) => Buffer.from(mode === '40000' ? `${name}/` : name);
  entries.sort((a, b) => Buffer.compare(key(a), key(b)));
  const parts = entries.flatMap(({ mode, name, id }) => [
    Buffer.from(`${mode} ${name}\0`),
    Buffer.from(id, 'hex'),
  ]);
  return putObject(git, 'tree', Buffer.concat(parts));
}

function putObject(git: string, type: 'blob' | 'tree' | 'commit', content: Buffer): string {
  const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  const id = createHash('sha1').update(bytes).digest('hex');
  const file = join(git, 'objects', id.slice(0, 2), id.slice(2));
  if (existsSync(file)) return id;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, deflateSync(bytes));
  return id;
}
