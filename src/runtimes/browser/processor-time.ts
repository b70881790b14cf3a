import { readdirSync, readFileSync } from 'node:fs';
import { orElse } from '../../model/or-else.ts';

/** Fields of /proc/<pid>/stat after the name, which stands in brackets: the process group, user time, system time. */
const GROUP = 2;
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** Linux: the time of the processor that each process of a group has taken, in ticks of the system. */
export function processorTimes(group: number): Map<number, number> {
  const times = new Map<number, number>();
  for (const pid of readdirSync('/proc').map(Number).filter(Boolean)) {
    // It may have ended meanwhile.
    const stat = orElse(() => readFileSync(`/proc/${pid}/stat`, 'latin1'), null);
    const fields =
      stat
        ?.slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number) ?? [];
    if (fields[GROUP] === group) times.set(pid, fields[USER_TIME]! + fields[SYSTEM_TIME]!);
  }
  return times;
}

/** Processor time of all processes of the group; 0 if it cannot be read. */
export function processorTime(group: number): number {
  if (process.platform !== 'linux') return 0;
  let ticks = 0;
  for (const time of processorTimes(group).values()) ticks += time;
  return ticks;
}
