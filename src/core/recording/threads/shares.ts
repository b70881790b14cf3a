/** Shares the counters of a class out among the sites that post it. */
import type { MessageSeen } from '../../../model/documents/thread-file.ts';

/** The part of a counter that belongs to one group. */
export interface Share {
  count: number;
  hintSum: number;
  /** The count is an estimate, because several groups have the counter and not all messages were looked at. */
  estimated: boolean;
}

/**
 * Each message that was looked at stands for those since the one before it.
 *
 * @param messages of one counter, by `nth` @param count @param hintSum of the counter
 */
export function sharesOf(
  messages: readonly MessageSeen[],
  count: number,
  hintSum: number,
): Map<number, Share> {
  const weights = new Map<number, { weight: number; hints: number }>();
  let seen = 0;
  for (const { group, nth, hint } of messages) {
    const weight = Math.max(1, nth + 1 - seen);
    seen = Math.max(seen, nth + 1);
    const sum = weights.get(group) ?? { weight: 0, hints: 0 };
    weights.set(group, { weight: sum.weight + weight, hints: sum.hints + weight * hint });
  }
  const all = [...weights.values()];
  const weight = all.reduce((sum, one) => sum + one.weight, 0);
  const hints = all.reduce((sum, one) => sum + one.hints, 0);
  const counts = apportioned(
    all.map((one) => (count * one.weight) / weight),
    count,
  );
  const estimated = weights.size > 1 && messages.length < count;
  return new Map(
    [...weights].map(([group, one], i) => [
      group,
      { count: counts[i]!, hintSum: hints === 0 ? 0 : (hintSum * one.hints) / hints, estimated },
    ]),
  );
}

/** Whole numbers with the sum `total`, by the largest remainders. */
export function apportioned(exact: readonly number[], total: number): number[] {
  const whole = exact.map(Math.floor);
  const byRemainder = exact
    .map((value, i) => ({ i, rest: value - whole[i]! }))
    .sort((a, b) => b.rest - a.rest);
  let left = total - whole.reduce((sum, value) => sum + value, 0);
  for (const { i } of byRemainder) if (left-- > 0) whole[i]!++;
  return whole;
}
