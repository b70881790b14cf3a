import type { MemoryUse } from '../../model/wire/wire.ts';
import { MEMORY_NOISE_BYTES } from '../measure/memory.ts';
import { lowerMedian } from '../stats/quantiles.ts';
import type { LimitCheck } from './limit-check.ts';
import { judgeRatio } from './ratio.ts';

/** Sorted bytes per message of each process; at least what can be told from noise. */
const bytesPerMessage = (processes: readonly MemoryUse[]): number[] =>
  processes
    .map(({ bytes, messages }) => Math.max(bytes, MEMORY_NOISE_BYTES) / Math.max(1, messages))
    .sort((a, b) => a - b);

/**
 * Memory of messages in flight, now against before. With a few processes each, only the extremes are known: the interval
 * reaches from the least over the most to the most over the least. Null when one of them was not measured.
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
  return judgeRatio({ ratio: currentMiddle / oldMiddle, ci, processes }, limit);
}
