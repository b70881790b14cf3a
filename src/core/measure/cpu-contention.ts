import type { ContentionCounters } from '../../model/cpu-contention.ts';
import type { CpuContention, RunNoise } from '../../model/documents/measurement.ts';
import type { Noise } from './noise.ts';

/** Shares of the time lost between two reads of the counters; null where the machine has none. */
export function contentionBetween(
  before: ContentionCounters | null,
  after: ContentionCounters | null,
  ms: number,
): CpuContention | null {
  if (before === null || after === null || ms <= 0) return null;
  const share = (counter: keyof ContentionCounters): number | null => {
    const [from, to] = [before[counter], after[counter]];
    return from === null || to === null ? null : Math.min(1, Math.max(0, to - from) / ms);
  };
  return { stolen: share('stolenMs'), throttled: share('throttledMs') };
}

/** Smaller shares are within the counters' own steps (10 ms) and the usual tenth of a percent. */
const NOTICED_SHARE = 0.02;
/** Beyond half of the time, wider intervals do not help. */
const MAX_SHARE = 0.5;

/** The share of the time by which intervals are widened; 0 without noticeable contention. */
export function lostShare(contention: CpuContention | null): number {
  const lost = (contention?.stolen ?? 0) + (contention?.throttled ?? 0);
  return lost < NOTICED_SHARE ? 0 : Math.min(MAX_SHARE, lost);
}

/** Noise of the empty messages and the machine's counters together. */
export function runNoise(noise: Noise | null, contention: CpuContention | null, widened: number): RunNoise {
  const beyond = (['stolen', 'throttled'] as const).filter(
    (counter) => (contention?.[counter] ?? 0) >= NOTICED_SHARE,
  );
  if (noise === null) return { floor: null, beyond, strain: contention, widened };
  const { beyond: floorBeyond, ...floor } = noise;
  return { floor, beyond: [...beyond, ...floorBeyond], strain: contention, widened };
}
