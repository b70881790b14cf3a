/** Counters of lost CPU time: ms since boot, summed over the cores and divided by their number. */
export interface ContentionCounters {
  /** Time in which a virtual CPU wanted to run and the hypervisor ran another (CPU steal). */
  stolenMs: number | null;
  /** Time in which the control group had used up its CPU quota (throttling). */
  throttledMs: number | null;
}
