import { type HotSpot, SIDES, type Side, type Work, type WorkShares } from '../../model/profile.ts';
import { type CallFrame, type CpuProfile, selfTimes } from './self-times.ts';
import { type ToolLocation, workByNode } from './work.ts';

/** What one thread spent, by function. */
export interface FunctionTime {
  name: string;
  /** As in HotSpot. */
  where: string | null;
  work: Work;
  /** Self time, µs. */
  us: number;
}

/** Self times of one thread, put together by function, most first; waiting is left out. */
export function functionTimes(profile: CpuProfile, ground: ToolLocation): FunctionTime[] {
  const works = workByNode(profile, ground);
  const times = selfTimes(profile);
  const found = new Map<string, FunctionTime>();
  for (const { id, callFrame } of profile.nodes) {
    const worked = works.get(id);
    const us = times.get(id) ?? 0;
    if (worked === undefined || us === 0) continue;
    const { work, name } = worked;
    const where = whereOf(callFrame, work, ground);
    const key = JSON.stringify([name, where, work]);
    const spent = found.get(key) ?? { name, where, work, us: 0 };
    spent.us += us;
    found.set(key, spent);
  }
  return [...found.values()].sort((a, b) => b.us - a.us);
}

function whereOf(
  { url, lineNumber, columnNumber }: CallFrame,
  work: Work,
  { tool }: ToolLocation,
): string | null {
  if (work === 'clone') return null;
  if (url.startsWith(tool)) return 'clone-prof';
  return url === '' ? null : `${url}:${lineNumber + 1}:${columnNumber + 1}`;
}

export type FunctionTimesBySide = Readonly<Record<Side, readonly FunctionTime[]>>;

const MOST_SPOTS = 10;

/** Shares of both threads' busy time, and the functions that took most of it. Null when nothing was seen. */
export function summaryOf(
  spent: FunctionTimesBySide,
  messages: number,
): { shares: WorkShares; top: HotSpot[] } | null {
  const all = SIDES.flatMap((side) => spent[side].map((one) => ({ side, ...one })));
  const total = all.reduce((sum, { us }) => sum + us, 0);
  if (total === 0) return null;
  const shares: WorkShares = { clone: 0, gc: 0, user: 0, other: 0 };
  for (const { work, us } of all) shares[work] += us / total;
  const top = [...all]
    .sort((a, b) => b.us - a.us)
    .slice(0, MOST_SPOTS)
    .map(({ us, ...spot }) => ({
      ...spot,
      ns: Math.round((us * 1e3) / Math.max(1, messages)),
      share: us / total,
    }));
  return { shares, top };
}
