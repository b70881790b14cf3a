/** What a sweep says, in reading order. */

import { differenceOf } from '../../core/evidence.ts';
import type { Estimate, Interval } from '../../model/documents/measurement.ts';
import type { Crossover, StrategyResult, SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import { RAW } from '../../model/vocabulary/sweep.ts';
import type { Curve, CurveCrossing, CurvesChart, PublishedMark } from '../section/model/charts.ts';
import { type Column, columnsOf } from '../section/model/columns.ts';
import { listed } from '../section/model/sentence.ts';
import { groupedBy } from '../text/grouped.ts';
import { time } from '../text/numbers.ts';
import { publishedColumns, roundTripColumns, sendColumns } from './tables.ts';
import {
  amountText,
  comparisonTexts,
  failureTexts,
  groupSeries,
  leftOutTexts,
  memoryTexts,
  type PointSeries,
  runtimeSpec,
  STRATEGY_COSTS,
  scaledText,
  sendEstimate,
  seriesKey,
  seriesName,
  sizeRanges,
  sizeWithUnit,
  strategyNames,
  strategyText,
  timedSizes,
} from './texts.ts';
import { verdictTexts } from './verdict.ts';

export interface SweepSection {
  title: string;
  lead: string;
  /** The result in a sentence for each runtime. */
  verdict: readonly string[];
  conclusions: readonly { about: string | null; texts: readonly string[] }[];
  charts: readonly CurvesChart[];
  tables: readonly { title: string; columns: readonly Column[] }[];
  notes: readonly string[];
}

export function sweepSection(report: SweepReport): SweepSection {
  const { points, preset, title, interrupted } = report;
  const compares = preset === null || points.some(({ strategy }) => strategy !== RAW);
  const winners = winnerColumns(report);
  return {
    title: preset ?? title,
    lead: preset === null ? scaledText(report) : title,
    verdict: report.folklore === null ? verdictTexts(report) : [],
    conclusions: [
      ...folkloreConclusions(report),
      ...(compares
        ? groupSeries(points).map((own) => seriesConclusions(own, report))
        : [{ about: null, texts: [...comparisonTexts(points), ...sourceTexts(points)] }]),
    ],
    charts: compares ? strategyCharts(report) : publishedCharts(report),
    tables: [
      ...(winners === null ? [] : [{ title: 'Then and now', columns: winners }]),
      ...(compares ? groupSeries(points).flatMap(sendTable) : []),
    ],
    notes: [
      ...leftOutTexts(report),
      ...failureTexts(report),
      ...(interrupted ? ['Interrupted: this was measured until then.'] : []),
    ],
  };
}

function folkloreConclusions(report: SweepReport): SweepSection['conclusions'] {
  const [rule, ...runtimes] = folkloreTexts(report);
  if (rule === undefined) return [];
  const change = changeSentence(report);
  return [{ about: rule, texts: [...runtimes, ...(change === '' ? [] : [change])] }];
}

function seriesConclusions(
  own: readonly SweepPoint[],
  { points, standings, crossovers }: SweepReport,
): SweepSection['conclusions'][number] {
  const [first] = own as readonly [SweepPoint];
  const isHere = (one: PointSeries) => seriesKey(one) === seriesKey(first);
  const results = standings.filter(isHere);
  const crossed = (strategy: string) =>
    crossovers.filter((one) => isHere(one) && one.between.includes(strategy));
  const said = results.map((result) => {
    const { strategy } = result;
    const cost = STRATEGY_COSTS[strategy];
    const text = strategyText(result, crossed(strategy));
    return { strategy, text: cost === undefined ? text : `${text} ${cost}` };
  });
  const texts = [...groupedBy(said, ({ text }) => text)].map(
    ([text, group]) => `${group.map(({ strategy }) => strategy).join(', ')}: ${text}`,
  );
  const severalPayloads = points.some(({ payload }) => payload !== first.payload);
  return {
    about: seriesName(first, severalPayloads),
    texts: [...texts, ...memoryTexts(own)],
  };
}

const sourceTexts = (points: readonly SweepPoint[]): string[] =>
  [...new Set(points.flatMap(({ published }) => published?.source ?? []))].map((one) => `published: ${one}`);

function sendTable(own: readonly SweepPoint[]): SweepSection['tables'] {
  const [first] = own as readonly [SweepPoint];
  const isSplit = first.channel !== 'structured-clone' && own.some(({ send }) => send !== null);
  const title = `Time that blocks the sender · ${seriesName(first, true)}`;
  return isSplit ? [{ title, columns: sendColumns(own, []) }] : [];
}

// The charts of a sweep: all strategies on one runtime, or all runtimes beside published figures.

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

function publishedCharts({ points }: SweepReport): CurvesChart[] {
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

// A published rule of thumb and what was fastest where it was found, beside the results.

export function folkloreTexts({ folklore, standings }: SweepReport): string[] {
  if (folklore === null) return [];
  const tried = standings.filter(({ strategy }) => strategy === folklore.strategy);
  if (tried.length === 0) return [];
  const severalChannels = new Set(tried.map(({ channel }) => channel)).size > 1;
  const holds = tried.every(({ faster, slower }) => faster.length > 0 && slower.length === 0);
  const fails = tried.some(
    ({ faster, slower, undecided }) => slower.length > 0 || faster.length + undecided.length === 0,
  );
  const verdict = fails ? 'It does not hold' : holds ? 'It holds' : null;
  const held = verdict === null ? 'Whether it holds is undecided:' : `${verdict} on every runtime tried:`;
  return [
    `Rule of thumb: "${folklore.says}" (${folklore.source}). ${held}`,
    ...tried.map((result) => runtimeText(result, severalChannels)),
  ];
}

type PlacedResult = Pick<StrategyResult, 'runtime' | 'channel'>;

function runtimeText(result: StrategyResult, namesChannel: boolean): string {
  const { unit, faster, slower, undecided } = result;
  const all = timedSizes(result);
  const parts = Object.entries({ wins: faster, loses: slower, 'is undecided': undecided })
    .filter(([, sizes]) => sizes.length > 0)
    .map(([what, sizes]) => `${what} ${sizeRanges(sizes, all)}`);
  const text = parts.join(', ') || 'makes no relevant difference';
  return `${placeText(result, namesChannel)}: ${withUnit(text, unit)}`;
}

const placeText = ({ runtime, channel }: PlacedResult, namesChannel: boolean): string =>
  `${runtimeSpec(runtime)}${namesChannel ? ` over ${channel}` : ''}`;

const withUnit = (text: string, unit: string): string => (/\d$/.test(text) ? `${text} ${unit}` : text);

/**
 * A runtime over a channel, what was fastest in its older relative, and the sizes at which each strategy is fastest now. Only
 * runtimes for which something was published.
 */
function winners({ folklore, standings, points }: SweepReport) {
  const severalChannels = new Set(standings.map(({ channel }) => channel)).size > 1;
  const runs = groupedBy(standings, ({ runtime, channel }) => JSON.stringify([runtime, channel]));
  return [...runs.values()].flatMap((results) => {
    const [first] = results as [StrategyResult];
    const { runtime, unit } = first;
    const published = folklore?.won?.find((one) => one.runtime === runtime.name);
    if (!published) return [];
    const isHere = (one: SweepPoint) => placeText(one, true) === placeText(first, true);
    const now = [...fastestBySize(results, points.filter(isHere))]
      .filter(([strategy]) => strategy !== UNDECIDED)
      .map(([strategy, text]) => ({ strategy, sizes: withUnit(text, unit) }));
    return [{ where: placeText(first, severalChannels), published, now }];
  });
}

const UNDECIDED = 'undecided';

function fastestBySize(results: readonly StrategyResult[], points: readonly SweepPoint[]) {
  const sizes = [...new Set(results.flatMap(timedSizes))].sort((a, b) => a - b);
  const won = groupedBy(sizes, (size) => fastestAt(size, results, points) ?? UNDECIDED);
  return new Map([...won].map(([strategy, at]) => [strategy, sizeRanges(at, sizes)]));
}

/** The best of those that are faster than raw, and those about as fast; raw where none is; null where that is not decided. */
function fastestAt(size: number, results: readonly StrategyResult[], points: readonly SweepPoint[]) {
  const faster = results.filter((one) => one.faster.includes(size)).map(({ strategy }) => strategy);
  if (faster.length === 0) return results.some(({ undecided }) => undecided.includes(size)) ? null : RAW;
  const timed = points.filter((one) => one.size === size && faster.includes(one.strategy));
  const median = ({ roundTrip }: SweepPoint) => roundTrip?.median ?? Number.POSITIVE_INFINITY;
  const [fastest, ...others] = timed.sort((a, b) => median(a) - median(b));
  if (fastest === undefined) return null;
  const alike = others.filter((other) => !isSlower(other, fastest));
  return [fastest, ...alike].map(({ strategy }) => strategy).join(OR);
}

const OR = ' or ';

const isAmong = (winner: { strategy: string }, strategy: string): boolean =>
  winner.strategy.split(OR).includes(strategy);

/** By the shares of the time of raw; of a report that has none, by the times. */
function isSlower(one: SweepPoint, fastest: SweepPoint): boolean {
  const [slow, fast] =
    one.ratio && fastest.ratio ? [one.ratio, fastest.ratio] : [one.roundTrip, fastest.roundTrip];
  return slow !== null && fast !== null && differenceOf(fast, slow) === 'higher';
}

export function winnerColumns(report: SweepReport): Column[] | null {
  const rows = winners(report);
  if (rows.length === 0) return null;
  return columnsOf(rows, [
    { head: 'runtime', cell: ({ where }) => where },
    { head: 'published', cell: ({ published: { strategy, on } }) => `${strategy} (${on})` },
    {
      head: 'fastest here',
      cell: ({ now }) => listed(now.map(({ strategy, sizes }) => `${strategy} ${sizes}`)) || 'undecided',
    },
  ]);
}

export function changeSentence(report: SweepReport): string {
  const rows = winners(report);
  const decided = rows.filter(({ now }) => now.length > 0);
  const isAsPublished = ({ now, published }: (typeof rows)[number]) =>
    now.every((winner) => isAmong(winner, published.strategy));
  const [same, changed] = [decided.filter(isAsPublished), decided.filter((one) => !isAsPublished(one))];
  const parts = changed.map(({ where, now, published: { strategy, on } }) => {
    const others = now.filter((winner) => !isAmong(winner, strategy));
    const fastest = listed(others.map((winner) => `${winner.strategy} wins ${winner.sizes}`));
    return `${strategy} won in ${on}, and in ${where} ${fastest}`;
  });
  const undecided = rows.filter(({ now }) => now.length === 0).map(({ where }) => where);
  return [
    ...(parts.length > 0 ? [`What has changed: ${parts.join('; ')}.`] : []),
    ...(same.length > 0 ? [`As published: ${listed(same.map(({ where }) => where))}.`] : []),
    ...(undecided.length > 0 ? [`Not decided on ${listed(undecided)}: raise --budget.`] : []),
  ].join(' ');
}
