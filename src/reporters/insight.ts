/** Profiles and the cost of branches as data and sentences that all formats share. */
import { type Profile, WORKS, type Work } from '../model/profile.ts';
import type { Run } from '../model/report.ts';
import type { Column } from './grid.ts';
import { bytes, count, percent, time } from './numbers.ts';
import type { Grade } from './words.ts';

export type ByPath = NonNullable<Run['byPath']>;

/** Branches within branches overlap, so the rows do not add up. */
export const BY_PATH_WORDS = 'Saved by leaving the branch out. Branches lie within branches: rows overlap.';
export const NO_BRANCHES = 'No branch to leave out: the payload is one piece.';

const shareWords = (share: number): string => (share < 0.001 ? '0 %' : percent(share));

/** Low and high, never below nothing: noise saves no time. */
const shareInterval = ([low, high]: [number, number]): string =>
  `${Math.round(Math.max(0, low) * 100)}–${Math.round(Math.max(0, high) * 100)} %`;

export function branchGrid(branches: ByPath): Column[] {
  return [
    { key: 'path', head: 'branch', cells: branches.map(({ path }) => path) },
    {
      key: 'share',
      head: 'of send',
      cells: branches.map(({ send }) => (send === null ? 'not timed' : shareWords(send.share))),
      align: 'right',
    },
    {
      key: 'interval',
      head: '95 %',
      cells: branches.map(({ send }) => (send === null ? '' : shareInterval(send.ci))),
      align: 'right',
      rank: 3,
    },
    {
      key: 'ns',
      head: 'time',
      cells: branches.map(({ send }) => (send === null ? '' : time(Math.max(0, send.ns)))),
      align: 'right',
      rank: 1,
    },
    {
      key: 'bytes',
      head: 'bytes',
      cells: branches.map((branch) => (branch.bytes === null ? '' : bytes(branch.bytes))),
      align: 'right',
      rank: 2,
    },
    {
      key: 'bytesShare',
      head: 'of bytes',
      cells: branches.map(({ bytesShare }) => (bytesShare === null ? '' : shareWords(bytesShare))),
      align: 'right',
    },
  ];
}

export const WORK_WORDS = {
  clone: 'cloning',
  gc: 'garbage collection',
  user: 'your code',
  other: 'the rest',
} as const satisfies Record<Work, string>;

export const WORK_GRADES = {
  clone: 'fair',
  gc: 'poor',
  user: 'bad',
  other: 'good',
} as const satisfies Record<Work, Grade>;

/** "cloning 64 % · your code 30 % · garbage collection 3.0 % · the rest 2.6 %" */
export function workShares({ shares }: Profile): { work: Work; words: string; share: number }[] {
  if (shares === null) return [];
  return WORKS.map((work) => ({
    work,
    share: shares[work],
    words: `${WORK_WORDS[work]} ${shareWords(shares[work])}`,
  }));
}

const SHOWN_SPOTS = 5;
/** What takes less is noise of the sampling. */
const LEAST_SHARE = 0.01;

export const shownSpots = ({ top }: Profile): Profile['top'] =>
  top.filter(({ share }) => share >= LEAST_SHARE).slice(0, SHOWN_SPOTS);

export function spotGrid(profile: Profile): Column[] {
  const spots = shownSpots(profile);
  return [
    { key: 'name', head: 'self time', cells: spots.map(({ name }) => name) },
    { key: 'share', head: 'share', cells: spots.map(({ share }) => percent(share)), align: 'right' },
    { key: 'ns', head: 'a message', cells: spots.map(({ ns }) => time(ns)), align: 'right', rank: 1 },
    { key: 'side', head: 'thread', cells: spots.map(({ side }) => side), rank: 2 },
    { key: 'work', head: 'what', cells: spots.map(({ work }) => WORK_WORDS[work]), rank: 4 },
    { key: 'where', head: 'where', cells: spots.map(({ where }) => where ?? 'the engine'), rank: 3 },
  ];
}

/** "by inspector, 332 messages", then what is not there and why, each reason once. */
export function profileFacts({ by, messages, missing }: Profile): string[] {
  const whats = new Map<string, string[]>();
  for (const { what, why } of missing) whats.set(why, [...(whats.get(why) ?? []), what]);
  const gaps = [...whats].map(([why, names]) => `not available there: ${names.join(', ')} (${why})`);
  return by === null ? gaps : [`profiled by ${by}, ${count(messages)} messages`, ...gaps];
}
