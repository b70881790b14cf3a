/** What `--profile` and `--by-path` add to a run: where inside the threads the time goes, and which branch costs it. */

export const SIDES = ['sender', 'receiver'] as const;
export type Side = (typeof SIDES)[number];

/** Whose work a profiled moment was: the engine's cloning, its collector, the user's own code, all the rest. */
export const WORKS = ['clone', 'gc', 'user', 'other'] as const;
export type Work = (typeof WORKS)[number];

/** Shares of the busy time of both threads, waiting left out; they add up to 1. */
export type WorkShares = Record<Work, number>;

/** One function of one thread by its self time. */
export interface HotSpot {
  side: Side;
  /** As the engine names it: "postMessage", "(program)", "toJSON". */
  name: string;
  /** "rows.mjs:12:5"; null for what the engine and the runtime do to clone, "clone-prof" for the tool's own loop. */
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
  /** Null: nothing could be profiled there; `missing` says why. */
  by: ProfilerName | null;
  /** Written files, relative to the working directory; DevTools and speedscope open them. */
  files: string[];
  /** How many messages went there and back meanwhile. */
  messages: number;
  shares: WorkShares | null;
  /** By self time, most first. */
  top: HotSpot[];
  /** What the runtime does not offer, each with the reason. */
  missing: { what: string; why: string }[];
}

/** What leaving one branch out of the payload saves. Branches within branches overlap. */
export interface BranchCost {
  /** Path pattern of the branch: "$.rows[*].geo". */
  path: string;
  /** Wire bytes that go away; null where the engine does not tell. */
  bytes: number | null;
  bytesShare: number | null;
  /** Send time that goes away, of the median; `ci` of the share. Null when it could not be timed. */
  send: { ns: number; share: number; ci: [number, number] } | null;
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
  /** Null where the engine does not tell. */
  whole: number | null;
  /** In the order of the request. */
  without: (number | null)[];
}
