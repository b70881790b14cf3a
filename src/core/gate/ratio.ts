import type { RatioEstimate } from '../../model/documents/measurement.ts';
import type { MemoryUse } from '../../model/wire/wire.ts';
import { budgetForSamples, budgetOption, type Claim, lackOf, lackText } from '../evidence.ts';
import { MEMORY_NOISE_BYTES } from '../measure/memory.ts';
import { lowerMedian } from '../stats/quantiles.ts';
import type { LimitCheck } from './limits.ts';

/** Reason for an undecided limit, with the smallest growth that the interval would not hide. */
const undecided = ({ ratio, ci }: RatioEstimate) =>
  `the limit is within the interval: in this time growth from ${Math.ceil(100 * (ci[1] / ratio - 1))} % on can be detected; a longer --budget narrows it`;

/**
 * Judges a ratio by a limit: failed if the whole interval is above the limit, passed if the whole interval is below it,
 * otherwise unsure. It is also unsure if the samples do not suffice.
 *
 * @param spentMs time that the samples took, in ms, to suggest a budget that suffices; null: no budget is suggested
 */
export function judgeByLimit(
  estimate: RatioEstimate,
  limit: number,
  spentMs: number | null = null,
): LimitCheck {
  const { ratio, ...evidence } = estimate;
  const [low, high] = evidence.ci;
  if (lackOf(estimate, 'side') === 'samples') {
    const { ci: _, ...sampled } = evidence;
    const reason = lackReason(estimate, 'side', spentMs) ?? '';
    return { outcome: 'unsure', expected: limit, actual: null, ...sampled, path: null, reason };
  }
  const judged = { expected: limit, actual: ratio, change: ratio, ...evidence, path: null };
  const isUndecided = low <= limit && high > limit;
  const claim: Claim = isUndecided ? 'size' : low > limit ? 'failure' : 'side';
  const lack = lackReason(estimate, claim, spentMs);
  if (isUndecided || lack !== null)
    return { outcome: 'unsure', ...judged, reason: lack ?? undecided(estimate) };
  return high <= limit ? { outcome: 'passed', ...judged } : { outcome: 'failed', ...judged, path: '$' };
}

/** Reason why an estimate does not support a claim: "too few samples: 3; -b 20s". Null if it does. */
function lackReason(estimate: RatioEstimate, claim: Claim, spentMs: number | null): string | null {
  const text = lackText(estimate, claim);
  if (text === null) return null;
  const isOfSamples = lackOf(estimate, claim) === 'samples' && estimate.samples !== undefined;
  const ms = isOfSamples && spentMs !== null ? budgetForSamples(estimate.samples ?? 0, spentMs) : null;
  return `${text}; ${ms === null ? 'a longer --budget takes more' : budgetOption(ms)}`;
}

/** Sorted bytes per message of each process. Bytes below the noise are raised to the noise. */
const bytesPerMessage = (processes: readonly MemoryUse[]): number[] =>
  processes
    .map(({ bytes, messages }) => Math.max(bytes, MEMORY_NOISE_BYTES) / Math.max(1, messages))
    .sort((a, b) => a - b);

/**
 * Judges the memory of messages in flight, now against before. A few processes per side only give the extremes: the
 * interval reaches from minimum/maximum to maximum/minimum. Null if a side was not measured.
 */
export function judgeMemoryRatio(
  before: readonly MemoryUse[],
  now: readonly MemoryUse[],
  limit: number,
): LimitCheck | null {
  const [old, current] = [bytesPerMessage(before), bytesPerMessage(now)];
  const [oldMiddle, currentMiddle] = [lowerMedian(old), lowerMedian(current)];
  if (oldMiddle === undefined || currentMiddle === undefined) return null;
  const ci: [number, number] = [current[0]! / old.at(-1)!, current.at(-1)! / old[0]!];
  const processes = Math.min(old.length, current.length);
  return judgeByLimit({ ratio: currentMiddle / oldMiddle, ci, processes }, limit);
}
