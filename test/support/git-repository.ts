/** Real git repositories in temporary folders, the same commits on every machine. */

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/** A commit of these files, by one start of git (git-scm.com/docs/git-fast-import). @returns its id */
export function putCommit(
  git: string,
  files: Readonly<Record<string, string>>,
  parents: readonly string[],
): string {
  const input = [
    ...['commit refs/heads/main', 'mark :1', 'committer A <a@example.com> 1767225600 +0000', 'data 1', 'x'],
    ...parents.map((id, at) => `${at === 0 ? 'from' : 'merge'} ${id}`),
    'deleteall',
    ...Object.entries(files).map(
      ([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}`,
    ),
    'get-mark :1\n',
  ].join('\n');
  return execFileSync('git', ['fast-import', '--quiet', '--force'], { cwd: git, env: ENV, input })
    .toString()
    .trim();
}
