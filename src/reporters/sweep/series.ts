/** The points of a sweep in series. */
import type { SweepPoint } from '../../model/documents/sweep.ts';
import { groupedBy } from '../text/grouped.ts';
import { runtimeSpec } from './texts.ts';

export type PointSeries = Pick<SweepPoint, 'runtime' | 'channel' | 'payload'>;

export const seriesKey = ({ runtime, channel, payload }: PointSeries): string =>
  JSON.stringify([runtimeSpec(runtime), channel, payload]);

/** Points of one runtime, channel and payload. */
export const seriesOf = (points: readonly SweepPoint[]): SweepPoint[][] => [
  ...groupedBy(points, seriesKey).values(),
];
