/**
 * Processes that user code started in groups of their own (setsid, `detached: true`): on Linux they are found by a
 * variable that a guest's children inherit. One that was started without it is out of reach, and so are all elsewhere.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** Its value names the host, and the guest. */
export const MARK_ENV = 'CLONE_PROF_GUEST';

/** Begins every mark of this process. */
export const HOST_MARK = randomBytes(12).toString('hex');

/** A process may start another while this one looks. */
const ROUNDS = 5;

let guests = 0;

/** Of one length: payloads may hold the environment. */
export const newMark = (): string => `${HOST_MARK}-${String(++guests).padStart(6, '0')}`;

/** Kills all processes with the mark. Synchronous, for exit handlers. */
export function killMarked(mark: string): void {
  if (process.platform !== 'linux') return;
  for (let round = 0; round < ROUNDS; round++) {
    const found = pidsMarked(mark);
    if (found.length === 0) return;
    for (const pid of found) kill(pid);
  }
}

function pidsMarked(mark: string): number[] {
  const wanted = `${MARK_ENV}=${mark}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => environmentOf(pid).includes(wanted))
    .map(Number);
}

/** Empty for those of other users, and for processes that have ended. */
function environmentOf(pid: string): Buffer {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return Buffer.alloc(0);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // ESRCH: it has ended.
  }
}
