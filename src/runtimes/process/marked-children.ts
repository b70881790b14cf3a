/**
 * Processes that user code started in groups of their own (setsid, `detached: true`): on Linux they are found by a
 * variable that a guest's children inherit. One that was started without it is out of reach, and so are all elsewhere.
 */

import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { attempt, orElse } from '../../model/or-else.ts';

/** Its value names the host, and the guest. */
export const MARK_ENV = 'CLONE_PROF_GUEST';

/** Begins every mark of this process. */
export const HOST_MARK = randomBytes(12).toString('hex');

/**
 * A process has no environment to be read for a moment while it becomes another program (execve): none is left when two
 * looks in a row found none.
 */
const QUIET_LOOKS = 2;
const PAUSE_MS = 10;
/** Against one that starts others faster than they are ended. */
const MAX_LOOKS = 50;

let guests = 0;

/** Marks have one length: payloads may hold the environment. */
export const newMark = (): string => `${HOST_MARK}-${String(++guests).padStart(6, '0')}`;

/** Kills all processes with the mark, until none is found any more. */
export const endMarked = (mark: string): Promise<void> => endWithVariable(`${MARK_ENV}=${mark}`);

/** The same at once, for exit handlers. */
export function endMarkedSync(mark: string): void {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (const _ of looks(`${MARK_ENV}=${mark}`)) Atomics.wait(clock, 0, 0, PAUSE_MS);
}

/** Kills the processes that were started with `text` in their environment. */
export async function endWithVariable(text: string): Promise<void> {
  for (const _ of looks(text)) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

/** Whether one is running. Linux only: elsewhere none is found. */
export const isInEnvironments = (text: string): boolean =>
  process.platform === 'linux' && pidsWith(text).length > 0;

/** Kills what it finds; yields where the next look must wait. */
function* looks(wanted: string): Generator<void> {
  if (process.platform !== 'linux') return;
  for (let [look, quiet] = [1, 0]; look < MAX_LOOKS; look++) {
    const found = pidsWith(wanted);
    // ESRCH: it has ended.
    for (const pid of found) attempt(() => process.kill(pid, 'SIGKILL'));
    quiet = found.length === 0 ? quiet + 1 : 0;
    if (quiet === QUIET_LOOKS) return;
    yield;
  }
}

/** Without those of other users, and processes that have ended. */
function pidsWith(wanted: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => orElse(() => readFileSync(`/proc/${pid}/environ`).includes(wanted), false))
    .map(Number);
}
