/** Results of a sweep in sentences, which are not escaped or wrapped yet. */
import { carries, differenceOf } from '../../core/evidence.ts';
import type { Estimate } from '../../model/documents/measurement.ts';
import type { Crossover, StrategyResult, SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import { type DimensionName, RAW } from '../../model/vocabulary/sweep.ts';
import { groupedBy } from '../text/groups.ts';
import { count, factor, messageMemory, time } from '../text/numbers.ts';
import { listed, sentenceCase } from '../words.ts';

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

export function scaledText({ dimension, points }: Pick<SweepReport, 'dimension' | 'points'>): string {
  if (dimension === null) return 'nothing was scaled';
  const [from, to] = [points[0]?.size ?? 0, points.at(-1)?.size ?? 0].map(amountText);
  return `the ${sizeWithUnit(dimension.size, dimension.by)} of ${dimension.path}, scaled from ${from} to ${to}`;
}

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

// The verdict of a series.

export interface Verdict {
  /** Name of the series. */
  where: string;
  /** The strategy that is proven to be faster at the largest size; null if none is. */
  winner: string | null;
  /** The sentence without its numbers, for a headline. */
  effect: string;
  text: string;
}

type Timed = SweepPoint & { roundTrip: Estimate };

/** Points of the given strategies at one size, the fastest first. */
export function timedAt({ points }: Series, size: number, strategies: readonly string[]): Timed[] {
  return points
    .filter((one): one is Timed => one.size === size && one.roundTrip !== null)
    .filter(({ strategy }) => strategies.includes(strategy))
    .sort((a, b) => a.roundTrip.median - b.roundTrip.median);
}

export const fasterAt = ({ results }: Series, size: number): string[] =>
  results.filter(({ faster }) => faster.includes(size)).map(({ strategy }) => strategy);

/** Null if only the object was timed. */
export function verdictOf(series: Series): Verdict | null {
  const { name, results, unit } = series;
  const size = Math.max(...results.flatMap(timedSizes));
  if (!Number.isFinite(size)) return null;
  const at = sizeWithUnit(size, unit);
  const [raw] = timedAt(series, size, [RAW]);
  const [best, ...others] = timedAt(series, size, fasterAt(series, size));
  if (raw === undefined || best === undefined)
    return { where: name, winner: null, ...undecidedTexts(series, size, at) };
  const { strategy } = best;
  const from = series.crossovers.find(
    ({ between, cheaper }) => between.includes(strategy) && cheaper.below === RAW,
  );
  const effect =
    from === undefined
      ? `${sentenceCase(strategy)} is faster`
      : `From ${sizeWithUnit(Math.round(from.size), unit)} on ${strategy} is faster`;
  const simpler = others.find((other) => other.strategy === SIMPLE);
  const texts = [
    `${effect}: ${timesOf(best, raw)} at ${at} (${insteadOf(best, raw)}).`,
    ...(from === undefined ? [] : ['Below, post the object.']),
    ...(simpler ? [`${SIMPLE}, which is simpler, is ${timesOf(simpler, raw)} as fast there.`] : []),
  ];
  return { where: name, winner: strategy, effect, text: texts.join(' ') };
}

const SIMPLE = 'json-text';

const timesOf = (one: Timed, raw: Timed): string => `${factor(raw.roundTrip.median / one.roundTrip.median)}x`;

const insteadOf = (one: Timed, raw: Timed): string =>
  `${time(one.roundTrip.median)} instead of ${time(raw.roundTrip.median)}`;

/** Minimum factor that is reported: a smaller factor may be noise. */
const MANY_TIMES = 2;

function undecidedTexts(series: Series, size: number, at: string): Pick<Verdict, 'effect' | 'text'> {
  const open = series.results.filter((one) => one.undecided.includes(size)).map(({ strategy }) => strategy);
  if (open.length === 0) {
    const names = strategyNames(series.points).filter((name) => name !== RAW);
    const are = `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'}`;
    return { effect: 'Nothing is faster', text: `Post the object: ${are} not faster at ${at}.` };
  }
  const effect = 'Not decided';
  const [raw] = timedAt(series, size, [RAW]);
  const [best] = timedAt(series, size, open);
  if (raw === undefined || best === undefined || raw.roundTrip.median < MANY_TIMES * best.roundTrip.median)
    return {
      effect,
      text: `${effect}: the intervals are too wide. Measure longer with -b, on a quiet machine.`,
    };
  const few = carries(best.roundTrip, 'size') ? '' : ', by few messages';
  const took = `${best.strategy} took ${insteadOf(best, raw)} at ${at}${few}`;
  return { effect, text: `${effect}, but ${took}: measure longer with -b.` };
}

// Results of a series over all its sizes.

/** Sentences, with equal strategies joined: "json-text, compiled: faster from 3 to 400; slower at 1." */
export function strategyTexts({ results, crossovers }: Series): string[] {
  const said = results.map((result) => {
    const { strategy } = result;
    const crossed = crossovers.filter(({ between }) => between.includes(strategy));
    const cost = STRATEGY_COSTS[strategy];
    const texts = [resultText(result), ...crossed.map(crossoverText), ...(cost === undefined ? [] : [cost])];
    return { strategy, text: texts.join(' ') };
  });
  return groupedBy(said, ({ text }) => text).map(
    ([text, group]) => `${group.map(({ strategy }) => strategy).join(', ')}: ${text}`,
  );
}

/** Costs of strategies that do more than change the form. */
const STRATEGY_COSTS: Readonly<Record<string, string>> = {
  transfer: 'The sender loses what is transferred: after the post it is empty there.',
  'bytes-transferred': 'Each message is a new buffer, which the sender loses; the payload itself stays.',
};

export function resultText(result: StrategyResult): string {
  const { faster, slower, even, undecided: open } = result;
  const all = timedSizes(result);
  if (all.length === 0) return 'could not be timed.';
  const sets = Object.entries({ faster, slower, 'no relevant difference': even, undecided: open });
  const texts = sets.filter(([, sizes]) => sizes.length > 0);
  return `${texts.map(([word, sizes]) => `${word} ${sizeRanges(sizes, all)}`).join('; ')}.`;
}

function crossoverText({ size, unit, ci, cheaper }: Crossover): string {
  const side = cheaper.below === RAW ? 'Below' : 'Above';
  return `${side} ${amountText(size)} ${unit} raw is cheaper (95 %: ${ci.map(amountText).join('–')}).`;
}

export function memoryTexts({ points, unit }: Series): string[] {
  const largest = Math.max(...points.map(({ size }) => size));
  const measured = points.flatMap(({ size, strategy, peakMemory }) =>
    size === largest && peakMemory ? [`${strategy} ${messageMemory(peakMemory)}`] : [],
  );
  if (measured.length === 0) return [];
  return [`Memory per message at ${sizeWithUnit(largest, unit)}: ${measured.join(', ')}.`];
}

// Comparison of runtimes with each other, and with published figures.

const MIN_FACTOR = 1.5;

export const isCall = ({ channel }: Pick<SweepPoint, 'channel'>): boolean => channel === 'structured-clone';

export const sendEstimate = (point: SweepPoint): Estimate | null =>
  isCall(point) ? point.roundTrip : point.send;

/**
 * One sentence for each slower runtime at the largest size of each payload: compared with the fastest version of the
 * same runtime, and with the fastest runtime.
 */
export function comparisonTexts(points: readonly SweepPoint[]): string[] {
  return groupedBy(points, ({ payload, channel }) => [payload, channel]).flatMap(([, own]) => {
    const largest = Math.max(...own.map(({ size }) => size));
    const timed = own
      .filter((point) => point.size === largest && sendEstimate(point) !== null)
      .sort((a, b) => sendEstimate(a)!.median - sendEstimate(b)!.median);
    return timed.flatMap((slower) => {
      const rivals = [timed.find(({ runtime }) => runtime.name === slower.runtime.name), timed[0]];
      return [...new Set(rivals)].flatMap((fastest) => (fastest ? rivalTexts(slower, fastest) : []));
    });
  });
}

/** Null if the intervals do not show that it is slower, or the factor is uncertain. */
function timesSlower(slower: Estimate | null, fastest: Estimate | null): number | null {
  if (!carries(slower, 'size') || !carries(fastest, 'size')) return null;
  return differenceOf(fastest, slower) === 'higher' ? slower.median / fastest.median : null;
}

/** Comparison of two runtimes; empty if the difference is small. */
function rivalTexts(slower: SweepPoint, fastest: SweepPoint): string[] {
  const times = timesSlower(sendEstimate(slower), sendEstimate(fastest));
  if (times === null || times < MIN_FACTOR) return [];
  const trip = isCall(fastest) ? null : timesSlower(slower.roundTrip, fastest.roundTrip);
  const [low, high] = [fastest.published, slower.published];
  const isPublished = low && high && low.of !== 'speedup' && high.of !== 'speedup';
  const [less, more] = [fastest.peakMemory, slower.peakMemory];
  const where = `${fastest.payload}, ${sizeWithUnit(fastest.size, fastest.unit)}`;
  const pair = `${runtimeSpec(fastest.runtime)} against ${runtimeSpec(slower.runtime)}`;
  const call = `${isCall(fastest) ? 'structuredClone' : 'the sender alone'} ${factor(times)}x faster`;
  const parts = [
    `${where}: ${pair}: ${call}${isPublished ? `, published ${factor(high.value / low.value)}x` : ''}`,
    ...(trip === null ? [] : [`the whole round trip ${factor(trip)}x`]),
    ...(less && more ? [`memory per message ${messageMemory(less)} instead of ${messageMemory(more)}`] : []),
  ];
  return [`${parts.join('; ')}.`];
}

export const sourceTexts = (points: readonly SweepPoint[]): string[] =>
  [...new Set(points.flatMap(({ published }) => published?.source ?? []))].map((one) => `published: ${one}`);

/** Sizes and strategies that were not measured; equal reasons share a sentence. */
export function gapTexts({ leftOut, points, interrupted }: SweepReport): string[] {
  const left = leftOut.map(({ runtime, strategy, reason }) => {
    return { strategy, what: `Left out on ${runtimeSpec(runtime)}`, at: '', why: reason.split('\n')[0] };
  });
  const failed = points.flatMap(({ runtime, channel, strategy, size, unit, error }) => {
    const what = `Not measured on ${runtimeSpec(runtime)} over ${channel}`;
    return error === null ? [] : { strategy, what, at: sizeWithUnit(size, unit), why: error.message };
  });
  const texts = groupedBy([...left, ...failed], ({ what, why }) => [what, why]).map(
    ([[what, why], group]) => {
      const sizes = [...new Set(group.map(({ at }) => at))].join(', ');
      const strategies = listed([...new Set(group.map(({ strategy }) => strategy))]);
      return `${what}${sizes === '' ? '' : ` at ${sizes}`}: ${strategies} (${why})`;
    },
  );
  return interrupted ? [...texts, 'Interrupted: this was measured until then.'] : texts;
}
