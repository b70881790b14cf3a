import type { MemoryUse } from '../../model/wire.ts';
import type { LimitCheck } from './limit-check.ts';
import { judgeRatio } from './ratio.ts';

/** Below this a process cannot be told from one that only had empty messages. */
const NOISE_BYTES = 1e6;

/** Bytes a message, in order; never less than what can be told. */
const weightsOf = (processes: readonly MemoryUse[]): number[] =>
  processes
    .map(({ bytes, messages }) => Math.max(bytes, NOISE_BYTES) / Math.max(1, messages))
    .sort((a, b) => a - b);

const middle = (sorted: readonly number[]): number => sorted[(sorted.length - 1) >> 1] ?? 0;

/**
 * Memory of messages in flight, now against before. A few processes each say no more than their extremes: the interval
 * reaches from the least over the most to the most over the least. Null when one of them was never weighed.
 */
export function judgeMemoryRatio(
  before: readonly MemoryUse[],
  now: readonly MemoryUse[],
  limit: number,
): LimitCheck | null {
  const [old, current] = [weightsOf(before), weightsOf(now)];
  const [least, most] = [old[0], old.at(-1)];
  if (least === undefined || most === undefined || current.length === 0) return null;
  const ci: [number, number] = [(current[0] ?? 0) / most, (current.at(-1) ?? 0) / least];
  const estimate = { ratio: middle(current) / middle(old), ci };
  return judgeRatio(estimate, limit, Math.min(old.length, current.length));
}
