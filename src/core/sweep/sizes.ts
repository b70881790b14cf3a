/** Sizes of a sweep, evenly spaced on a logarithmic axis. */

/**
 * Returns `steps` integer sizes from `from` to `to`, both included, ascending, each a multiple of `grain`; fewer if
 * some would be equal. Zero does not have a logarithm, so it is an extra size before 1.
 */
export function logSpaced(from: number, to: number, steps: number, grain = 1): number[] {
  const low = Math.max(from, grain);
  const zero = from <= 0 ? [0] : [];
  const many = Math.max(1, steps - zero.length - 1);
  const sizes = Array.from({ length: many + 1 }, (_, step) => low * (to / low) ** (step / many));
  const whole = sizes.map((size) => Math.max(grain, Math.round(size / grain) * grain));
  return [...new Set([...zero, ...(to < low ? [] : whole)])].sort((a, b) => a - b);
}

/** Limits of the default range of a sweep: a hundredth to ten times the payload, up to this many bytes. */
const MAX_BYTES = 4e6;
const GROWTH = 10;
const RANGE = 1000;

export function usualRange({ size, weight }: { size: number; weight: number }): { from: number; to: number } {
  const growth = Math.min(GROWTH, Math.max(1, MAX_BYTES / Math.max(1, weight)));
  const to = Math.max(2, Math.round(size * growth));
  return { from: Math.max(1, Math.round(to / RANGE)), to };
}
