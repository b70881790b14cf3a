/** One budget for several runs: see `--total`. */
interface TotalBudget {
  leftMs: number;
  /** Runs that share it, the next one included. */
  runs: number;
  /** What a run took beyond its share so far: proofs, starts, closing. */
  overheadMs: number;
  /** No run gets more. */
  mostMs: number;
}

/** Three processes start in it, ms: less would decide nothing. */
const MIN_MS = 500;

/**
 * ms that the next run may measure: a fair share of what is left; null when nothing is. Never less than what a run takes
 * beside: on a slow machine few runs that are decided serve better than many that only started.
 */
export function nextShare({ leftMs, runs, overheadMs, mostMs }: TotalBudget): number | null {
  if (leftMs < MIN_MS) return null;
  return Math.min(mostMs, leftMs, Math.max(MIN_MS, overheadMs, leftMs / runs - overheadMs));
}
