import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { processIds, statOf } from '../../src/machine/machine.ts';
import { orElse } from '../../src/model/or-else.ts';

/** A process that was killed takes a moment to be gone, longer on a busy machine. */
const PATIENCE_MS = 60_000;

/** The service of esbuild, as a child of this process, lives as long as this one does. */
const OWN_SERVICE = new RegExp(`^\\s*\\d+ +${process.pid} .*\\besbuild --service=`);

/** Processes that carry `mark` in their environment or, where that cannot be read, in their command line. */
export function marked(mark: string): string[] {
  return processes(mark).filter((line) => !OWN_SERVICE.test(line));
}

/** Number, number of the parent and command of each. */
function processes(mark: string): string[] {
  if (process.platform !== 'linux') {
    const columns = ['-o', 'pid=,ppid=,command='];
    const lines = execFileSync('ps', ['-Aww', '-E', ...columns], { encoding: 'utf8' }).split('\n');
    return lines.filter((line) => line.includes(mark) && !line.trim().startsWith(`${process.pid} `));
  }
  return processIds().flatMap((pid) => {
    if (pid === process.pid) return [];
    const read = (name: string) => orElse(() => readFileSync(`/proc/${pid}/${name}`, 'latin1'), '');
    const isMarked = read('environ').includes(mark);
    return isMarked ? [`${pid} ${statOf(pid)[1]} ${read('cmdline').replaceAll('\0', ' ')}`] : [];
  });
}

/** One for all files of this process: what one file leaves behind fails the next that looks. */
const MARK = `clone-prof-test-${process.pid}-${process.hrtime.bigint()}`;

/** Marks every process that this one starts from here on. The result asserts that all of them, and theirs, have ended. */
export function trackChildProcesses(): () => Promise<void> {
  process.env.CLONE_PROF_TEST_MARK = MARK;
  return async () => {
    for (let waited = 0; waited < PATIENCE_MS && marked(MARK).length > 0; waited += 50) await pause(50);
    assert.deepEqual(marked(MARK), [], 'processes are still running');
  };
}

/** Polls until `condition` holds, and fails after a minute with what `describe` says. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  describe: () => string,
): Promise<void> {
  // To look at all processes takes a while: what takes longer is not looked at more often for it.
  let pauseMs = 20;
  for (let waited = 0; !(await condition()); waited += pauseMs) {
    assert.ok(waited < PATIENCE_MS, describe());
    pauseMs = Math.min(100, pauseMs * 1.2);
    await pause(pauseMs);
  }
}
