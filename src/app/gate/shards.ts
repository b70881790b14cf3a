import { shardOf } from '../../core/gate/check-report.ts';
import type { CheckEntry } from '../../model/check.ts';
import type { CheckUnit } from './gather.ts';

export { checkStatus as answerOf, mergeChecks } from '../../core/gate/check-report.ts';

/** The part `index` (from 0 on) of `count`. */
export interface Shard {
  index: number;
  count: number;
}

/** Entries times runtimes times channels, in the order of the config; of these the shard's own. */
export function unitsOf(entries: readonly CheckEntry[], shard: Shard | null): CheckUnit[] {
  const units = entries.flatMap((entry) =>
    entry.runtimes.flatMap((spec) => entry.channels.map((channel) => ({ entry, spec, channel }))),
  );
  return shard ? shardOf(units, shard.index, shard.count) : units;
}
