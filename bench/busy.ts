import { type ChildProcess, spawn } from 'node:child_process';

/** Does the work beside so many processes that take a core each. */
export async function besideBusy<T>(processes: number, work: () => Promise<T>): Promise<T> {
  const others: ChildProcess[] = [];
  try {
    for (let i = 0; i < processes; i++)
      others.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
    return await work();
  } finally {
    for (const other of others) other.kill('SIGKILL');
  }
}
