import { findCommit, timeOf } from '../../repository/commit.ts';
import type { GitOptions } from '../../repository/git.ts';

/** Id and time of what is checked out. @throws ToolError 'git-missing', 'repository-missing', 'base-unknown' */
export async function headCommit(git: GitOptions): Promise<{ commit: string; time: string }> {
  const commit = await findCommit('HEAD', git);
  return { commit: commit.id, time: await timeOf(commit, git) };
}
