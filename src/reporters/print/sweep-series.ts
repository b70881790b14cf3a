/** Subjects of a sweep, each a payload on a runtime over a channel: names, sizes and points. */
import type { Estimate } from '../../model/documents/measurement.ts';
import type { Crossover, StrategyResult, SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import type { DimensionName } from '../../model/vocabulary/sweep.ts';
import { groupedBy } from '../text/groups.ts';
import { count } from '../text/numbers.ts';
import { listed } from '../words.ts';

/** Subject of a chart: one payload on one runtime over one channel. */
export interface Series extends Pick<SweepPoint, 'runtime' | 'channel' | 'payload' | 'unit'> {
  /** "node@24.0.0 · worker", preceded by the payload if there are several. */
  name: string;
  points: readonly SweepPoint[];
  results: readonly StrategyResult[];
  crossovers: readonly Crossover[];
}

const seriesKey = ({ runtime, channel, payload }: Pick<Series, 'runtime' | 'channel' | 'payload'>): string =>
  JSON.stringify([runtimeSpec(runtime), channel, payload]);

export function seriesOf({ points, standings, crossovers }: SweepReport): Series[] {
  const results = new Map(groupedBy(standings, seriesKey));
  const crossed = new Map(groupedBy(crossovers, seriesKey));
  const isNamed = new Set(points.map(({ payload }) => payload)).size > 1;
  return groupedBy(points, seriesKey).map(([key, own]) => {
    const { runtime, channel, payload, unit } = own[0];
    const name = [...(isNamed ? [payload] : []), runtimeSpec(runtime), channel].join(' · ');
    return {
      ...{ runtime, channel, payload, unit, name, points: own },
      ...{ results: results.get(key) ?? [], crossovers: crossed.get(key) ?? [] },
    };
  });
}

export const runtimeSpec = ({ name, version }: SweepPoint['runtime']): string => `${name}@${version}`;

export const strategyNames = (points: readonly SweepPoint[]): string[] => [
  ...new Set(points.map(({ strategy }) => strategy)),
];

export const amountText = (size: number): string =>
  size < 10 && !Number.isInteger(size) ? size.toFixed(1) : count(Math.round(size));

export const sizeWithUnit = (size: number, unit: DimensionName): string =>
  `${amountText(size)} ${size === 1 ? unit.slice(0, -1) : unit}`;

export const isCall = ({ channel }: Pick<SweepPoint, 'channel'>): boolean => channel === 'structured-clone';

export const sendEstimate = (point: SweepPoint): Estimate | null =>
  isCall(point) ? point.roundTrip : point.send;

/** "at every size", "at 1 and from 20 to 30": adjacent sizes become one range. */
export function sizeRanges(sizes: readonly number[], all: readonly number[]): string {
  if (sizes.length === all.length && all.length > 1) return 'at every size';
  const ranges: number[][] = [];
  for (const size of sizes) {
    const range = ranges.at(-1);
    if (range && all.indexOf(size) === all.indexOf(range.at(-1)!) + 1) range.push(size);
    else ranges.push([size]);
  }
  return listed(
    ranges.map((range) => {
      const [first, last] = [amountText(range[0]!), amountText(range.at(-1)!)];
      return range.length === 1 ? `at ${first}` : `from ${first} to ${last}`;
    }),
  );
}

export const timedSizes = ({ faster, slower, even, undecided }: StrategyResult): number[] =>
  [...faster, ...slower, ...even, ...undecided].sort((a, b) => a - b);

export type Timed = SweepPoint & { roundTrip: Estimate };

/** Points of the given strategies at one size, the fastest first. */
export function timedAt({ points }: Series, size: number, strategies: readonly string[]): Timed[] {
  return points
    .filter((one): one is Timed => one.size === size && one.roundTrip !== null)
    .filter(({ strategy }) => strategies.includes(strategy))
    .sort((a, b) => a.roundTrip.median - b.roundTrip.median);
}

export const fasterAt = ({ results }: Series, size: number): string[] =>
  results.filter(({ faster }) => faster.includes(size)).map(({ strategy }) => strategy);

export function resultText(result: StrategyResult): string {
  const { faster, slower, even, undecided: open } = result;
  const all = timedSizes(result);
  if (all.length === 0) return 'could not be timed.';
  const sets = Object.entries({ faster, slower, 'no relevant difference': even, undecided: open });
  const texts = sets.filter(([, sizes]) => sizes.length > 0);
  return `${texts.map(([word, sizes]) => `${word} ${sizeRanges(sizes, all)}`).join('; ')}.`;
}
