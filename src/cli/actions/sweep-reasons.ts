import type { SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import { placeOf } from '../../reporters/check/texts.ts';
import { groupedBy } from '../../reporters/text/grouped.ts';
import { headlineOf } from '../session/reasons.ts';

const placeOfPoint = ({ payload, runtime: { name, version }, channel }: SweepPoint) =>
  placeOf({ payload, runtime: `${name}@${version}`, channel });

const whyOf = ({ error }: SweepPoint) => (error === null ? 'no message was timed' : headlineOf(error));

/** Sizes at which the original could not be timed; those with the same cause in one line. */
export function sweepReasons({ points }: SweepReport): string[] {
  const untimed = points.filter(
    ({ strategy, roundTrip, error }) =>
      strategy === 'raw' && roundTrip === null && error?.code !== 'interrupted',
  );
  const groups = groupedBy(untimed, (point) => JSON.stringify([placeOfPoint(point), whyOf(point)]));
  return [...groups.values()].map((same) => {
    const [first] = same as [SweepPoint];
    const sizes = same.map(({ size }) => size).join(', ');
    return `${placeOfPoint(first)}: not timed at ${sizes} ${first.unit}: ${whyOf(first)}`;
  });
}
