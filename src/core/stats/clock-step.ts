/** From each process this many samples are looked at: enough to meet two neighbouring ticks of a coarse clock. */
const LOOKED_AT = 256;
/** Differences below this share of the value are rounding of floating point, not ticks. */
const ROUNDING = 1e-9;

/**
 * The clock's step as the samples show it: their smallest difference, in ns; 0 when all are equal. A browser's clock
 * may move in steps of 100 us, and then medians agree to the last digit without being known any better than a step.
 */
export function clockStep(processes: readonly (readonly number[])[]): number {
  const seen = Float64Array.from(processes.flatMap((samples) => samples.slice(0, LOOKED_AT))).sort();
  let step = Number.POSITIVE_INFINITY;
  for (let at = 1; at < seen.length; at++) {
    const apart = seen[at]! - seen[at - 1]!;
    if (apart > ROUNDING * seen[at]! && apart < step) step = apart;
  }
  return Number.isFinite(step) ? step : 0;
}
