/** What the host of the A/A bench and the process that measures both know. */

/** Outcome of one run for each planted remedy, by name. */
export type AaResult = Record<string, { outcome: string; ratio: number | null; ci: [number, number] | null }>;

/** Every second run is a race; in the others each planted remedy is timed until it is decided. */
export const isRace = (run: number): boolean => run % 2 === 1;

export interface AaPair {
  file: string;
  /** `node`, or a binary. */
  runtime: string;
}

export interface AaAsked {
  pairs: AaPair[];
  /** Of each pair. */
  runs: number;
  budgetMs: number;
  seed: number;
}

/** Three candidates that are the payload itself. */
export const SAME = [1, 2, 3].map((copy) => ({ remedy: 'same', plan: { path: '$', copy } }));
