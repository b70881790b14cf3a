/** A sweep: a published rule, the result in a sentence, then conclusions and times by size for each runtime. */

import type { Estimate } from '../../model/documents/measurement.ts';
import type { Folklore, SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import { RAW } from '../../model/vocabulary/words.ts';
import { carries, differenceOf } from '../../stats/evidence.ts';
import type { ChartOf, Printed } from '../doc.ts';
import { type Body, block, drawing, fold, heading, list, nodesOf, section, text } from '../nodes.ts';
import { groupedBy } from '../text/groups.ts';
import { bytes, factor, time } from '../text/numbers.ts';
import { listed, sentenceCase } from '../words.ts';
import { machineFacts } from './report.ts';
import {
  amountText,
  crossingText,
  isCall,
  LEGEND,
  publishedCharts,
  runtimeSpec,
  type Series,
  sendEstimate,
  sendTable,
  seriesOf,
  sizeWithUnit,
  strategyCharts,
  timedSizes,
} from './sweep-series.ts';

export function sweepDocument(report: SweepReport): Printed {
  const { points, preset, title, folklore } = report;
  const all = seriesOf(report);
  const verdicts = folklore === null ? all.flatMap((series) => verdictOf(series) ?? []) : [];
  const rule = folklore && ruleVerdict(folklore, all);
  const isCompared = preset === null || points.some(({ strategy }) => strategy !== RAW);
  return {
    title: `sweep of ${preset ?? title}`,
    heading: [headline(report, verdicts, rule)],
    body: nodesOf([
      heading(preset ?? title, preset === null ? scaledText(report) : title, 2),
      verdicts.map((one) => text([all.length > 1 && `${one.where}: `, one.text])),
      rule !== null && heading(`Rule of thumb: "${folklore?.says}" (${folklore?.source}). It ${rule}.`),
      isCompared
        ? seriesNodes(all)
        : section([
            list([...comparisonTexts(points), ...sourceTexts(points)]),
            publishedCharts(points).map(curvesNode),
          ]),
      block(gapTexts(report).map((note) => text(note))),
    ]),
    facts: machineFacts(report),
    isUnfolded: true,
  };
}

/** "From 90 items on compiled is faster", "Compiled is faster on node@24.0.0 · worker; not decided on bun@1.4.5 · worker" */
function headline(report: SweepReport, verdicts: readonly Verdict[], rule: string | null): string {
  const { preset, title, folklore } = report;
  if (rule !== null) return `"${folklore?.says}" ${rule}`;
  const [only, ...others] = verdicts;
  if (only === undefined)
    return preset === null ? `Sweep of ${title}` : `${preset}: measured here beside what was published`;
  if (others.length === 0) return only.effect;
  const groups = groupedBy(verdicts, ({ winner, effect }) =>
    winner === null ? effect.toLowerCase() : `${winner} is faster`,
  );
  const texts = groups.map(([effect, own]) => `${effect} on ${listed(own.map(({ where }) => where))}`);
  return sentenceCase(texts.join('; '));
}

function scaledText({ dimension, points }: Pick<SweepReport, 'dimension' | 'points'>): string {
  if (dimension === null) return 'nothing was scaled';
  const [from, to] = [points[0]?.size ?? 0, points.at(-1)?.size ?? 0].map(amountText);
  return `the ${sizeWithUnit(dimension.size, dimension.by)} of ${dimension.path}, scaled from ${from} to ${to}`;
}

function seriesNodes(all: readonly Series[]): Body {
  const charts = strategyCharts(all);
  return all.map((series, at) => {
    const { name, results } = series;
    const title = 'Time that blocks the sender';
    return section([
      heading(name),
      list([...strategyTexts(series), ...memoryTexts(series)]),
      curvesNode(charts[at]!),
      at === 0 && results.length > 0 && text(LEGEND, { tone: 'muted' }),
      fold(name, title, sendTable(title, series)),
    ]);
  });
}

const curvesNode = (chart: ChartOf<'curves'>): Body => chart.curves.length > 0 && drawing(chart);

const STRATEGY_COSTS: Readonly<Record<string, string>> = {
  transfer: 'transfer: the sender loses what is transferred, after the post it is empty there.',
  'bytes-transferred':
    'bytes-transferred: each message is a new buffer, which the sender loses; the payload itself stays.',
};

const strategyTexts = ({ results, crossovers }: Series): string[] => [
  ...crossovers.map(crossingText),
  ...results.flatMap(({ strategy }) => STRATEGY_COSTS[strategy] ?? []),
];

function memoryTexts({ points, unit }: Series): string[] {
  const largest = Math.max(...points.map(({ size }) => size));
  const measured = points.flatMap(({ size, strategy, peakMemory }) =>
    size === largest && peakMemory ? [`${strategy} ${bytes(peakMemory.perMessage)}`] : [],
  );
  if (measured.length === 0) return [];
  return [`Memory per message at ${sizeWithUnit(largest, unit)}: ${measured.join(', ')}.`];
}

const MIN_FACTOR = 1.5;

/** At the largest size, against the fastest. */
export function comparisonTexts(points: readonly SweepPoint[]): string[] {
  return groupedBy(points, ({ payload, channel }) => [payload, channel]).flatMap(([, own]) => {
    const largest = Math.max(...own.map(({ size }) => size));
    const timed = own
      .filter((point) => point.size === largest && sendEstimate(point) !== null)
      .sort((a, b) => sendEstimate(a)!.median - sendEstimate(b)!.median);
    return timed.flatMap((slower) => {
      const own = timed.find(({ runtime }) => runtime.name === slower.runtime.name);
      return rivalTexts(slower, own === undefined || own === slower ? timed[0]! : own);
    });
  });
}

function rivalTexts(slower: SweepPoint, fastest: SweepPoint): string[] {
  const [most, least] = [sendEstimate(slower), sendEstimate(fastest)];
  if (!carries(most, 'size') || !carries(least, 'size') || differenceOf(least, most) !== 'higher') return [];
  const times = most.median / least.median;
  if (times < MIN_FACTOR) return [];
  const [low, high] = [fastest.published, slower.published];
  const isPublished = low && high && low.of !== 'speedup' && high.of !== 'speedup';
  const published = isPublished ? `, published ${factor(high.value / low.value)}x` : '';
  const where = `${fastest.payload}, ${sizeWithUnit(fastest.size, fastest.unit)}`;
  const pair = `${runtimeSpec(fastest.runtime)} against ${runtimeSpec(slower.runtime)}`;
  const call = isCall(fastest) ? 'structuredClone' : 'the sender alone';
  return [`${where}: ${pair}: ${call} ${factor(times)}x faster${published}.`];
}

const sourceTexts = (points: readonly SweepPoint[]): string[] =>
  [...new Set(points.flatMap(({ published }) => published?.source ?? []))].map((one) => `published: ${one}`);

/** Sizes and strategies that were not measured; equal reasons share a sentence. */
function gapTexts({ leftOut, points, interrupted }: SweepReport): string[] {
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

type Verdict = NonNullable<ReturnType<typeof verdictOf>>;

type Timed = SweepPoint & { roundTrip: Estimate };

/**
 * `winner`: the strategy that is proven to be faster at the largest size; null if none is. `effect`: the sentence without
 * its numbers, for a headline.
 */
export function verdictOf(series: Series) {
  const { name, points, results, unit } = series;
  const size = Math.max(...results.flatMap(timedSizes));
  if (!Number.isFinite(size)) return null;
  const at = sizeWithUnit(size, unit);
  const timed = points.filter((one): one is Timed => one.size === size && one.roundTrip !== null);
  const raw = timed.find(({ strategy }) => strategy === RAW);
  const faster = results.filter((one) => one.faster.includes(size)).map(({ strategy }) => strategy);
  const [best, ...others] = timed
    .filter(({ strategy }) => faster.includes(strategy))
    .sort((a, b) => a.roundTrip.median - b.roundTrip.median);
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
  const [now, before] = [best, raw].map(({ roundTrip }) => time(roundTrip.median));
  const texts = [
    `${effect}: ${timesOf(best, raw)} at ${at} (${now} instead of ${before}).`,
    ...(from === undefined ? [] : ['Below, post the object.']),
    ...(simpler ? [`${SIMPLE}, which is simpler, is ${timesOf(simpler, raw)} as fast there.`] : []),
  ];
  return { where: name, winner: strategy, effect, text: texts.join(' ') };
}

const SIMPLE = 'json-text';

const timesOf = (one: Timed, raw: Timed): string => `${factor(raw.roundTrip.median / one.roundTrip.median)}x`;

function undecidedTexts({ results }: Series, size: number, at: string) {
  if (!results.some(({ undecided }) => undecided.includes(size)))
    return {
      effect: 'Nothing is faster',
      text: `Post the object: nothing that was tried is faster at ${at}.`,
    };
  const text = `Not decided at ${at}: the intervals are too wide. Measure longer with -b, on a quiet machine.`;
  return { effect: 'Not decided', text };
}

/** "does not hold on every runtime tried"; null if its strategy was not timed. */
function ruleVerdict({ strategy }: Folklore, all: readonly Series[]): string | null {
  const tried = all.flatMap(({ results }) => results.filter((one) => one.strategy === strategy));
  if (tried.length === 0) return null;
  if (
    tried.some(({ faster, slower, undecided }) => slower.length > 0 || faster.length + undecided.length === 0)
  )
    return 'does not hold on every runtime tried';
  return tried.every(({ faster }) => faster.length > 0) ? 'holds on every runtime tried' : 'is not decided';
}
