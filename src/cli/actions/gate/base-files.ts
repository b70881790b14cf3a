/** Compares files of the checkout with those of another commit. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Absence } from '../../../app/gate/base.ts';
import type { Recipe } from '../../../model/report/recipe.ts';
import type { BaseFolder } from '../../../repository/base-folder.ts';
import { pathInRepository } from '../../../repository/commit.ts';
import { type GitOptions, git } from '../../../repository/git.ts';

/** Why the commit does not have this file of the checkout; no reason when it is new. */
export async function absenceOf(
  file: string,
  { commit, notWritten }: BaseFolder,
  options: GitOptions,
): Promise<Absence> {
  const path = pathInRepository(commit.root, file);
  if (path === null) return { reason: 'it is outside of the repository', unreadable: true };
  for (const [name, reason] of notWritten) {
    if (path === name || path.startsWith(`${name}/`)) {
      return { reason: `${name} in ${commit.ref}: ${reason}`, unreadable: true };
    }
  }
  const { code } = await git(['cat-file', '-e', `HEAD:${path}`], { ...options, cwd: commit.root });
  return { reason: code === 0 ? '' : 'nor in HEAD: it is generated, or not committed', unreadable: false };
}

/** Are both built of one whole file, with equal bytes? */
export async function isSameFile({ build: now }: Recipe, { build: before }: Recipe): Promise<boolean> {
  if (now.form !== before.form || !('file' in now && 'file' in before)) return false;
  if (now.form === 'module' || now.form === 'ndjson') return false;
  return isSameContent(now.file, before.file);
}

/** False also where one of both is not there. */
export async function isSameContent(one: string, other: string): Promise<boolean> {
  try {
    const sizes = await Promise.all([one, other].map(async (file) => (await stat(file)).size));
    return sizes[0] === sizes[1] && (await hashOfFile(one)) === (await hashOfFile(other));
  } catch {
    return false;
  }
}

/** Piece by piece: a payload may be large. */
async function hashOfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
