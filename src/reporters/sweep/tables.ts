/** The tables of a sweep: times by size and strategy, and measured beside published figures. */
import type { Estimate } from '../../model/documents/measurement.ts';
import type { Published, StrategyResult, SweepPoint } from '../../model/documents/sweep.ts';
import { RAW } from '../../model/vocabulary/sweep.ts';
import { type Cell, type Column, type ColumnOf, columnsOf, known } from '../section/model/columns.ts';
import { medianText, messageMemory, ratio, time, timeInterval } from '../text/numbers.ts';
import { amountText, runtimeSpec, sizeWithUnit, strategyNames } from './texts.ts';

export function roundTripColumns(
  points: readonly SweepPoint[],
  results: readonly StrategyResult[],
): Column[] {
  return columnsBySize(points, results, ({ roundTrip, strategy, size }) => {
    if (roundTrip === null) return 'failed';
    const text = time(roundTrip.median);
    if (strategy === RAW) return text;
    const result = results.find((one) => one.strategy === strategy);
    if (result?.faster.includes(size)) return { text: `${text} +`, tone: 'good' };
    if (result?.slower.includes(size)) return { text: `${text} -`, tone: 'bad' };
    return `${text} ${result?.even.includes(size) ? '=' : '?'}`;
  });
}

export const sendColumns = (points: readonly SweepPoint[], results: readonly StrategyResult[]): Column[] =>
  columnsBySize(points, results, ({ send }) => known(send, medianText));

function columnsBySize(
  points: readonly SweepPoint[],
  results: readonly StrategyResult[],
  toCell: (point: SweepPoint) => Cell,
): Column[] {
  const columns = strategyNames(points).map((strategy, place): ColumnOf<number> => {
    const result = results.find((one) => one.strategy === strategy);
    const cell = (size: number) => {
      const point = points.find((one) => one.strategy === strategy && one.size === size);
      return point ? toCell(point) : '';
    };
    // In a narrow terminal the strategy that wins at the fewest sizes is left out first; of equals the later one.
    const rank = (result ? result.faster.length - result.slower.length : 0) - place / 100;
    return { head: strategy, cell, align: 'right', ...(strategy !== RAW && { rank }) };
  });
  const sizes: ColumnOf<number> = { head: points[0]?.unit ?? '', cell: amountText, align: 'right' };
  const swept = [...new Set(points.map(({ size }) => size))].sort((a, b) => a - b);
  return columnsOf(swept, [sizes, ...columns]);
}

export function publishedColumns(points: readonly SweepPoint[]): Column[] {
  const payloads = [...new Set(points.map(({ payload }) => payload))];
  const rows = [...points].sort(
    (a, b) => payloads.indexOf(a.payload) - payloads.indexOf(b.payload) || a.size - b.size,
  );
  const label = ({ payload, size, unit }: SweepPoint) =>
    `${payloads.length > 1 ? `${payload}, ` : ''}${sizeWithUnit(size, unit)}`;
  const onlyClones = points.every(({ channel }) => channel === 'structured-clone');
  const estimateOf = ({ roundTrip, send }: SweepPoint) => (onlyClones ? roundTrip : send);
  const severalChannels = new Set(points.map(({ channel }) => channel)).size > 1;
  const runName = ({ runtime, channel }: SweepPoint) =>
    `${runtimeSpec(runtime)}${severalChannels ? ` ${channel}` : ''}`;
  const isFirst = (at: number) => at === 0 || label(rows[at - 1]!) !== label(rows[at]!);
  const head = payloads.length > 1 ? 'payload' : (payloads[0] ?? '');
  const measured = onlyClones ? 'here' : 'sender only';
  return columnsOf(rows, [
    { head, cell: (point, at) => (isFirst(at) ? label(point) : '') },
    { head: 'runtime', cell: runName },
    { head: 'published', cell: ({ published }) => publishedText(published, 'value'), align: 'right' },
    { head: measured, cell: (point) => measuredText(point, estimateOf(point)), align: 'right' },
    { head: '95 %', cell: (point) => known(estimateOf(point), timeInterval), align: 'right', rank: 1 },
    ...(onlyClones ? [] : TRIP_COLUMNS),
  ]);
}

const TRIP_COLUMNS: readonly ColumnOf<SweepPoint>[] = [
  { head: 'round trip', cell: ({ roundTrip }) => known(roundTrip, medianText) || 'failed', align: 'right' },
  { head: 'receive', cell: ({ receive }) => known(receive, medianText), align: 'right', rank: 2 },
  { head: 'memory', cell: ({ peakMemory }) => known(peakMemory, messageMemory), align: 'right', rank: 3 },
];

function measuredText({ published }: SweepPoint, estimate: Estimate | null): string {
  const text = known(estimate, medianText) || 'failed';
  const isSpeedup = published?.of === 'speedup' && published.measured !== null;
  return isSpeedup ? `${text} ${publishedText(published, 'measured')}` : text;
}

function publishedText(published: Published | null, which: 'value' | 'measured'): string {
  const value = published?.[which] ?? null;
  if (published === null || value === null) return '';
  return published.of === 'speedup' ? `${ratio(value)}x` : time(value);
}
