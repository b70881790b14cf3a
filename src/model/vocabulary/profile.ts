/** Vocabulary of `--profile` and `--by-path`: the time of the threads by work, and its cost by branch. */

export const SIDES = ['sender', 'receiver'] as const;
export type ProfiledSide = (typeof SIDES)[number];

/** Kinds of work in a profile sample: cloning, garbage collection, the user's own code, the rest. */
export const WORKS = ['clone', 'gc', 'user', 'other'] as const;
export type Work = (typeof WORKS)[number];

/** Shares of the busy time of both threads, without waiting; the sum is 1. */
export type WorkShares = Record<Work, number>;

export const PROFILERS = ['v8-profiler-next', 'inspector'] as const;
export type ProfilerName = (typeof PROFILERS)[number];
