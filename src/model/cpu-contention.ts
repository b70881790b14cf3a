/** Counters of CPU time that the machine withheld: ms since boot, summed over cores and divided by their number. */
export interface ContentionCounters {
  /** Time in which a virtual CPU wanted to run and the hypervisor ran another (CPU steal). */
  stolenMs: number | null;
  /** Time in which our control group had used up its CPU quota (throttling). */
  throttledMs: number | null;
}
