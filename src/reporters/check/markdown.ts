import type { CheckReport, Comparison, LimitResult } from '../../model/documents/check.ts';
import type { Reporter } from '../../model/report/render-options.ts';
import type { Wording } from '../../model/report/wording.ts';
import { cellText, prose, table } from '../markdown/spans.ts';
import { columnsOf, known } from '../section/model/columns.ts';
import { code } from '../section/model/sentence.ts';
import { joinBlocks } from '../text/blocks.ts';
import { comparedCells, factText, hasChanged } from './facts.ts';
import { fixText, placeOf, problemsOf, resultsByPlace, severityOf, summaryText, whereText } from './texts.ts';

export const checkMarkdown: Reporter<CheckReport> = (report, _options, words) => {
  const problems = problemsOf(report.results);
  return joinBlocks([
    [`### ${report.passed ? '✅' : '❌'} clone-prof check`],
    [prose(summaryText(report))],
    report.failures.map(({ payload, message }) => `- ❌ ${cellText(code(payload))}: ${prose(message)}`),
    problems.length === 0 ? [] : problemTable(problems, words),
    fixLines(problems, words),
    comparedTable(report),
    keptLines(report),
  ]);
};

function problemTable(problems: readonly LimitResult[], words: Wording): string[] {
  const mark = (result: LimitResult) => (severityOf(result) === 'error' ? '❌' : '⚠️');
  return table(
    columnsOf(problems, [
      { head: 'payload', cell: (result) => `${mark(result)} ${placeOf(result)}` },
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

function fixLines(problems: readonly LimitResult[], words: Wording): string[] {
  const fixes = new Set(problems.flatMap((result) => fixText(result, words) ?? []));
  return fixes.size === 0 ? [] : ['**What to do**', '', ...[...fixes].map((fix) => `- ${prose(fix)}`)];
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
