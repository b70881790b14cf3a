import { carries } from '../../core/evidence.ts';
import { RAW } from '../../core/sweep/crossovers.ts';
import { inRange } from '../../core/versions.ts';
import type { Published, SweepPoint } from '../../model/documents/sweep.ts';
import type { Preset, PublishedRow } from './presets.ts';

/** The points of a preset, each with the published figure for its versions, where one exists. */
export function withPublished(points: readonly SweepPoint[], { published, channel }: Preset): SweepPoint[] {
  return points.map((point) => {
    const row = published.find((one) => point.channel === channel && isOf(one, point));
    return row ? { ...point, published: besideOurs(row, point, points) } : point;
  });
}

const isAt = (row: PublishedRow, point: SweepPoint, versions: string): boolean =>
  point.strategy === RAW &&
  point.payload === row.series &&
  point.size === row.size &&
  point.runtime.name === row.runtime &&
  inRange(point.runtime.version, versions);

const isOf = (row: PublishedRow, point: SweepPoint) => isAt(row, point, row.versions);

function besideOurs(row: PublishedRow, point: SweepPoint, points: readonly SweepPoint[]): Published {
  const { value, of, on, source } = row;
  return { value, of, on, source, measured: measured(row, point, points) };
}

function measured(row: PublishedRow, point: SweepPoint, points: readonly SweepPoint[]): number | null {
  if (row.of === 'send') return point.send?.median ?? null;
  if (row.of === 'clone') return point.roundTrip?.median ?? null;
  const { over } = row;
  const old =
    over === undefined
      ? undefined
      : points.find((one) => one.channel === point.channel && isAt(row, one, over));
  const [before, now] = [old?.roundTrip, point.roundTrip];
  return carries(before, 'size') && carries(now, 'size') ? before.median / now.median : null;
}
