import type { ReportComparison } from '../../model/documents/comparison.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { Wording } from '../../model/report/wording.ts';
import { comparisonSection } from '../section/comparison/comparison.ts';
import { textOf } from '../text/blocks.ts';
import { folded, statementItems } from './section.ts';
import { cellText, sentenceText } from './spans.ts';
import { table } from './table.ts';

/** Stored reports against the first of them; what changed is folded. */
export function markdownComparison(
  comparison: ReportComparison,
  _options: RenderOptions,
  words: Wording,
): string {
  const { reports, lead, runs, changed, notes } = comparisonSection(comparison, words);
  return textOf([
    ['## clone-prof: what changed'],
    table(reports),
    [`**${sentenceText(lead)}**`],
    runs.length === 0 ? [] : table(runs),
    ...changed.flatMap(({ title, statements, shares }) =>
      folded(title.map(cellText).join(''), [
        statements.flatMap(statementItems),
        shares === null ? [] : table(shares.columns),
      ]),
    ),
    ...notes.map((note) => [`<sub>${note.map(cellText).join('')}</sub>`]),
  ]);
}
