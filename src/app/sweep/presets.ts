import { carries } from '../../core/evidence.ts';
import { inRange } from '../../core/versions.ts';
import type { Folklore, PublishedFigure, SweepPoint } from '../../model/documents/sweep.ts';
import type { Channel, RuntimeName } from '../../model/names.ts';
import { type DimensionName, type PresetName, RAW } from '../../model/vocabulary/sweep.ts';

interface PublishedFigures extends Omit<PublishedFigure, 'value'> {
  series: string;
  /** Figure for each size of the series; null if none was published. */
  values: readonly (number | null)[];
  /** The runtime of the published figures, and the range of versions that behave alike. */
  runtime: RuntimeName;
  versions: string;
  /** For speedups: versions whose time is divided by the time of `versions`. */
  over?: string;
}

/** A published benchmark to repeat: a module with its payloads and figures. */
export interface Preset {
  name: PresetName;
  /** Absolute path of the module. */
  file: string;
  title: string;
  /** The channel of the published benchmark. */
  channel: Channel;
  /** `export`: name of the module's function that makes the payload in each size. */
  series: readonly { id: string; export: string; unit: DimensionName; sizes: readonly number[] }[];
  /** Strategies that are timed in addition to `raw`. */
  strategies: readonly string[];
  published: readonly PublishedFigures[];
  folklore: Folklore | null;
}

/** Points of a preset, each with the published figure for its version of the runtime, if there is one. */
export function withPublished(points: readonly SweepPoint[], preset: Preset): SweepPoint[] {
  return points.map((point) => {
    if (point.channel !== preset.channel || point.strategy !== RAW) return point;
    const { sizes = [] } = preset.series.find(({ id }) => id === point.payload) ?? {};
    const at = sizes.indexOf(point.size);
    const found = preset.published.find(
      (one) => one.series === point.payload && one.values[at] != null && isOf(point, one, one.versions),
    );
    const value = found?.values[at] ?? null;
    if (found === undefined || value === null) return point;
    const { of, on, source } = found;
    return { ...point, published: { value, of, on, source, measured: measured(found, point, points) } };
  });
}

const isOf = ({ runtime }: SweepPoint, { runtime: name }: PublishedFigures, versions: string): boolean =>
  runtime.name === name && inRange(runtime.version, versions);

function measured(
  figures: PublishedFigures,
  point: SweepPoint,
  points: readonly SweepPoint[],
): number | null {
  if (figures.of === 'send') return point.send?.median ?? null;
  if (figures.of === 'clone') return point.roundTrip?.median ?? null;
  const { over } = figures;
  const isOld = (one: SweepPoint) =>
    (['channel', 'payload', 'strategy', 'size'] as const).every((name) => one[name] === point[name]) &&
    over !== undefined &&
    isOf(one, figures, over);
  const before = points.find(isOld)?.roundTrip;
  const now = point.roundTrip;
  return carries(before, 'size') && carries(now, 'size') ? before.median / now.median : null;
}
