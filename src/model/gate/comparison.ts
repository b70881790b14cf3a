/** What `check --base` compares: the payloads of a commit with those of now. */
import type { CostClass, PathName } from '../names.ts';
import type { Sampled } from '../report/trial.ts';

/** The commit that --base names. */
export interface BaseCommit {
  /** As the user wrote it: "origin/main". */
  ref: string;
  commit: string;
}

/** A payload before and now, on one runtime over one channel; null on the side that does not have it. */
export interface Comparison {
  payload: string;
  runtime: string;
  channel: string;
  before: ComparedFacts | null;
  now: ComparedFacts | null;
  /** Round trip now over before, measured in the same run where something changed. */
  time?: { change: number; ci: [number, number] } & Sampled;
}

export interface ComparedFacts {
  class: CostClass;
  path: PathName;
  /** As in BaselineFacts. */
  bytes: number | null;
  nodes: number;
  depth: number;
}
