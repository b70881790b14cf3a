import type { ContentionCounters } from '../../model/cpu-contention.ts';
import type { CpuContention, RunNoise } from '../../model/report.ts';
import type { Noise } from './noise.ts';

/** What the machine did to us between two looks at its counters; null where it keeps none. */
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

/** Below this the counters' own steps (10 ms) and the usual tenth of a percent are all there is. */
const NOTICED_SHARE = 0.02;
/** A run that lost more than half its time is not saved by a wider interval. */
const MOST_SHARE = 0.5;

/** The share of time by which no figure of the run is to be trusted further; 0 when the machine was ours. */
export function lostShare(strain: CpuContention | null): number {
  const lost = (strain?.stolen ?? 0) + (strain?.throttled ?? 0);
  return lost < NOTICED_SHARE ? 0 : Math.min(MOST_SHARE, lost);
}

/** What the empty messages and the machine's counters say together. */
export function runNoise(noise: Noise | null, strain: CpuContention | null, widened: number): RunNoise {
  const beyond: RunNoise['beyond'] = [];
  if ((strain?.stolen ?? 0) >= NOTICED_SHARE) beyond.push('stolen');
  if ((strain?.throttled ?? 0) >= NOTICED_SHARE) beyond.push('throttled');
  if (noise === null) return { floor: null, beyond, strain, widened };
  const { beyond: floorBeyond, ...floor } = noise;
  return { floor, beyond: [...beyond, ...floorBeyond], strain, widened };
}
