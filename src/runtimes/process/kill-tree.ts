import { spawnSync } from 'node:child_process';
import { attempt } from '../../model/or-else.ts';

/**
 * Kills a process and all that it started: on POSIX the process group that it leads (it was started detached), on
 * Windows the tree of its children, which only taskkill knows. Does nothing when the process has already ended.
 */
export function killTree(pid: number): void {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  // ESRCH: the group has no process any more.
  attempt(() => process.kill(-pid, 'SIGKILL'));
}
