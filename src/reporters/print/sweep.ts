/** A sweep: a published rule, the result in a sentence, then conclusions and times by size for each runtime. */
import { carries, differenceOf } from '../../core/evidence.ts';
import type { Estimate, Interval } from '../../model/documents/measurement.ts';
import type { Folklore, PublishedWinner, SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import { RAW } from '../../model/vocabulary/sweep.ts';
import type { CurvesChart } from '../charts.ts';
import type { Printed } from '../doc.ts';
import { type Body, block, drawing, fold, heading, list, nodesOf, section, tableOf, text } from '../nodes.ts';
import { groupedBy } from '../text/groups.ts';
import { factor } from '../text/numbers.ts';
import { listed, muted, type Span, sentenceCase } from '../words.ts';
import { machineFacts } from './report.ts';
import { LEGEND, publishedCharts, sendTable, strategyCharts } from './sweep-charts.ts';
import {
  amountText,
  comparisonTexts,
  fasterAt,
  gapTexts,
  memoryTexts,
  resultText,
  type Series,
  scaledText,
  seriesOf,
  sizeRanges,
  sizeWithUnit,
  sourceTexts,
  strategyTexts,
  timedAt,
  timedSizes,
  type Verdict,
  verdictOf,
} from './sweep-texts.ts';

export function sweepDocument(report: SweepReport): Printed {
  const { points, preset, title, folklore } = report;
  const all = seriesOf(report);
  const verdicts = folklore === null ? all.flatMap((series) => verdictOf(series) ?? []) : [];
  const rule = folklore && ruleVerdict(folklore, all);
  const isCompared = preset === null || points.some(({ strategy }) => strategy !== RAW);
  return {
    title: `sweep of ${preset ?? title}`,
    heading: [headline(report, verdicts, rule)],
    about: [],
    body: nodesOf([
      heading(preset ?? title, preset === null ? scaledText(report) : title, 2),
      verdicts.map((one) => text([all.length > 1 && `${one.where}: `, one.text])),
      folklore !== null && rule !== null && ruleNode(folklore, rule, all),
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

/** Conclusions next to the chart, and the times of the sender alone. */
function seriesNodes(all: readonly Series[]): Body {
  const charts = strategyCharts(all);
  return all.map((series, at) => {
    const { name, results } = series;
    const title = 'Time that blocks the sender';
    return section([
      heading(name),
      list([...growthTexts(series), ...strategyTexts(series), ...memoryTexts(series)]),
      curvesNode(charts[at]!),
      at === 0 && results.length > 0 && text(LEGEND, { tone: 'muted' }),
      fold(name, title, sendTable(title, series)),
    ]);
  });
}

const curvesNode = (chart: CurvesChart): Body => chart.curves.length > 0 && drawing(chart);

// The growth of the cost with the size.

interface Timed {
  size: number;
  roundTrip: Estimate;
}

/** Maximum multiple of the first time that counts as about the same. */
const ALIKE = 1.5;
/** Minimum ratio of sizes: closer sizes do not show growth. */
const LEAST_RANGE = 4;
/** Share of the largest size where measuring growth starts: the fixed cost of a message is small there. */
const END = 1 / 8;
/** Exponents of a time that counts as proportional to the size. */
const AS_SIZE: Interval = [0.75, 1.25];

/** Empty if too few sizes were timed, or if the intervals are inconclusive. */
export function growthTexts({ points, unit }: Series): string[] {
  const timed = points
    .filter((one): one is typeof one & Timed => one.strategy === RAW && carries(one.roundTrip, 'size'))
    .filter(({ size }) => size > 0)
    .sort((a, b) => a.size - b.size);
  const [first, last] = [timed[0], timed.at(-1)];
  if (first === undefined || last === undefined || last.size < LEAST_RANGE * first.size) return [];
  const growing = timed.findIndex(({ roundTrip }) => roundTrip.median > ALIKE * first.roundTrip.median);
  if (growing < 0) return ['As it is, a message costs about the same at every size.'];
  const flat = timed[growing - 1] ?? first;
  const isFlat = flat.size >= LEAST_RANGE * first.size;
  const same = `As it is, a message costs about the same up to ${sizeWithUnit(flat.size, unit)}`;
  const grows = growthText(timed.findLast(({ size }) => size <= END * last.size) ?? first, last);
  if (grows === null) return isFlat ? [`${same}.`] : [];
  return [isFlat ? `${same}, then ${grows}.` : `As it is, the cost of a message ${grows}.`];
}

/** Null unless a single range contains the whole interval. */
function growthText(from: Timed, to: Timed): string | null {
  const sizes = to.size / from.size;
  const power = (start: number, end: number) => Math.log(end / start) / Math.log(sizes);
  const least = power(from.roundTrip.ci[1], to.roundTrip.ci[0]);
  const most = power(from.roundTrip.ci[0], to.roundTrip.ci[1]);
  const times = factor(to.roundTrip.median / from.roundTrip.median);
  const seen = `${times}x the time for ${factor(sizes)}x the size, up to ${amountText(to.size)}`;
  if (least > AS_SIZE[1]) return `grows faster than the size (${seen})`;
  if (most < AS_SIZE[0]) return `grows more slowly than the size (${seen})`;
  return least >= AS_SIZE[0] && most <= AS_SIZE[1] ? 'grows as the size does' : null;
}

// A published rule of thumb next to the results, with the strategy that was fastest in the original benchmark.

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

/** Strategy that was fastest in an older relative of a runtime, and the strategies that are fastest now, by size. */
interface Winner {
  where: string;
  published: PublishedWinner;
  now: readonly { strategies: readonly string[]; sizes: string }[];
}

function ruleNode({ says, source, strategy, won = [] }: Folklore, verdict: string, all: readonly Series[]) {
  const results = all.flatMap(({ name, results }) =>
    results.filter((one) => one.strategy === strategy).map((result) => `${name}: ${resultText(result)}`),
  );
  const winners = all.flatMap((series): Winner[] => {
    const published = won.find((one) => one.runtime === series.runtime.name);
    return published ? [{ where: series.name, published, now: fastestBySize(series) }] : [];
  });
  return section([
    heading(`Rule of thumb: "${says}" (${source}). It ${verdict}:`),
    list(results),
    tableOf('Then and now', winners, [
      { head: 'runtime', cell: ({ where }) => where },
      { head: 'fastest then', cell: ({ published: { strategy: name, on } }) => `${name} (${on})` },
      { head: 'fastest here', cell: ({ now }) => fastestText(now) },
      { head: '', cell: changeCell },
    ]),
  ]);
}

const fastestText = (now: Winner['now']): string =>
  listed(now.map(({ strategies, sizes }) => `${strategies.join(' or ')} ${sizes}`)) ||
  'not decided: raise --budget';

function changeCell({ now, published: { strategy } }: Winner): Span {
  if (now.length === 0) return '';
  const isSame = now.every(({ strategies }) => strategies.includes(strategy));
  return isSame ? muted('as published') : { text: 'changed', tone: 'fair' };
}

/** Fastest strategies by size; undecided sizes are omitted. */
function fastestBySize(series: Series): Winner['now'] {
  const sizes = [...new Set(series.results.flatMap(timedSizes))].sort((a, b) => a - b);
  const fastest = sizes.map((size) => ({ size, strategies: fastestAt(series, size) }));
  const won = fastest.filter(({ strategies }) => strategies.length > 0);
  return groupedBy(won, ({ strategies }) => strategies).map(([strategies, own]) => {
    const at = own.map(({ size }) => size);
    return { strategies, sizes: sizeRanges(at, sizes) };
  });
}

/** The fastest strategy and its equals; raw if none is faster; none if that is undecided. */
function fastestAt(series: Series, size: number): string[] {
  const faster = fasterAt(series, size);
  const isOpen = series.results.some(({ undecided }) => undecided.includes(size));
  if (faster.length === 0) return isOpen ? [] : [RAW];
  const [fastest, ...others] = timedAt(series, size, faster);
  if (fastest === undefined) return [];
  return [fastest, ...others.filter((other) => !isSlower(other, fastest))].map(({ strategy }) => strategy);
}

/** Compares the shares of raw's time, or the times if a report lacks shares. */
function isSlower(one: SweepPoint, fastest: SweepPoint): boolean {
  const [slow, fast] =
    one.ratio && fastest.ratio ? [one.ratio, fastest.ratio] : [one.roundTrip, fastest.roundTrip];
  return slow !== null && fast !== null && differenceOf(fast, slow) === 'higher';
}
