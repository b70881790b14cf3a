/** Subjects of a sweep, each a payload on a runtime over a channel: names, sizes, points, curves and tables. */

import type { Estimate, Interval } from '../../model/documents/measurement.ts';
import type { Crossover, StrategyResult, SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import { type DimensionName, RAW } from '../../model/vocabulary/words.ts';
import { amounts, type ColumnOf, columnsOf, known } from '../columns.ts';
import type { ChartOf, Column, Curve, CurveCrossing, PublishedMark } from '../doc.ts';
import type { Body } from '../nodes.ts';
import { groupedBy } from '../text/groups.ts';
import { bytes, count, factor, medianText, time, timeInterval } from '../text/numbers.ts';
import type { Sentence, Sign, Span, StyledText, Tone } from '../words.ts';

export type Series = ReturnType<typeof seriesOf>[number];

const seriesKey = ({ runtime, channel, payload }: Pick<SweepPoint, 'runtime' | 'channel' | 'payload'>) =>
  JSON.stringify([runtimeSpec(runtime), channel, payload]);

export function seriesOf({ points, standings, crossovers }: SweepReport) {
  const isNamed = new Set(points.map(({ payload }) => payload)).size > 1;
  return groupedBy(points, seriesKey).map(([key, own]) => {
    const { runtime, channel, payload, unit } = own[0];
    // "node@24.0.0 · worker", preceded by the payload if there are several.
    const name = [...(isNamed ? [payload] : []), runtimeSpec(runtime), channel].join(' · ');
    return {
      ...{ runtime, channel, payload, unit, name, points: own },
      results: standings.filter((one) => seriesKey(one) === key),
      crossovers: crossovers.filter((one) => seriesKey(one) === key),
    };
  });
}

export const runtimeSpec = ({ name, version }: SweepPoint['runtime']): string => `${name}@${version}`;

const strategyNames = (points: readonly SweepPoint[]): string[] => [
  ...new Set(points.map(({ strategy }) => strategy)),
];

export const amountText = (size: number): string =>
  size < 10 && !Number.isInteger(size) ? size.toFixed(1) : count(Math.round(size));

export const sizeWithUnit = (size: number, unit: DimensionName): string =>
  `${amountText(size)} ${size === 1 ? unit.slice(0, -1) : unit}`;

export const isCall = ({ channel }: Pick<SweepPoint, 'channel'>): boolean => channel === 'structured-clone';

export const sendEstimate = (point: SweepPoint): Estimate | null =>
  isCall(point) ? point.roundTrip : point.send;

export const timedSizes = ({ faster, slower, even, undecided }: StrategyResult): number[] =>
  [...faster, ...slower, ...even, ...undecided].sort((a, b) => a - b);

interface Drawn {
  /** Names in the order of their marks. */
  names: readonly string[];
  nameOf: (point: SweepPoint) => string;
  timeOf: (point: SweepPoint) => Estimate | null;
  quantity: string;
}

/** Small multiples: charts of one payload share their axes, and a strategy has the same mark in all charts. */
export function strategyCharts(all: readonly Series[]): ChartOf<'curves'>[] {
  const names = strategyNames(all.flatMap(({ points }) => points));
  const nameOf = ({ strategy }: SweepPoint) => strategy;
  const drawn = { names, nameOf, timeOf: ({ roundTrip }: SweepPoint) => roundTrip, quantity: 'round trip' };
  return all.map((series) => {
    const { points, payload, crossovers } = series;
    const alike = all.filter((one) => one.payload === payload).flatMap((one) => one.points);
    return {
      ...layOutCurves(points, alike, drawn),
      title: 'Time against size, both axes logarithmic',
      columns: roundTripColumns(series),
      crossings: crossovers.map((one) => toCrossing(one, names)),
    };
  });
}

export function publishedCharts(points: readonly SweepPoint[]): ChartOf<'curves'>[] {
  const nameOf = ({ runtime }: SweepPoint) => runtimeSpec(runtime);
  const names = [...new Set(points.map(nameOf))];
  const isOne = new Set(points.map(({ channel }) => channel)).size === 1;
  return groupedBy(points, ({ payload, channel }) => [payload, channel]).map(([, own]) => {
    const [first] = own;
    const title = [first.payload, ...(isOne ? [] : [first.channel])].join(' · ');
    const quantity = isCall(first) ? 'the call' : 'the sender alone';
    return {
      ...layOutCurves(own, own, { names, nameOf, timeOf: sendEstimate, quantity }),
      ...{ title, columns: publishedColumns(own, title), crossings: [] },
    };
  });
}

/** @param alike points of all charts that share the axes */
function layOutCurves(
  points: readonly SweepPoint[],
  alike: readonly SweepPoint[],
  { names, nameOf, timeOf, quantity }: Drawn,
) {
  const unit = points[0]?.unit ?? '';
  const curves = groupedBy(points, nameOf).map(([name, own]): Curve => {
    const timed = own.flatMap((point) => {
      const estimate = timeOf(point);
      return estimate === null ? [] : [{ x: point.size, y: estimate.median, ci: estimate.ci }];
    });
    return { name, style: names.indexOf(name), points: timed.sort((a, b) => a.x - b.x) };
  });
  const times = alike.flatMap((point) => timeOf(point) ?? []);
  const figures = alike.flatMap((point) => publishedMark(point, 0).map(({ y }) => y));
  return {
    ...{ kind: 'curves' as const, unit, quantity },
    published: points.flatMap((point) => publishedMark(point, names.indexOf(nameOf(point)))),
    curves: curves.filter((curve) => curve.points.length > 0),
    x: ends(alike.map(({ size }) => size)),
    y: ends([...times.flatMap(shownEnds), ...figures]),
  };
}

/** Published figures except speed-ups, which are not times. */
function publishedMark({ published, size, unit }: SweepPoint, style: number): PublishedMark[] {
  if (published === null || published.of === 'speedup') return [];
  const { value, on, source } = published;
  const label = `published for ${on}: ${time(value)} at ${sizeWithUnit(size, unit)}`;
  return [{ style, x: size, y: value, label, source }];
}

/** Maximum extent of the axis beyond a median: wider intervals are cut, because they would squeeze the rest. */
const FARTHEST = 3;

const shownEnds = ({ median, ci: [low, high] }: Estimate): number[] => [
  ...[median, Math.max(low, median / FARTHEST), Math.min(high, median * FARTHEST)],
];

function ends(values: readonly number[]): Interval {
  const [first = 1, ...others] = values.filter(Number.isFinite);
  return [others.reduce((a, b) => Math.min(a, b), first), others.reduce((a, b) => Math.max(a, b), first)];
}

/** "From 90 items on json-text is cheaper than raw (95 %: 80–100)." */
export const crossingText = ({ size, unit, ci, cheaper }: Crossover): string =>
  `From ${sizeWithUnit(size, unit)} on ${cheaper.above} is cheaper than ${cheaper.below} (95 %: ${ci.map(amountText).join('–')}).`;

function toCrossing(crossover: Crossover, names: readonly string[]): CurveCrossing {
  const { between, size } = crossover;
  const strategy = between.find((name) => name !== RAW) ?? between[1];
  return { style: names.indexOf(strategy), x: size, about: crossingText(crossover) };
}

const TONES: Partial<Record<Sign, Tone>> = { faster: 'good', slower: 'bad' };

const signed = (marked: Sign, text: string): StyledText => ({ text, marked, tone: TONES[marked] });

export const LEGEND: Sentence = [
  ...['Round trip: ', signed('faster', 'faster than raw'), ', ', signed('slower', 'slower'), ', '],
  ...[signed('same', 'no relevant difference'), ', ', signed('unsure', 'undecided')],
];

const roundTripColumns = (series: Series): Column[] =>
  columnsBySize(series, ({ roundTrip, strategy, size }) => {
    if (roundTrip === null) return 'failed';
    const text = time(roundTrip.median);
    if (strategy === RAW) return text;
    const result = series.results.find((one) => one.strategy === strategy);
    return signed(signAt(size, result), text);
  });

function signAt(size: number, result: StrategyResult | undefined): Sign {
  if (result?.faster.includes(size)) return 'faster';
  if (result?.slower.includes(size)) return 'slower';
  return result?.even.includes(size) ? 'same' : 'unsure';
}

export function sendTable(title: string, series: Series): Body {
  const isSplit = !isCall(series) && series.points.some(({ send }) => send !== null);
  const columns = columnsBySize(series, ({ send }) => known(send, medianText));
  return isSplit && { type: 'table', title, columns };
}

const medianOf = ({ roundTrip }: SweepPoint): number => roundTrip?.median ?? Number.POSITIVE_INFINITY;

function columnsBySize({ points, unit }: Series, toCell: (point: SweepPoint) => Span): Column[] {
  const swept = [...new Set(points.map(({ size }) => size))].sort((a, b) => a - b);
  const atLargest = points.filter(({ size }) => size === swept.at(-1));
  const slowestFirst = atLargest.sort((a, b) => medianOf(b) - medianOf(a)).map(({ strategy }) => strategy);
  const columns = strategyNames(points).map((strategy): ColumnOf<number> => {
    const cell = (size: number) => {
      const point = points.find((one) => one.strategy === strategy && one.size === size);
      return point ? toCell(point) : '';
    };
    // A narrow terminal first omits the slowest at the largest size: sentences name the fastest there.
    return amounts(strategy, cell, strategy === RAW ? undefined : slowestFirst.indexOf(strategy));
  });
  return columnsOf(swept, [amounts(unit, amountText), ...columns]);
}

/** @param name name of the payload, the head of the column of sizes */
function publishedColumns(points: readonly SweepPoint[], name: string): Column[] {
  const rows = [...points].sort((a, b) => a.size - b.size);
  const isFirst = (at: number) => rows[at - 1]?.size !== rows[at]?.size;
  const isClone = points.every(isCall);
  return columnsOf(rows, [
    { head: name, cell: ({ size, unit }, at) => (isFirst(at) ? sizeWithUnit(size, unit) : '') },
    { head: 'runtime', cell: ({ runtime }) => runtimeSpec(runtime) },
    amounts('published', ({ published }) => publishedText(published, 'value')),
    amounts(isClone ? 'here' : 'sender only', measuredText),
    amounts('95 %', (point) => known(sendEstimate(point), timeInterval), 1),
    ...(isClone
      ? []
      : [
          amounts('round trip', ({ roundTrip }: SweepPoint) => known(roundTrip, medianText) || 'failed', 4),
          amounts('receive', ({ receive }: SweepPoint) => known(receive, medianText), 2),
          amounts('memory', ({ peakMemory }: SweepPoint) => known(peakMemory?.perMessage, bytes), 3),
        ]),
  ]);
}

function measuredText(point: SweepPoint): string {
  const { published } = point;
  const text = known(sendEstimate(point), medianText) || 'failed';
  const isSpeedup = published?.of === 'speedup' && published.measured !== null;
  return isSpeedup ? `${text} ${publishedText(published, 'measured')}` : text;
}

function publishedText(published: SweepPoint['published'], which: 'value' | 'measured'): string {
  const value = published?.[which] ?? null;
  if (published === null || value === null) return '';
  return published.of === 'speedup' ? `${factor(value)}x` : time(value);
}
