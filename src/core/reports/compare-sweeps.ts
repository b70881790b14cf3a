import { COMPARISON_SCHEMA } from '../../model/document-ids.ts';
import type {
  ComparedCrossover,
  ComparedShare,
  ReportComparison,
  StrategyComparison,
} from '../../model/documents/comparison.ts';
import type { Crossover, SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import { differenceOf } from '../evidence.ts';
import { groupedBy } from '../sums.ts';
import { comparedReport, isSamePlace, type NamedReport, paired, type Some } from './compare.ts';

/** Compares each sweep with the first: shares of the time of `raw`, and sizes at which the two cross. */
export function compareSweeps(sweeps: Some<NamedReport<SweepReport>>): ReportComparison {
  const [first, ...others] = sweeps;
  return {
    schema: COMPARISON_SCHEMA,
    reports: sweeps.map(comparedReport),
    runs: [],
    strategies: others.flatMap(({ report }, at) =>
      strategiesIn(first.report, report).map((strategy) => ({ ...strategy, report: at + 1 })),
    ),
  };
}

type StrategySeries = Pick<SweepPoint, 'payload' | 'unit' | 'strategy' | 'runtime' | 'channel'>;

const isSameSeries = (a: StrategySeries, b: StrategySeries): boolean =>
  a.payload === b.payload && a.unit === b.unit && a.strategy === b.strategy;

/** The first series that both have for a runtime, in any version; null if there is none. */
export function comparableSeries(a: SweepReport, b: SweepReport): string | null {
  const shared = a.points.find((one) =>
    b.points.some((other) => isSameSeries(one, other) && isSamePlace(one, other)),
  );
  return shared ? `${shared.payload} on ${shared.runtime.name} over ${shared.channel}` : null;
}

/** Compares only strategies that both sweeps have: the results of a different strategy are not comparable. */
function strategiesIn(first: SweepReport, other: SweepReport): Omit<StrategyComparison, 'report'>[] {
  const [earlier, later] = [firstPoints(first), firstPoints(other)];
  const kinds = later.filter((one, at) => later.findIndex((same) => isSameSeries(same, one)) === at);
  return kinds.flatMap((kind) =>
    paired(
      earlier.filter((one) => isSameSeries(one, kind)),
      later.filter((one) => isSameSeries(one, kind)),
    ).flatMap(({ before, now }) => (before && now ? [compareStrategy({ before, now, first, other })] : [])),
  );
}

/** Returns the first point of each series with a ratio, which excludes `raw`, the base of the ratios. */
function firstPoints({ points }: SweepReport): SweepPoint[] {
  const compared = points.filter(({ ratio }) => ratio !== null);
  return [...groupedBy(compared, seriesKey).values()].map(([first]) => first!);
}

const seriesKey = ({ payload, unit, strategy, runtime, channel }: StrategySeries): string =>
  JSON.stringify([payload, unit, strategy, runtime.name, runtime.version, channel]);

/** A series of `first`, and the same series of `other`. */
type Sides = { before: StrategySeries; now: StrategySeries; first: SweepReport; other: SweepReport };

function compareStrategy(sides: Sides): Omit<StrategyComparison, 'report'> {
  const { before, now, first, other } = sides;
  const { payload, channel, strategy, unit } = now;
  const shares = compareShares(sides);
  const crossovers = compareCrossovers(crossoversIn(first, before), crossoversIn(other, now));
  return {
    ...{ payload, channel },
    runtime: { name: now.runtime.name, before: before.runtime.version, now: now.runtime.version },
    ...{ strategy, unit, shares, crossovers },
    changed: [...shares, ...crossovers].some(({ change }) => change !== 'unsure'),
  };
}

function compareShares({ before, now, first, other }: Sides): ComparedShare[] {
  const own = first.points.filter((one) => seriesKey(one) === seriesKey(before));
  const earlier = new Map(own.map(({ size, ratio }) => [size, ratio]));
  return other.points.flatMap((point): ComparedShare[] => {
    const was = earlier.get(point.size);
    if (seriesKey(point) !== seriesKey(now) || !was || !point.ratio) return [];
    return [{ size: point.size, before: was, now: point.ratio, change: differenceOf(was, point.ratio) }];
  });
}

/** Crossovers of the series with `raw`, by size. */
function crossoversIn({ crossovers }: SweepReport, series: StrategySeries): Crossover[] {
  const isOwn = ({ between }: Crossover) => ['raw', series.strategy].every((one) => between.includes(one));
  return crossovers
    .filter((one) => seriesKey({ ...one, strategy: series.strategy }) === seriesKey(series) && isOwn(one))
    .sort((a, b) => a.size - b.size);
}

function compareCrossovers(before: readonly Crossover[], now: readonly Crossover[]): ComparedCrossover[] {
  const longest = before.length > now.length ? before : now;
  return longest.map((_, at) => {
    const [was, is] = [before[at] ?? null, now[at] ?? null];
    return {
      before: was && { size: was.size, ci: was.ci },
      now: is && { size: is.size, ci: is.ci },
      change: was && is && differenceOf(was, is),
    };
  });
}
