/** Rewrites tried, and what follows from them. */
import type { Loss } from '../rules/loss.ts';
import type { Assumption, Plan } from '../rules/remedy.ts';

export type { Assumption } from '../rules/remedy.ts';

/** [low, high] of a 95 % interval. */
export type Interval = [number, number];

/** Counts in equal-width bins of log10(ns). */
export interface Histogram {
  from: number;
  to: number;
  counts: number[];
}

/** What an estimate rests on; of a ratio, the fewer of both sides. Absent in reports of earlier versions. */
export interface Sampled {
  samples?: number;
  processes?: number;
}

export interface RatioEstimate extends Sampled {
  /** New time over old time of the round trip: 0.5 is twice as fast. */
  ratio: number;
  ci: Interval;
}

/** dropped: cannot be the advice (no faster, or a better one is known), so no longer timed; its interval stands. */
export const TRIAL_OUTCOMES = ['faster', 'slower', 'unsure', 'refused', 'dropped'] as const;
export type TrialOutcome = (typeof TRIAL_OUTCOMES)[number];

export interface Trial {
  remedy: string;
  path: string;
  plan: Plan;
  equality: 'equal' | 'lossy' | 'failed';
  losses: Loss[];
  withConversion: RatioEstimate | null;
  inPlace: RatioEstimate | null;
  peakMemory: { ratio: number } | null;
  /** By `withConversion`. */
  outcome: TrialOutcome;
  /** By `inPlace`; unsure where it was not timed in place: only the best of a run is. */
  outcomeInPlace: TrialOutcome;
  /** Of round trips with conversion; of what is faster. */
  histogram?: Histogram;
  /** The reason, when refused or failed. */
  reason?: string;
}

/** A rewrite that could not be tried: its proof or its timing failed or ran out of time. */
export interface Untried extends Pick<Trial, 'remedy' | 'path' | 'plan'> {
  /** Why: what the user would have read on stderr. */
  reason: string;
}

/**
 * - nothing: no rewrite that was tried is faster
 * - not-the-clone: the round trip is near the floor
 * - unsure: tried, and not decided
 * - not-tried: rewrites that could not be tried might be faster, and no other is known to be
 */
export const ADVICE_ACTIONS = ['apply', 'nothing', 'not-the-clone', 'unsure', 'not-tried'] as const;
export type AdviceAction = (typeof ADVICE_ACTIONS)[number];

export interface Available extends Pick<Trial, 'remedy' | 'path'> {
  gain: RatioEstimate;
  /** Lines of code. */
  lines: number;
  /** What it costs beside time. */
  costs?: string[];
}

/** Why no rewrite of the payload gives back an equal one. */
export interface Obstacle {
  /** The rewrite that was tried and does not give this back; none fits where it is absent. */
  remedy?: string;
  path: string;
  /** "is a Date", "has holes"; of a rewrite that was tried: "Date became string". */
  what: string;
}

export interface Advice {
  action: AdviceAction;
  remedy: string | null;
  path: string | null;
  gain: RatioEstimate | null;
  code: string | null;
  /** True when the gain holds only if both ends already keep the data in the new form. */
  ownsBothForms?: boolean;
  /** What the remedy costs beside time: "the sender loses the buffers". */
  costs?: string[];
  /** Rewrites that could not be tried, whatever the action; absent where all were. */
  untried?: Untried[];
  /** nothing, unsure: no rewrite that was tried takes less than this share of the time (95 %). */
  bound?: number;
  /** unsure: budget that would probably decide, ms; null where no budget would. */
  needs?: number | null;
  /** A rewrite that gains too little for what it takes: told, not advised. */
  available?: Available;
  /** nothing, unsure and not-the-clone: where no rewrite fits, or none of those tried gives back an equal payload. */
  obstacle?: Obstacle;
  /** What the codec takes for granted; a payload that does not fit is sent as it is. */
  assumes?: Assumption[];
  /** Source of the codec as a TypeScript module; null where there is none. */
  module?: string | null;
  /** A newer version that takes a better path. */
  upgrade?: { since: string; path: string } | null;
}
