/** Counters of a machine that was not ours alone, ms since it booted, summed over cores and divided by their number. */
export interface ContentionCounters {
  /** Time in which a virtual CPU wanted to run and the hypervisor ran another. */
  stolenMs: number | null;
  /** Time in which our control group had used up its share of CPU time. */
  throttledMs: number | null;
}
