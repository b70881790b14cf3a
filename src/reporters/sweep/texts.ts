import { RAW } from '../../model/vocabulary/sweep.ts';
/** The results of a sweep in sentences; nothing is escaped or wrapped yet. */

import { carries, differenceOf } from '../../core/evidence.ts';
import type { Estimate } from '../../model/documents/measurement.ts';
import type { Crossover, StrategyResult, SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import type { DimensionName } from '../../model/vocabulary/sweep.ts';
import { listed } from '../section/model/sentence.ts';
import { groupedBy } from '../text/grouped.ts';
import { count, messageMemory, ratio } from '../text/numbers.ts';

export const runtimeSpec = ({ name, version }: SweepPoint['runtime']): string => `${name}@${version}`;

export const strategyNames = (points: readonly SweepPoint[]): string[] => [
  ...new Set(points.map(({ strategy }) => strategy)),
];

export const amountText = (size: number): string =>
  size < 10 && !Number.isInteger(size) ? size.toFixed(1) : count(Math.round(size));

export const sizeWithUnit = (size: number, unit: DimensionName): string =>
  `${amountText(size)} ${size === 1 ? unit.slice(0, -1) : unit}`;

export function scaledText({ dimension, points }: Pick<SweepReport, 'dimension' | 'points'>): string {
  if (dimension === null) return 'nothing was scaled';
  const [from, to] = [points[0]?.size ?? 0, points.at(-1)?.size ?? 0].map(amountText);
  return `the ${sizeWithUnit(dimension.size, dimension.by)} of ${dimension.path}, scaled from ${from} to ${to}`;
}

/** "at every size", "at 1 and from 20 to 30": sizes that are neighbours among all of them make one range. */
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

/** "faster from 3 to 400; slower at 1. Below 1.5 items raw is cheaper (95 %: 1.3–1.8)." */
export function strategyText(result: StrategyResult, crossovers: readonly Crossover[]): string {
  const { faster, slower, even, undecided } = result;
  const all = timedSizes(result);
  if (all.length === 0) return 'could not be timed.';
  const sets = Object.entries({ faster, slower, 'no relevant difference': even, undecided });
  const text = sets
    .filter(([, sizes]) => sizes.length > 0)
    .map(([word, sizes]) => `${word} ${sizeRanges(sizes, all)}`)
    .join('; ');
  return [`${text}.`, ...crossovers.map(crossoverText)].join(' ');
}

function crossoverText({ size, unit, ci, cheaper }: Crossover): string {
  const side = cheaper.below === RAW ? 'Below' : 'Above';
  return `${side} ${amountText(size)} ${unit} raw is cheaper (95 %: ${amountText(ci[0])}–${amountText(ci[1])}).`;
}

export function memoryTexts(points: readonly SweepPoint[]): string[] {
  const largest = Math.max(...points.map(({ size }) => size));
  const measured = points.flatMap(({ size, strategy, peakMemory }) =>
    size === largest && peakMemory ? [`${strategy} ${messageMemory(peakMemory)}`] : [],
  );
  if (measured.length === 0) return [];
  return [`Memory per message at ${sizeWithUnit(largest, points[0]!.unit)}: ${measured.join(', ')}.`];
}

/** What a strategy that is not simply another form costs beside time. */
export const STRATEGY_COSTS: Readonly<Record<string, string>> = {
  transfer: 'The sender loses what is transferred: after the post it is empty there.',
  'bytes-transferred': 'Each message is a new buffer, which the sender loses; the payload itself stays.',
};

export type PointSeries = Pick<SweepPoint, 'runtime' | 'channel' | 'payload'>;

export const seriesKey = ({ runtime, channel, payload }: PointSeries): string =>
  JSON.stringify([runtimeSpec(runtime), channel, payload]);

export const seriesName = ({ runtime, channel, payload }: PointSeries, severalPayloads: boolean): string =>
  [...(severalPayloads ? [payload] : []), runtimeSpec(runtime), channel].join(' · ');

export const groupSeries = (points: readonly SweepPoint[]): SweepPoint[][] => [
  ...groupedBy(points, seriesKey).values(),
];

export function leftOutTexts({ leftOut }: SweepReport): string[] {
  const named = leftOut.map(({ runtime, strategy, reason }) => {
    return { strategy, runtime: runtimeSpec(runtime), reason: reason.split('\n')[0] ?? '' };
  });
  const groups = groupedBy(named, ({ runtime, reason }) => JSON.stringify([runtime, reason]));
  return [...groups.values()].map((group) => {
    const strategies = listed(group.map(({ strategy }) => strategy));
    return `Left out on ${group[0]?.runtime}: ${strategies} (${group[0]?.reason})`;
  });
}

export function failureTexts({ points }: SweepReport): string[] {
  const failed = points.filter(({ error }) => error !== null);
  const groups = groupedBy(failed, ({ runtime, channel, error }) =>
    JSON.stringify([runtimeSpec(runtime), channel, error?.message]),
  );
  return [...groups.values()].map((group) => {
    const [first] = group as [SweepPoint];
    const sizes = new Set(group.map(({ size, unit }) => sizeWithUnit(size, unit)));
    const where = `${runtimeSpec(first.runtime)} over ${first.channel} at ${[...sizes].join(', ')}`;
    return `Not measured on ${where}: ${strategyNames(group).join(', ')} (${first.error?.message})`;
  });
}

const MIN_FACTOR = 1.5;

/** One sentence for each slower runtime at the largest size of each payload. */
export function comparisonTexts(points: readonly SweepPoint[]): string[] {
  const series = groupedBy(points, ({ payload, channel }) => JSON.stringify([payload, channel]));
  return [...series.values()].flatMap((own) => {
    const largest = Math.max(...own.map(({ size }) => size));
    return atSize(own.filter(({ size }) => size === largest));
  });
}

export const sendEstimate = ({ channel, send, roundTrip }: SweepPoint): Estimate | null =>
  channel === 'structured-clone' ? roundTrip : send;

/** Each against the fastest version of the same runtime, and against the fastest of all. */
function atSize(points: readonly SweepPoint[]): string[] {
  const timed = points
    .filter((point) => sendEstimate(point) !== null)
    .sort((a, b) => sendEstimate(a)!.median - sendEstimate(b)!.median);
  return timed.flatMap((slower) => {
    const rivals = [timed.find(({ runtime }) => runtime.name === slower.runtime.name), timed[0]];
    return [...new Set(rivals)].flatMap((fastest) => {
      const times = fastest ? timesSlower(sendEstimate(slower), sendEstimate(fastest)) : null;
      return fastest && times !== null && times >= MIN_FACTOR ? [sentence(slower, fastest, times)] : [];
    });
  });
}

/** How many times slower; null where their intervals do not show that it is, or not by how much. */
function timesSlower(slower: Estimate | null, fastest: Estimate | null): number | null {
  if (!carries(slower, 'size') || !carries(fastest, 'size')) return null;
  return differenceOf(fastest, slower) === 'higher' ? slower.median / fastest.median : null;
}

function sentence(slower: SweepPoint, fastest: SweepPoint, times: number): string {
  const { payload, size, unit, channel } = fastest;
  const onlyCall = channel === 'structured-clone';
  const pair = `${runtimeSpec(fastest.runtime)} against ${runtimeSpec(slower.runtime)}`;
  const trip = timesSlower(slower.roundTrip, fastest.roundTrip);
  const call = `${onlyCall ? 'structuredClone' : 'the sender alone'} ${factor(times)} faster`;
  const [less, more] = [fastest.peakMemory, slower.peakMemory];
  const parts = [
    `${payload}, ${sizeWithUnit(size, unit)}: ${pair}: ${call}${publishedText(slower, fastest)}`,
    ...(onlyCall || trip === null ? [] : [`the whole round trip ${factor(trip)}`]),
    ...(less && more ? [`memory per message ${messageMemory(less)} instead of ${messageMemory(more)}`] : []),
  ];
  return `${parts.join('; ')}.`;
}

function publishedText(slower: SweepPoint, fastest: SweepPoint): string {
  const [high, low] = [slower.published, fastest.published];
  if (!high || !low || high.of === 'speedup' || low.of === 'speedup') return '';
  return `, published ${factor(high.value / low.value)}`;
}

const factor = (value: number): string => `${value >= 10 ? count(Math.round(value)) : ratio(value)}x`;
