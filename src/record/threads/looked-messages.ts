/** Facts about all messages of a group, from the messages that were looked at. */
import type { Changes, TransferLint } from '../../model/documents/recorded/recording.ts';
import type { ThreadRecordOf } from '../../model/documents/recorded/thread-file.ts';
import { sumOf } from '../../model/sums.ts';

/** A message that was looked at, with its bytes: null if it was not sized. */
export interface LookedMessage extends Omit<ThreadRecordOf<'message'>, 'bytes'> {
  bytes: number | null;
  /** Half width of the 95 % interval, as a share. */
  error?: number;
}

export const NO_TRANSFER: TransferLint = {
  ...{ messages: 0, listed: 0, possible: 0, possibleBytes: 0, useless: 0, hiddenBytes: 0, pooled: 0 },
};

export function transferOf(seen: readonly LookedMessage[]): TransferLint {
  const sum = { ...NO_TRANSFER };
  for (const { transfer } of seen)
    for (const key of Object.keys(sum) as (keyof TransferLint)[]) sum[key] += transfer?.[key] ?? 0;
  return sum;
}

/** Paths that are reported, the most frequent first. */
const MAX_PATHS = 5;

/** Share of the messages that equals the previous one; nothing if none was compared. */
export function changesIn(seen: readonly LookedMessage[]): { changes?: Changes } {
  const all = seen.flatMap(({ changes }) => changes ?? []);
  if (all.length === 0) return {};
  const counts = new Map<string, number>();
  for (const path of all.flatMap(({ paths }) => paths)) counts.set(path, (counts.get(path) ?? 0) + 1);
  const paths = [...counts].map(([path, count]) => ({ path, count })).sort((a, b) => b.count - a.count);
  const equal = sumOf(all, (one) => one.equal) / all.length;
  const same = all.filter((one) => one.equal === 1 && one.paths.length === 0).length;
  return { changes: { compared: all.length, same, equal, paths: paths.slice(0, MAX_PATHS) } };
}

/**
 * The parts of a counter that belong to each group. Each message that was looked at stands for the messages since the
 * previous look: the count is an estimate if several groups have the counter and not all messages were looked at.
 * `countError`: half width of the 95 % interval of the count, as a share.
 *
 * @param messages of one counter, by `nth` @param count @param extent of the counter
 */
export function sharesOf(messages: readonly LookedMessage[], count: number, extent: number) {
  const weights = new Map<number, { weight: number; extents: number }>();
  let seen = 0;
  for (const { group, nth, extent: own } of messages) {
    const weight = Math.max(1, nth + 1 - seen);
    seen = Math.max(seen, nth + 1);
    const sum = weights.get(group) ?? { weight: 0, extents: 0 };
    weights.set(group, { weight: sum.weight + weight, extents: sum.extents + weight * own });
  }
  const all = [...weights.values()];
  const weight = sumOf(all, (one) => one.weight);
  const extents = sumOf(all, (one) => one.extents);
  const estimated = weights.size > 1 && messages.length < count;
  let before = 0;
  return [...weights].map(([group, own]) => {
    // Whole numbers whose sum is the count.
    const from = Math.round((count * before) / weight);
    before += own.weight;
    return {
      group,
      count: Math.round((count * before) / weight) - from,
      extent: extents === 0 ? 0 : (extent * own.extents) / extents,
      estimated,
      countError: estimated ? 2 * Math.sqrt((weight / own.weight - 1) / messages.length) : 0,
    };
  });
}
