import { spawnSync } from 'node:child_process';

/**
 * Kills a guest and all that it started, at once and without asking: on POSIX the process group that it leads
 * (it was started detached), on Windows the tree of its children, which only taskkill knows.
 * A process that is already gone is no error.
 */
export function killTree(pid: number): void {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // ESRCH: nobody is left in the group.
  }
}
