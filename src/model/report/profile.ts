/** What `--profile` and `--by-path` add to a run: where inside the threads the time goes, and which branch costs it. */
import type { Sampled } from './trial.ts';

export const SIDES = ['sender', 'receiver'] as const;
export type Side = (typeof SIDES)[number];

/** What a profiled sample was spent on: cloning, garbage collection, the user's own code, the rest. */
export const WORKS = ['clone', 'gc', 'user', 'other'] as const;
export type Work = (typeof WORKS)[number];

/** Shares of the busy time of both threads, without waiting; the sum is 1. */
export type WorkShares = Record<Work, number>;

/** One function of one thread by its self time. */
export interface HotSpot {
  side: Side;
  /** As the engine names it: "postMessage", "(program)", "toJSON". */
  name: string;
  /** "rows.mjs:12:5"; null inside the engine and the runtime, "clone-prof" for the tool's own loop. */
  where: string | null;
  work: Work;
  /** Self time per message, ns. */
  ns: number;
  /** Of the busy time of both threads. */
  share: number;
}

/** The profiler used. */
export const PROFILERS = ['v8-profiler-next', 'inspector'] as const;
export type ProfilerName = (typeof PROFILERS)[number];

export interface Profile {
  /** null: nothing could be profiled; `missing` says why. */
  by: ProfilerName | null;
  /** Written files, relative to the working directory; DevTools and speedscope open them. */
  files: string[];
  /** Round trips meanwhile. */
  messages: number;
  shares: WorkShares | null;
  /** By self time, most first. */
  top: HotSpot[];
  /** What the runtime does not offer, each with the reason. */
  missing: { what: string; why: string }[];
}

/** What leaving one branch out of the payload saves. Nested branches overlap. */
export interface BranchCost {
  /** Path pattern of the branch: "$.rows[*].geo". */
  path: string;
  /** Wire bytes that go away; null where it is not known. */
  bytes: number | null;
  bytesShare: number | null;
  /** Send time that goes away, of the median; `ci` of the share. Null when it could not be timed. */
  send: ({ ns: number; share: number; ci: [number, number] } & Sampled) | null;
}

/** Answer of a guest that was asked for a profile. */
export interface Profiled {
  type: 'profiled';
  /** `files` are bare names within the folder. */
  profile: Profile;
}

/** Answer of a guest that was asked for the bytes of branches. */
export interface BranchBytes {
  type: 'branch-bytes';
  /** null where it is not known. */
  whole: number | null;
  /** In the order of the request. */
  without: (number | null)[];
}
