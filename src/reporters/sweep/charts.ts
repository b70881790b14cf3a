/** The charts of a sweep: all strategies on one runtime, or all runtimes beside published figures. */
import type { Estimate, Interval } from '../../model/documents/measurement.ts';
import type { Crossover, SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import { RAW } from '../../model/vocabulary/sweep.ts';
import type { Curve, CurveCrossing, CurvesChart, PublishedMark } from '../section/model/charts.ts';
import { listed } from '../section/model/sentence.ts';
import { groupedBy } from '../text/grouped.ts';
import { time } from '../text/numbers.ts';
import { publishedColumns, roundTripColumns } from './tables.ts';
import {
  amountText,
  groupSeries,
  type PointSeries,
  runtimeSpec,
  sendEstimate,
  seriesKey,
  seriesName,
  sizeWithUnit,
  strategyNames,
} from './texts.ts';

interface Drawn {
  /** In the order of their marks. */
  names: readonly string[];
  nameOf: (point: SweepPoint) => string;
  timeOf: (point: SweepPoint) => Estimate | null;
  quantity: string;
}

/** Small multiples: those of one payload have the same axes, and a strategy has the same mark in all of them. */
export function strategyCharts({ points, crossovers, standings }: SweepReport): CurvesChart[] {
  const names = strategyNames(points);
  const nameOf = ({ strategy }: SweepPoint) => strategy;
  const drawn = { names, nameOf, timeOf: ({ roundTrip }: SweepPoint) => roundTrip, quantity: 'round trip' };
  const byPayload = groupedBy(points, ({ payload }) => payload);
  const charts = groupSeries(points).map((own) => {
    const [first] = own as [SweepPoint];
    const isHere = (one: PointSeries) => seriesKey(one) === seriesKey(first);
    const crossed = crossovers.filter(isHere).sort((a, b) => a.size - b.size);
    return {
      ...layOutCurves(own, byPayload.get(first.payload)!, drawn),
      title: seriesName(first, byPayload.size > 1),
      columns: roundTripColumns(own, standings.filter(isHere)),
      crossings: crossed.map((one) => toCrossing(one, names)),
    };
  });
  const lanes = Math.max(0, ...charts.map((chart) => chart.crossings.length));
  return charts.map((chart) => ({ ...chart, lanes }));
}

export function publishedCharts({ points }: SweepReport): CurvesChart[] {
  const nameOf = ({ runtime }: SweepPoint) => runtimeSpec(runtime);
  const names = [...new Set(points.map(nameOf))];
  const groups = groupedBy(points, ({ payload, channel }) => JSON.stringify([payload, channel]));
  return [...groups.values()].map((own) => {
    const [first] = own as [SweepPoint];
    const quantity = first.channel === 'structured-clone' ? 'the call' : 'the sender alone';
    return {
      ...layOutCurves(own, own, { names, nameOf, timeOf: sendEstimate, quantity }),
      title: [first.payload, first.channel].join(' · '),
      columns: publishedColumns(own),
      crossings: [],
      lanes: 0,
    };
  });
}

type Curves = Omit<CurvesChart, 'title' | 'columns' | 'crossings' | 'lanes'>;

function layOutCurves(points: readonly SweepPoint[], alike: readonly SweepPoint[], drawn: Drawn): Curves {
  const { names, nameOf, timeOf, quantity } = drawn;
  const unit = points[0]?.unit ?? '';
  const curves = [...groupedBy(points, nameOf)].map(([name, own]): Curve => {
    const timed = own.flatMap((point) => {
      const estimate = timeOf(point);
      return estimate === null ? [] : [{ x: point.size, y: estimate.median, ci: estimate.ci }];
    });
    return { name, style: names.indexOf(name), points: timed.sort((a, b) => a.x - b.x) };
  });
  const published = points.flatMap((point) => publishedMark(point, names.indexOf(nameOf(point))));
  const times = alike.flatMap((point) => timeOf(point) ?? []);
  const known = [
    ...times.map(({ median }) => median),
    ...alike.flatMap((point) => publishedMark(point, 0).map(({ y }) => y)),
  ];
  return {
    ...{ kind: 'curves', unit, quantity, published },
    curves: curves.filter((curve) => curve.points.length > 0),
    about: aboutCurves(curves, quantity, unit),
    x: ends(alike.map(({ size }) => size)),
    y: withIntervals(ends(known), times),
  };
}

/** A speed-up is not a time. */
function publishedMark({ published, size, unit }: SweepPoint, style: number): PublishedMark[] {
  if (published === null || published.of === 'speedup') return [];
  const { value, on, source } = published;
  const label = `published for ${on}: ${time(value)} at ${sizeWithUnit(size, unit)}`;
  return [{ style, x: size, y: value, label, source }];
}

/** How far beyond all medians the axis goes: farther intervals are cut, or they would press the rest together. */
const FARTHEST = 3;

function withIntervals([low, high]: Interval, times: readonly Estimate[]): Interval {
  const [least, most] = ends(times.flatMap(({ ci }) => ci));
  return [Math.min(low, Math.max(least, low / FARTHEST)), Math.max(high, Math.min(most, high * FARTHEST))];
}

function ends(values: readonly number[]): Interval {
  const [first = 1, ...others] = values.filter(Number.isFinite);
  return [others.reduce((a, b) => Math.min(a, b), first), others.reduce((a, b) => Math.max(a, b), first)];
}

function aboutCurves(curves: readonly Curve[], quantity: string, unit: string): string {
  const texts = curves.map(({ name, points }) => {
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined) return `${name} was not timed`;
    return `${name} ${time(first.y)} at ${amountText(first.x)} and ${time(last.y)} at ${amountText(last.x)}`;
  });
  return `Time (${quantity}) against ${unit}, both axes logarithmic: ${listed(texts)}.`;
}

function toCrossing({ between, size, unit, ci }: Crossover, names: readonly string[]): CurveCrossing {
  const strategy = between.find((name) => name !== RAW) ?? between[1];
  const interval = `${amountText(ci[0])}–${amountText(ci[1])}`;
  return {
    style: names.indexOf(strategy),
    x: size,
    ci,
    label: `${strategy} ${amountText(size)} (${interval})`,
    about: `${between.join(' and ')} cost the same at ${amountText(size)} ${unit} (95 %: ${interval})`,
  };
}
