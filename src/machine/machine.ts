/** The machine as its system reports it: facts, counters and processes, and errors when a limit is reached. */
import { readdirSync, readFileSync } from 'node:fs';
import { arch, cpus, platform, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Machine } from '../model/documents/report.ts';
import { ToolError } from '../model/errors.ts';
import { orElse } from '../model/or-else.ts';
import type { ContentionCounters, GroupTimes } from '../model/run/runtime.ts';
import { foldersUpFrom } from './folders.ts';

interface Version {
  /** Line of /proc/self/cgroup with the path of this process. */
  line: RegExp;
  folder: string;
  quota(group: string): number | null;
  times(group: string): GroupTimes | null;
}

const numberIn = (text: string | null, pattern: RegExp): number | null => {
  const digits = pattern.exec(text ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
};

/** Version 2: cpu.max is "max 100000" or "50000 100000". */
const UNIFIED: Version = {
  line: /^0::(\/.*)$/m,
  folder: '',
  quota(group) {
    const [, quota, period] = /^(\d+) (\d+)/.exec(readText(join(group, 'cpu.max')) ?? '') ?? [];
    return quota === undefined ? null : Number(quota) / Number(period);
  },
  times(group) {
    const stat = readText(join(group, 'cpu.stat'));
    const used = numberIn(stat, /^usage_usec (\d+)$/m);
    // The line is missing if no controller of the CPU is enabled: then nothing is throttled.
    const throttled = numberIn(stat, /^throttled_usec (\d+)$/m) ?? 0;
    return used === null ? null : { usedMs: used / 1e3, throttledMs: throttled / 1e3 };
  },
};

/** Version 1: a quota of -1 means no quota. */
const SEPARATE: Version = {
  line: /^\d+:(?:[^:]*,)?cpu(?:,[^:]*)?:(\/.*)$/m,
  folder: 'cpu',
  quota(group) {
    const quota = numberIn(readText(join(group, 'cpu.cfs_quota_us')), /^(\d+)$/m);
    const period = numberIn(readText(join(group, 'cpu.cfs_period_us')), /^(\d+)$/m);
    return quota === null || period === null ? null : quota / period;
  },
  times(group) {
    const throttled = numberIn(readText(join(group, 'cpu.stat')), /^throttled_time (\d+)$/m);
    const accounts = [group, group.replace('/cpu', '/cpuacct')].map((at) => join(at, 'cpuacct.usage'));
    const used = numberIn(accounts.map(readText).find((text) => text !== null) ?? null, /^(\d+)$/m);
    return used === null || throttled === null ? null : { usedMs: used / 1e6, throttledMs: throttled / 1e6 };
  },
};

/**
 * Returns the times of the group with the smallest quota, which throttles first, of all groups around this process (up to
 * that of a container); without a quota the nearest group counts. Returns null if none can be read. Linux: cgroups(7).
 */
export function groupTimes(
  root = '/sys/fs/cgroup',
  paths = readText('/proc/self/cgroup') ?? '',
): GroupTimes | null {
  for (const version of [SEPARATE, UNIFIED]) {
    const path = version.line.exec(paths)?.[1];
    if (path === undefined) continue;
    const groups = foldersUpFrom(path).flatMap((folder) => {
      const group = join(root, version.folder, folder);
      const times = version.times(group);
      return times === null ? [] : [{ times, quota: version.quota(group) ?? Number.POSITIVE_INFINITY }];
    });
    const [first, ...rest] = groups;
    if (first) return rest.reduce((least, at) => (at.quota < least.quota ? at : least), first).times;
  }
  return null;
}

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

export function contentionCounters(): ContentionCounters | null {
  const stat = readText('/proc/stat');
  if (stat === null) return null;
  return { stolenMs: stolenMsIn(stat), group: groupTimes() };
}

/** Mean stolen time of the cores, whose lines follow the sum of all: "cpu  10 0 5 ...", "cpu0 5 0 ...". */
export function stolenMsIn(stat: string): number | null {
  const cores = stat.match(/^cpu\d+ /gm)?.length ?? 0;
  const ticks = Number(/^cpu .*$/m.exec(stat)?.[0].split(/\s+/)[STEAL]);
  return cores === 0 || !Number.isFinite(ticks) ? null : (ticks * MS_A_TICK) / cores;
}

const readText = (file: string): string | null => orElse(() => readFileSync(file, 'latin1'), null);

export const processIds = (): number[] => readdirSync('/proc').map(Number).filter(Boolean);

/** Fields from the third on: the second, in parentheses, may hold any characters. Empty if the process has ended. */
export function statOf(pid: number | 'self'): string[] {
  const stat = orElse(() => readFileSync(`/proc/${pid}/stat`, 'latin1'), '');
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

const hasCode = (error: unknown, ...codes: string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException | null)?.code ?? '');

export const isNoSpace = (error: unknown): boolean => hasCode(error, 'ENOSPC', 'EDQUOT');

/** All files except the requested output are written to the temp folder, so that folder must be full. */
export function noSpaceLeft(cause?: unknown): ToolError {
  const detail = 'no space left in the temp folder';
  return new ToolError('temp-unwritable', { folder: tmpdir(), detail }, { cause });
}

export function limitReached(error: unknown): ToolError | null {
  if (isNoSpace(error)) return noSpaceLeft(error);
  return hasCode(error, 'EMFILE', 'ENFILE') ? new ToolError('too-many-files', {}, { cause: error }) : null;
}
