/** Memory of the processes of a browser, which Linux alone reports. */
import { readFileSync, writeFileSync } from 'node:fs';
import { processIds, statOf } from '../../machine/machine.ts';

/** Fields of `statOf`: the process group, user time, system time. */
const GROUP = 2;
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** Returns ticks of the system by process id. */
function processorTimes(group: number): Map<number, number> {
  const times = new Map<number, number>();
  for (const pid of processIds()) {
    const fields = statOf(pid).map(Number);
    if (fields[GROUP] === group) times.set(pid, fields[USER_TIME]! + fields[SYSTEM_TIME]!);
  }
  return times;
}

/** Questions of a page. It asks twice at first, so that the process that works in between is known to be its own. */
export const MEMORY_QUESTIONS = ['idle', 'busy', 'reset', 'peak'] as const;
type MemoryQuestion = (typeof MEMORY_QUESTIONS)[number];

/** The page works for 15 ticks. Others are busy for a while after the start of a browser. */
const MIN_TICKS = 6;
const CLEARLY_MORE = 2;

/** Answers `peak` with bytes; `busy` with 1 if the process is known now; others with 0. */
export type PageMemory = (question: MemoryQuestion) => number;

/**
 * Peak memory of the process of one page and its workers: only the host can read it. The result throws an Error with the
 * reason if there is no peak. @param group process group of the browser
 */
export function pageMemory(group: number): PageMemory {
  let idle = new Map<number, number>();
  let pid: number | null = null;
  /** The browser process is left out: no page runs there, and it may be busy with its start. */
  const pageTimes = (): Map<number, number> => {
    const times = processorTimes(group);
    times.delete(group);
    return times;
  };
  const find = (): number => {
    const worked = [...pageTimes()].map(([pid, time]) => ({ pid, ticks: time - (idle.get(pid) ?? time) }));
    const [first, second] = worked.sort((a, b) => b.ticks - a.ticks);
    if (!first || first.ticks < MIN_TICKS || first.ticks < CLEARLY_MORE * (second?.ticks ?? 0)) return 0;
    pid = first.pid;
    return 1;
  };
  return (question) => {
    if (process.platform !== 'linux') throw new Error('only Linux shows the peak memory of a page');
    // reset: proc(5), the peak becomes what is resident now.
    if (question === 'idle') idle = pageTimes();
    else if (question === 'busy') return find();
    else if (pid === null) throw new Error('the process of the page was not found');
    else if (question === 'reset') writeFileSync(`/proc/${pid}/clear_refs`, '5');
    else {
      const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
      if (!found) throw new Error('the process of the page has no VmHWM');
      return Number(found[1]) * 1024;
    }
    return 0;
  };
}
