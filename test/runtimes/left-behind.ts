import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 3000;

/** Processes that carry `mark` in their environment or, where that cannot be read, in their command line. */
function marked(mark: string): string[] {
  if (process.platform !== 'linux') {
    const lines = execFileSync('ps', ['-Aww', '-E', '-o', 'pid=,command='], { encoding: 'utf8' }).split('\n');
    return lines.filter((line) => line.includes(mark) && !line.trim().startsWith(`${process.pid} `));
  }
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark)) return [];
      return [`${pid}: ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`];
    } catch {
      return [];
    }
  });
}

/** Marks every process that this one starts from here on; `left` waits a moment and names those still there. */
export function markChildren(): { mark: string; left: () => Promise<string[]> } {
  const mark = `clone-prof-test-${process.pid}-${process.hrtime.bigint()}`;
  process.env.CLONE_PROF_TEST_MARK = mark;
  return {
    mark,
    left: async () => {
      for (let waited = 0; waited < PATIENCE_MS && marked(mark).length > 0; waited += 50) await pause(50);
      return marked(mark);
    },
  };
}
