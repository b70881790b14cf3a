/** One budget for several runs: see `--total`. */
export interface TotalBudget {
  leftMs: number;
  /** Runs that share it, the next one included. */
  runs: number;
  /** What a run took beyond its share so far: proofs, starts, closing. */
  overheadMs: number;
  /** No run gets more. */
  mostMs: number;
}

/** Less is not worth the start of a process, ms. */
const LEAST_MS = 300;

/** ms that the next run may measure: a fair share of what is left; null when nothing is. */
export function nextShare({ leftMs, runs, overheadMs, mostMs }: TotalBudget): number | null {
  if (leftMs < LEAST_MS) return null;
  return Math.min(mostMs, leftMs, Math.max(LEAST_MS, leftMs / runs - overheadMs));
}
