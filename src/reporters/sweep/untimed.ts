/** What a sweep could not time, and why. */
import type { SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import { listed } from '../section/model/sentence.ts';
import { groupedBy } from '../text/grouped.ts';
import { strategiesOf } from './tables.ts';
import { runtimeSpec, sizeWithUnit } from './texts.ts';

/** Each reason once. */
export function leftOutTexts({ leftOut }: SweepReport): string[] {
  const named = leftOut.map(({ runtime, strategy, reason }) => {
    return { strategy, runtime: runtimeSpec(runtime), reason: reason.split('\n')[0] ?? '' };
  });
  const groups = groupedBy(named, ({ runtime, reason }) => JSON.stringify([runtime, reason]));
  return [...groups.values()].map(
    (group) =>
      `Left out on ${group[0]?.runtime}: ${listed(group.map(({ strategy }) => strategy))} (${group[0]?.reason})`,
  );
}

/** Each reason once, with the sizes and strategies that could not be timed. */
export function failureTexts({ points }: SweepReport): string[] {
  const failed = points.filter(({ error }) => error !== null);
  const groups = groupedBy(failed, ({ runtime, channel, error }) =>
    JSON.stringify([runtimeSpec(runtime), channel, error?.message]),
  );
  return [...groups.values()].map((group) => {
    const [first] = group as [SweepPoint];
    const sizes = new Set(group.map(({ size, unit }) => sizeWithUnit(size, unit)));
    const where = `${runtimeSpec(first.runtime)} over ${first.channel} at ${[...sizes].join(', ')}`;
    return `Not measured on ${where}: ${strategiesOf(group).join(', ')} (${first.error?.message})`;
  });
}
