/** Counters of lost CPU time: ms since boot. */
export interface ContentionCounters {
  /** Time that a virtual CPU could not run because the hypervisor ran another (CPU steal): mean over the cores. */
  stolenMs: number | null;
  /** Times of the control group with the smallest CPU quota; null outside of control groups. */
  group: GroupTimes | null;
}

/** CPU time that a control group used, and that its quota withheld (throttling). Both are sums over the cores. */
export interface GroupTimes {
  usedMs: number;
  throttledMs: number;
}
