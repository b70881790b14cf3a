import type { CheckReport, LimitResult } from '../../model/documents/check.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { Wording } from '../../model/report/wording.ts';
import { cellText, prose } from '../markdown/spans.ts';
import { table } from '../markdown/table.ts';
import { columnsOf, known } from '../section/model/columns.ts';
import { code } from '../section/model/sentence.ts';
import { textOf } from '../text/blocks.ts';
import { comparedCells, hasChanged } from './compared.ts';
import {
  factText,
  fixText,
  placeOf,
  problemsOf,
  resultsByPlace,
  severityOf,
  summaryText,
  whereText,
} from './texts.ts';

/** For a job summary, a comment or a file. Ends in a line end. */
export function checkMarkdown(report: CheckReport, _options: RenderOptions, words: Wording): string {
  const problems = problemsOf(report.results);
  return textOf([
    [`### ${report.passed ? '✅' : '❌'} clone-prof check`],
    [prose(summaryText(report))],
    report.failures.map(({ payload, message }) => `- ❌ ${cellText(code(payload))}: ${prose(message)}`),
    problems.length === 0 ? [] : problemTable(problems, words),
    fixLines(problems, words),
    comparedTable(report),
    keptLines(report),
  ]);
}

function problemTable(problems: readonly LimitResult[], words: Wording): string[] {
  const mark = (result: LimitResult) => (severityOf(result) === 'error' ? '❌' : '⚠️');
  const columns = columnsOf(problems, [
    { head: 'payload', cell: (result) => `${mark(result)} ${placeOf(result)}` },
    { head: 'limit', cell: ({ limit }) => limit },
    { head: 'is', cell: factText },
    { head: 'where', cell: (result) => known(whereText(result, words), code) },
  ]);
  return table(columns);
}

/** Before and now of everything, what changed first. */
function comparedTable({ base, compared = [] }: CheckReport): string[] {
  if (!base || compared.length === 0) return [];
  const rows = [...compared.filter(hasChanged), ...compared.filter((one) => !hasChanged(one))];
  const columns = columnsOf(rows, [
    { head: 'payload', cell: placeOf },
    { head: 'class', cell: (one) => comparedCells(one).class },
    { head: 'bytes', cell: (one) => comparedCells(one).bytes },
    { head: 'values', cell: (one) => comparedCells(one).values },
    { head: 'time', cell: (one) => comparedCells(one).time },
  ]);
  return [`Since ${cellText(code(base.ref))}:`, '', ...table(columns)];
}

/** Each advice once. */
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
