/** Samples of each process that are examined: enough to contain two neighbouring ticks of a coarse clock. */
const EXAMINED = 256;
/** Differences below this share of the value are rounding of floating point, not ticks. */
const ROUNDING = 1e-9;

/**
 * The step of the clock, estimated by the smallest difference of the samples, in ns; 0 when all are equal. A browser's
 * clock may advance in steps of 100 us: then medians agree to the last digit, but are only known to within a step.
 */
export function clockStep(processes: readonly (readonly number[])[]): number {
  const seen = Float64Array.from(processes.flatMap((samples) => samples.slice(0, EXAMINED))).sort();
  let step = Number.POSITIVE_INFINITY;
  for (let at = 1; at < seen.length; at++) {
    const apart = seen[at]! - seen[at - 1]!;
    if (apart > ROUNDING * seen[at]! && apart < step) step = apart;
  }
  return Number.isFinite(step) ? step : 0;
}
