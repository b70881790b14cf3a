import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** What a page asks: twice at first, so that the process which works in between is known to be its own. */
export const MEMORY_QUESTIONS = ['idle', 'busy', 'reset', 'peak'] as const;
export type MemoryQuestion = (typeof MEMORY_QUESTIONS)[number];

/** proc(5): "5" resets the peak resident set size to what is resident now. */
const RESET_PEAK = '5';
/** Fields of /proc/<pid>/stat after the name, which stands in brackets: the process group, user time, system time. */
const GROUP = 2;
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** The page works for 15 ticks. Others are busy for a while after the start of a browser. */
const MIN_TICKS = 6;
const CLEARLY_MORE = 2;

/** The peak memory of the process that one page and its workers run in. Only Linux shows it, and only the host can ask. */
export class PageMemory {
  readonly #group: number;
  #idle = new Map<number, number>();
  #pid: number | null = null;

  /** @param group the process group of the browser */
  constructor(group: number) {
    this.#group = group;
  }

  /** `peak`: bytes. `busy`: 1 when the process is known, 0 when it is to be asked again. Else 0. @throws Error with the reason where it cannot be had */
  answer(question: MemoryQuestion): number {
    if (process.platform !== 'linux') throw new Error('only Linux shows the peak memory of a page');
    if (question === 'idle') this.#idle = this.#cpuTimes();
    else if (question === 'busy') return this.#find();
    else if (this.#pid === null) throw new Error('the process of the page was not found');
    else if (question === 'reset') writeFileSync(`/proc/${this.#pid}/clear_refs`, RESET_PEAK);
    else {
      const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${this.#pid}/status`, 'latin1'));
      if (!found) throw new Error('the process of the page has no VmHWM');
      return Number(found[1]) * 1024;
    }
    return 0;
  }

  #find(): number {
    const worked = [...this.#cpuTimes()].map(([pid, time]) => ({
      pid,
      ticks: time - (this.#idle.get(pid) ?? time),
    }));
    const [first, second] = worked.sort((a, b) => b.ticks - a.ticks);
    if (!first || first.ticks < MIN_TICKS || first.ticks < CLEARLY_MORE * (second?.ticks ?? 0)) return 0;
    this.#pid = first.pid;
    return 1;
  }

  /** In ticks of the system. A process that ends meanwhile is left out. */
  #cpuTimes(): Map<number, number> {
    const times = new Map<number, number>();
    for (const pid of readdirSync('/proc').map(Number).filter(Boolean)) {
      // The browser itself: no page runs there, and it may be busy with its start.
      if (pid === this.#group) continue;
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
        const text = stat.slice(stat.lastIndexOf(')') + 2);
        const fields = text.split(' ').map(Number);
        if (fields[GROUP] === this.#group) times.set(pid, fields[USER_TIME]! + fields[SYSTEM_TIME]!);
      } catch {
        // It has ended.
      }
    }
    return times;
  }
}
