import type { HotSpot } from '../../model/documents/profile.ts';
import { SIDES, type Side, type Work, type WorkShares } from '../../model/vocabulary/profile.ts';
import { type CallFrame, type CpuProfile, selfTimes } from './self-times.ts';
import { type ToolLocation, workByNode } from './work.ts';

/** Self time of one function in one thread. */
export interface FunctionTime {
  name: string;
  /** As in HotSpot. */
  where: string | null;
  work: Work;
  /** Self time, µs. */
  us: number;
}

/** Self times of one thread by function, most first, without idle time. */
export function functionTimes(profile: CpuProfile, location: ToolLocation): FunctionTime[] {
  const works = workByNode(profile, location);
  const times = selfTimes(profile);
  const functions = new Map<string, FunctionTime>();
  for (const { id, callFrame } of profile.nodes) {
    const nodeWork = works.get(id);
    const us = times.get(id) ?? 0;
    if (nodeWork === undefined || us === 0) continue;
    const { work, name } = nodeWork;
    const where = locationOf(callFrame, work, location);
    const key = JSON.stringify([name, where, work]);
    const time = functions.get(key) ?? { name, where, work, us: 0 };
    time.us += us;
    functions.set(key, time);
  }
  return [...functions.values()].sort((a, b) => b.us - a.us);
}

function locationOf(
  { url, lineNumber, columnNumber }: CallFrame,
  work: Work,
  { tool }: ToolLocation,
): string | null {
  if (work === 'clone') return null;
  if (url.startsWith(tool)) return 'clone-prof';
  return url === '' ? null : `${url}:${lineNumber + 1}:${columnNumber + 1}`;
}

export type FunctionTimesBySide = Readonly<Record<Side, readonly FunctionTime[]>>;

const MAX_FUNCTIONS = 10;

/** Shares of both threads' busy time, and the functions with most of it. Null for a profile without samples. */
export function summaryOf(
  times: FunctionTimesBySide,
  messages: number,
): { shares: WorkShares; top: HotSpot[] } | null {
  const all = SIDES.flatMap((side) => times[side].map((one) => ({ side, ...one })));
  const total = all.reduce((sum, { us }) => sum + us, 0);
  if (total === 0) return null;
  const shares: WorkShares = { clone: 0, gc: 0, user: 0, other: 0 };
  for (const { work, us } of all) shares[work] += us / total;
  const top = [...all]
    .sort((a, b) => b.us - a.us)
    .slice(0, MAX_FUNCTIONS)
    .map(({ us, ...one }) => ({
      ...one,
      ns: Math.round((us * 1e3) / Math.max(1, messages)),
      share: us / total,
    }));
  return { shares, top };
}
