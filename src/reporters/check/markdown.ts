import type { CheckReport, LimitResult } from '../../model/check.ts';
import type { RenderOptions } from '../../model/render-options.ts';
import type { Wording } from '../../model/wording.ts';
import { cellCode, prose } from '../markdown/spans.ts';
import { table } from '../markdown/table.ts';
import {
  factWords,
  fixWords,
  groupsOf,
  placeOf,
  problemsOf,
  severityOf,
  sumWords,
  whereWords,
} from './words.ts';

/** For a job summary, a comment or a file. Ends in a line end. */
export function checkMarkdown(report: CheckReport, _look: RenderOptions, words: Wording): string {
  const problems = problemsOf(report.results);
  const blocks = [
    [`### ${report.passed ? '✅' : '❌'} clone-prof check`],
    [prose(sumWords(report))],
    report.failures.map(({ payload, message }) => `- ❌ ${cellCode(payload)}: ${prose(message)}`),
    problems.length === 0 ? [] : problemTable(problems, words),
    fixLines(problems, words),
    keptLines(report),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function problemTable(problems: readonly LimitResult[], words: Wording): string[] {
  const cells = (cellOf: (result: LimitResult) => string) => problems.map(cellOf);
  const mark = (result: LimitResult) => (severityOf(result) === 'error' ? '❌' : '⚠️');
  return table([
    { key: 'payload', head: 'payload', cells: cells((one) => `${mark(one)} ${prose(placeOf(one))}`) },
    { key: 'limit', head: 'limit', cells: cells(({ limit }) => prose(limit)) },
    { key: 'fact', head: 'is', cells: cells((one) => prose(factWords(one))) },
    {
      key: 'where',
      head: 'where',
      cells: cells((one) => {
        const where = whereWords(one, words);
        return where === null ? '' : cellCode(where);
      }),
    },
  ]);
}

/** Each advice once. */
function fixLines(problems: readonly LimitResult[], words: Wording): string[] {
  const fixes = new Set(problems.flatMap((result) => fixWords(result, words) ?? []));
  return fixes.size === 0 ? [] : ['**What to do**', '', ...[...fixes].map((fix) => `- ${prose(fix)}`)];
}

function keptLines({ results }: CheckReport): string[] {
  const kept = groupsOf(results.filter((result) => severityOf(result) === null));
  if (kept.length === 0) return [];
  const lines = kept.map(
    ({ place, results: passed }) =>
      `- ${prose(place)}: ${prose([...new Set(passed.map(({ limit }) => limit))].join(', '))}`,
  );
  return ['<details><summary>Limits kept</summary>', '', ...lines, '', '</details>'];
}
