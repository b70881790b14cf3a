/** What a sweep says, in reading order. */
import type { SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import { RAW } from '../../model/vocabulary/sweep.ts';
import type { CurvesChart } from '../section/model/charts.ts';
import type { Column } from '../section/model/columns.ts';
import { groupedBy } from '../text/grouped.ts';
import { publishedCharts, strategyCharts } from './charts.ts';
import { changeSentence, fastestTexts, folkloreTexts, winnerColumns } from './folklore.ts';
import { sendColumns } from './tables.ts';
import {
  comparisonTexts,
  failureTexts,
  groupSeries,
  leftOutTexts,
  memoryTexts,
  type PointSeries,
  STRATEGY_COSTS,
  scaledText,
  seriesKey,
  seriesName,
  strategyText,
} from './texts.ts';

export interface SweepSection {
  title: string;
  lead: string;
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
    texts: [...fastestTexts(results, own), ...texts, ...memoryTexts(own)],
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
