/** Counters of lost CPU time: ms since boot. */
export interface ContentionCounters {
  /** Time in which a virtual CPU wanted to run and the hypervisor ran another (CPU steal): mean over the cores. */
  stolenMs: number | null;
  /** Times of the control group with the smallest CPU quota; null if there are no control groups. */
  group: GroupTimes | null;
}

/** CPU time that a control group took, and that its quota kept from it (throttling): both are sums over the cores. */
export interface GroupTimes {
  usedMs: number;
  throttledMs: number;
}
