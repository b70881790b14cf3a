/** What `--profile` and `--by-path` add to a run: where inside the threads the time goes, and which branch costs it. */

export const SIDES = ['sender', 'receiver'] as const;
export type ProfiledSide = (typeof SIDES)[number];

/** What a profiled sample was spent on: cloning, garbage collection, the user's own code, the rest. */
export const WORKS = ['clone', 'gc', 'user', 'other'] as const;
export type Work = (typeof WORKS)[number];

/** Shares of the busy time of both threads, without waiting; the sum is 1. */
export type WorkShares = Record<Work, number>;

/** The profiler used. */
export const PROFILERS = ['v8-profiler-next', 'inspector'] as const;
export type ProfilerName = (typeof PROFILERS)[number];
