import { readFileSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import type { ContentionCounters } from '../model/cpu-contention.ts';
import type { Machine } from '../model/documents/report.ts';
import { orElse } from '../model/or-else.ts';
import { groupTimes } from './control-group.ts';

/** The machine that this runs on, as a report names it. */
export function thisMachine(): Machine {
  return {
    os: `${platform()} ${release()}`,
    arch: arch(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
  };
}

/** USER_HZ: 100 on every Linux that the runtimes support. */
const MS_A_TICK = 10;
/** proc_stat(5): user nice system idle iowait irq softirq steal. */
const STEAL = 8;

/** Counters of CPU steal and throttling; null on systems other than Linux. */
export function contentionCounters(): ContentionCounters | null {
  const stat = readText('/proc/stat');
  if (stat === null) return null;
  return { stolenMs: stolenMsIn(stat), group: groupTimes() };
}

/** Mean over the cores, whose lines follow the sum of all: "cpu  10 0 5 ...", "cpu0 5 0 ...". */
export function stolenMsIn(stat: string): number | null {
  const cores = stat.match(/^cpu\d+ /gm)?.length ?? 0;
  const ticks = Number(/^cpu .*$/m.exec(stat)?.[0].split(/\s+/)[STEAL]);
  return cores === 0 || !Number.isFinite(ticks) ? null : (ticks * MS_A_TICK) / cores;
}

const readText = (file: string): string | null => orElse(() => readFileSync(file, 'latin1'), null);
