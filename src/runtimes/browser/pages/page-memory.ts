import { readFileSync, writeFileSync } from 'node:fs';
import { processorTimes } from '../processor-time.ts';

/** Questions of a page. It asks twice at first, so that the process that works in between is known to be its own. */
export const MEMORY_QUESTIONS = ['idle', 'busy', 'reset', 'peak'] as const;
export type MemoryQuestion = (typeof MEMORY_QUESTIONS)[number];

/** proc(5): "5" resets the peak resident set size to what is resident now. */
const RESET_PEAK = '5';

/** The page works for 15 ticks. Others are busy for a while after the start of a browser. */
const MIN_TICKS = 6;
const CLEARLY_MORE = 2;

/** Answers `peak` with bytes; `busy` with 1 when the process is known, 0 when it is to be asked again; others with 0. */
export type PageMemory = (question: MemoryQuestion) => number;

/**
 * The peak memory of the process that one page and its workers run in. Only Linux shows it, and only the host can ask.
 * The result throws an Error with the reason if there is no peak.
 *
 * @param group the process group of the browser
 */
export function pageMemory(group: number): PageMemory {
  let idle = new Map<number, number>();
  let pid: number | null = null;
  const find = (): number => {
    const worked = [...pageTimes(group)].map(([pid, time]) => ({
      pid,
      ticks: time - (idle.get(pid) ?? time),
    }));
    const [first, second] = worked.sort((a, b) => b.ticks - a.ticks);
    if (!first || first.ticks < MIN_TICKS || first.ticks < CLEARLY_MORE * (second?.ticks ?? 0)) return 0;
    pid = first.pid;
    return 1;
  };
  return (question) => {
    if (process.platform !== 'linux') throw new Error('only Linux shows the peak memory of a page');
    if (question === 'idle') idle = pageTimes(group);
    else if (question === 'busy') return find();
    else if (pid === null) throw new Error('the process of the page was not found');
    else if (question === 'reset') writeFileSync(`/proc/${pid}/clear_refs`, RESET_PEAK);
    else {
      const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
      if (!found) throw new Error('the process of the page has no VmHWM');
      return Number(found[1]) * 1024;
    }
    return 0;
  };
}

/** Processor times of the group except the browser process: no page runs there, and it may be busy with its start. */
function pageTimes(group: number): Map<number, number> {
  const times = processorTimes(group);
  times.delete(group);
  return times;
}
