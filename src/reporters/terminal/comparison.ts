import type { ReportComparison } from '../../model/documents/comparison.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { Wording } from '../../model/report/wording.ts';
import { comparisonSection } from '../section/comparison/comparison.ts';
import { textOf } from '../text/blocks.ts';
import { indented, wrapped } from './layout.ts';
import { statementLines } from './statements.ts';
import { terminalStyle } from './style.ts';
import { table } from './table.ts';

/** Stored reports against the first of them. */
export function terminalComparison(
  comparison: ReportComparison,
  options: RenderOptions,
  words: Wording,
): string {
  const style = terminalStyle(options);
  const { reports, lead, runs, changed, notes } = comparisonSection(comparison, words);
  const width = style.columns - 2;
  return textOf([
    table(reports, style.columns, style),
    [
      ...wrapped(style.sentence(lead), style.columns).map(style.paint.title),
      ...indented(table(runs, width, style)),
    ],
    ...changed.flatMap(({ title, statements, shares }) => [
      [
        ...wrapped(style.sentence(title), style.columns).map(style.paint.title),
        ...statements.flatMap((statement) => statementLines(statement, style)),
      ],
      shares === null ? [] : indented(table(shares.columns, width, style)),
    ]),
    notes.flatMap((note) => wrapped(style.sentence(note), style.columns).map(style.paint.muted)),
  ]);
}
