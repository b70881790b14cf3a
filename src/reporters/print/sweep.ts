/** A sweep: the result in a sentence, then of each runtime the conclusions and times by size; a published rule first. */
import { differenceOf } from '../../core/evidence.ts';
import type { Folklore, PublishedWinner, SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import { RAW } from '../../model/vocabulary/sweep.ts';
import { block, fold, type Node, type Printed, tableNode, text } from '../doc.ts';
import type { CurvesChart } from '../section/model/charts.ts';
import { type Column, columnsOf } from '../section/model/columns.ts';
import { listed, muted, type Sentence, type Span, sentenceCase } from '../section/model/sentence.ts';
import { groupedBy } from '../text/grouped.ts';
import { machineFacts } from './report.ts';
import { LEGEND, publishedCharts, sendColumns, strategyCharts } from './sweep-charts.ts';
import {
  comparisonTexts,
  fasterAt,
  gapTexts,
  memoryTexts,
  resultText,
  type Series,
  scaledText,
  seriesOf,
  sizeRanges,
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
  const verdicts = folklore === null ? verdictsOf(all) : [];
  const rule = folklore === null ? null : ruleOf(folklore, all);
  const isCompared = preset === null || points.some(({ strategy }) => strategy !== RAW);
  return {
    title: `sweep of ${preset ?? title}`,
    heading: [headline(report, verdicts, rule)],
    about: [],
    body: [
      {
        ...{ type: 'heading', level: 2, text: [preset ?? title] },
        facts: [preset === null ? scaledText(report) : title],
      },
      ...verdicts.map(({ series, verdict }) =>
        text([all.length === 1 ? verdict.text : `${series.name}: ${verdict.text}`]),
      ),
      ...(rule === null ? [] : ruleNodes(rule)),
      ...(isCompared ? seriesNodes(all) : publishedNodes(points)),
      ...block(gapTexts(report).map((note) => text([note]))),
    ],
    facts: machineFacts(report),
    isUnfolded: true,
  };
}

interface Found {
  series: Series;
  verdict: Verdict;
}

const verdictsOf = (all: readonly Series[]): Found[] =>
  all.flatMap((series) => {
    const verdict = verdictOf(series);
    return verdict === null ? [] : [{ series, verdict }];
  });

/** "From 90 items on compiled is faster", "Compiled is faster on node@24.0.0 · worker; not decided on bun@1.4.5 · worker" */
function headline({ preset, title }: SweepReport, found: readonly Found[], rule: Rule | null): string {
  if (rule !== null) return `"${rule.says}" ${rule.holds}`;
  if (found.length === 1) return found[0]!.verdict.effect;
  const groups = groupedBy(found, ({ verdict: { winner, effect } }) =>
    winner === null ? effect.toLowerCase() : `${winner} is faster`,
  );
  const texts = [...groups].map(
    ([effect, own]) => `${effect} on ${listed(own.map((one) => one.series.name))}`,
  );
  if (texts.length > 0) return sentenceCase(texts.join('; '));
  return preset === null ? `Sweep of ${title}` : `${preset}: measured here beside what was published`;
}

/** The conclusions beside the chart, and the times of the sender alone. */
function seriesNodes(all: readonly Series[]): Node[] {
  const charts = strategyCharts(all);
  return all.map((series, at) => {
    const { name, results } = series;
    const said = [
      ...strategyTexts(series).map(({ names, text: result }) => [`${names.join(', ')}: ${result}`]),
      ...memoryTexts(series).map((one) => [one]),
    ];
    return {
      type: 'section',
      body: [
        { type: 'heading', level: 3, text: [name], facts: [] },
        ...list(said),
        ...chartNodes([charts[at]!]),
        ...(at === 0 && results.length > 0 ? [text(LEGEND, { tone: 'muted' })] : []),
        ...fold(
          name,
          ['Time that blocks the sender'],
          tableNode('Time that blocks the sender', sendColumns(series)),
        ),
      ],
    };
  });
}

const list = (items: readonly Sentence[]): Node[] => (items.length === 0 ? [] : [{ type: 'list', items }]);

const chartNodes = (charts: readonly CurvesChart[]): Node[] =>
  charts.filter(({ curves }) => curves.length > 0).map((chart) => ({ type: 'chart', chart }));

const publishedNodes = (points: readonly SweepPoint[]): Node[] => [
  {
    type: 'section',
    body: [
      ...list([...comparisonTexts(points), ...sourceTexts(points)].map((one) => [one])),
      ...chartNodes(publishedCharts(points)),
    ],
  },
];

// A published rule of thumb, and what was fastest where it was found, beside the results.

export interface Rule {
  says: string;
  source: string;
  /** "does not hold on every runtime tried" */
  holds: string;
  /** A line for each runtime. */
  results: readonly string[];
  winners: readonly Winner[];
}

/** What was fastest in an older relative of a runtime, and the sizes at which each strategy is fastest now. */
interface Winner {
  where: string;
  published: PublishedWinner;
  now: readonly { strategies: readonly string[]; sizes: string }[];
}

/** Null if the strategy of the rule was not timed. */
export function ruleOf({ says, source, strategy, won = [] }: Folklore, all: readonly Series[]): Rule | null {
  const tried = all.flatMap(({ name, results }) =>
    results.filter((one) => one.strategy === strategy).map((result) => ({ name, result })),
  );
  if (tried.length === 0) return null;
  const results = tried.map(({ result }) => result);
  const isTrue = results.every(({ faster, slower }) => faster.length > 0 && slower.length === 0);
  const isFalse = results.some(
    ({ faster, slower, undecided }) => slower.length > 0 || faster.length + undecided.length === 0,
  );
  const holds = isFalse ? 'does not hold' : 'holds';
  return {
    ...{ says, source },
    holds: isFalse || isTrue ? `${holds} on every runtime tried` : 'is not decided',
    results: tried.map(({ name, result }) => `${name}: ${resultText(result)}`),
    winners: all.flatMap((series) => {
      const published = won.find((one) => one.runtime === series.runtime.name);
      return published ? [{ where: series.name, published, now: fastestBySize(series) }] : [];
    }),
  };
}

const ruleNodes = ({ says, source, holds, results, winners }: Rule): Node[] => [
  {
    type: 'section',
    body: [
      {
        ...{ type: 'heading', level: 3, facts: [] },
        text: [`Rule of thumb: "${says}" (${source}). It ${holds}:`],
      },
      ...list(results.map((one) => [one])),
      ...tableNode('Then and now', winnerColumns(winners)),
    ],
  },
];

/** Sizes that are not decided are left out. */
function fastestBySize(series: Series): Winner['now'] {
  const sizes = [...new Set(series.results.flatMap(timedSizes))].sort((a, b) => a - b);
  const fastest = sizes.map((size) => ({ size, strategies: fastestAt(series, size) }));
  const won = groupedBy(
    fastest.filter(({ strategies }) => strategies.length > 0),
    ({ strategies }) => JSON.stringify(strategies),
  );
  return [...won.values()].map((own) => {
    const at = own.map(({ size }) => size);
    return { strategies: own[0]!.strategies, sizes: sizeRanges(at, sizes) };
  });
}

/** The best of those that are faster than raw, and those about as fast; raw if none is; none if that is not decided. */
function fastestAt(series: Series, size: number): string[] {
  const faster = fasterAt(series, size);
  const isOpen = series.results.some(({ undecided }) => undecided.includes(size));
  if (faster.length === 0) return isOpen ? [] : [RAW];
  const [fastest, ...others] = timedAt(series, size, faster);
  if (fastest === undefined) return [];
  return [fastest, ...others.filter((other) => !isSlower(other, fastest))].map(({ strategy }) => strategy);
}

/** By the shares of the time of raw; of a report that has none, by the times. */
function isSlower(one: SweepPoint, fastest: SweepPoint): boolean {
  const [slow, fast] =
    one.ratio && fastest.ratio ? [one.ratio, fastest.ratio] : [one.roundTrip, fastest.roundTrip];
  return slow !== null && fast !== null && differenceOf(fast, slow) === 'higher';
}

export const winnerColumns = (winners: readonly Winner[]): Column[] =>
  columnsOf(winners, [
    { head: 'runtime', cell: ({ where }) => where },
    { head: 'fastest then', cell: ({ published: { strategy, on } }) => `${strategy} (${on})` },
    { head: 'fastest here', cell: ({ now }) => fastestText(now) },
    { head: '', cell: changeCell },
  ]);

const fastestText = (now: Winner['now']): string =>
  listed(now.map(({ strategies, sizes }) => `${strategies.join(' or ')} ${sizes}`)) ||
  'not decided: raise --budget';

function changeCell({ now, published: { strategy } }: Winner): Span {
  if (now.length === 0) return '';
  const isSame = now.every(({ strategies }) => strategies.includes(strategy));
  return isSame ? muted('as published') : { text: 'changed', tone: 'fair' };
}
