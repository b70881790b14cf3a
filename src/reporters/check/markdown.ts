import type { CheckReport, Comparison, LimitResult } from '../../model/documents/check.ts';
import type { Reporter } from '../../model/report/render-options.ts';
import type { Wording } from '../../model/report/wording.ts';
import { cellText, prose, sentenceText, table } from '../markdown/spans.ts';
import { columnsOf, known } from '../section/model/columns.ts';
import { code } from '../section/model/sentence.ts';
import { joinBlocks } from '../text/blocks.ts';
import { comparedCells, factText, hasChanged } from './facts.ts';
import {
  fixSentence,
  placeOf,
  problemsOf,
  resultsByPlace,
  severityOf,
  summaryText,
  whereText,
} from './texts.ts';

export const checkMarkdown: Reporter<CheckReport> = (report, _options, words) => {
  const problems = problemsOf(report.results);
  const others = problems.filter(({ loosened }) => loosened === undefined);
  return joinBlocks([
    [`### ${report.passed ? '✅' : '❌'} clone-prof check`],
    [prose(summaryText(report))],
    report.failures.map(({ payload, message }) => `- ❌ ${cellText(code(payload))}: ${prose(message)}`),
    ...loosenedBlocks(problems, report, words),
    others.length === 0 ? [] : problemTable(others, words),
    fixLines(others, words),
    comparedTable(report),
    keptLines(report),
  ]);
};

const markedPlace = (result: LimitResult) =>
  `${severityOf(result) === 'error' ? '❌' : '⚠️'} ${placeOf(result)}`;

/** Requirements that the config loosens: a reviewer decides by these rows. */
function loosenedBlocks(problems: readonly LimitResult[], { base }: CheckReport, words: Wording): string[][] {
  const rows = problems.flatMap((result) => (result.loosened ? [{ result, ...result.loosened }] : []));
  if (rows.length === 0) return [];
  const columns = columnsOf(rows, [
    { head: 'payload', cell: ({ result }) => markedPlace(result) },
    { head: 'demands less', cell: ({ what }) => what },
    { head: 'before', cell: ({ from }) => code(from) },
    { head: 'now', cell: ({ to }) => (to === null ? 'gone' : code(to)) },
  ]);
  const side = base ? cellText(code(base.ref)) : 'the baseline';
  const fixes = fixesOf(
    rows.map(({ result }) => result),
    words,
  );
  return [[`The config demands less than that of ${side}:`, '', ...table(columns)], fixes];
}

function problemTable(problems: readonly LimitResult[], words: Wording): string[] {
  return table(
    columnsOf(problems, [
      { head: 'payload', cell: markedPlace },
      { head: 'limit', cell: ({ limit }) => limit },
      { head: 'is', cell: factText },
      { head: 'where', cell: (result) => known(whereText(result, words), code) },
    ]),
  );
}

function comparedTable({ base, compared = [] }: CheckReport): string[] {
  if (!base || compared.length === 0) return [];
  const rows = [...compared.filter(hasChanged), ...compared.filter((one) => !hasChanged(one))];
  const columns = columnsOf(rows, [
    { head: 'payload', cell: placeOf },
    ...(['class', 'bytes', 'values', 'time'] as const).map((head) => ({
      head,
      cell: (one: Comparison) => comparedCells(one)[head],
    })),
  ]);
  return [`Since ${cellText(code(base.ref))}:`, '', ...table(columns)];
}

function fixesOf(problems: readonly LimitResult[], words: Wording): string[] {
  const fixes = new Set(problems.map((result) => sentenceText(fixSentence(result, words))));
  return [...fixes].filter((fix) => fix !== '');
}

function fixLines(problems: readonly LimitResult[], words: Wording): string[] {
  const fixes = fixesOf(problems, words);
  return fixes.length === 0 ? [] : ['**What to do**', '', ...fixes.map((fix) => `- ${fix}`)];
}

function keptLines({ results }: CheckReport): string[] {
  const kept = resultsByPlace(results.filter((result) => severityOf(result) === null));
  if (kept.size === 0) return [];
  const lines = [...kept].map(([place, passed]) => {
    const limits = new Set(passed.map(({ limit }) => limit));
    return `- ${prose(place)}: ${prose([...limits].join(', '))}`;
  });
  return ['<details><summary>Limits kept</summary>', '', ...lines, '', '</details>'];
}
