import { shardOf } from '../../core/gate/check-report.ts';
import type { Shard } from '../../model/documents/check.ts';
import type { CheckEntry } from '../../model/gate/check.ts';
import type { CheckUnit } from './gather.ts';

export { checkStatus as answerOf, mergeChecks } from '../../core/gate/check-report.ts';

/** Entries times runtimes times channels, in the order of the config; of these the shard's own. */
export function unitsOf(entries: readonly CheckEntry[], shard: Shard | null): CheckUnit[] {
  const units = entries.flatMap((entry) =>
    entry.runtimes.flatMap((spec) => entry.channels.map((channel) => ({ entry, spec, channel }))),
  );
  return shard ? shardOf(units, shard) : units;
}
