import type { ReportComparison } from '../../model/documents/comparison.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { Wording } from '../../model/report/wording.ts';
import { comparisonSection } from '../section/comparison/comparison.ts';
import type { ChangedRun } from '../section/model/model.ts';
import { escapedJson } from '../text/json.ts';
import { counted } from '../text/numbers.ts';
import { page } from './frame.ts';
import { html, type Markup, sentenceMarkup } from './markup/markup.ts';
import { table } from './markup/table.ts';
import { statementList } from './section.ts';

/** Stored reports against the first of them, as one page. */
export function htmlComparison(
  comparison: ReportComparison,
  _options: RenderOptions,
  words: Wording,
): string {
  const { reports, lead, runs, changed, notes } = comparisonSection(comparison, words);
  return page({
    title: comparison.reports.map(({ file }) => file).join(', '),
    heading: 'clone-prof report',
    facts: [counted(comparison.reports.length, 'report')],
    main: html`<section class="payload">
<h2>What changed</h2>
${table('Reports', reports)}<p><strong>${sentenceMarkup(lead)}</strong></p>
${runs.length === 0 ? null : table('Runs', runs)}${changed.map(changedMarkup)}
<ul class="prose muted">${notes.map((note) => html`<li>${sentenceMarkup(note)}</li>`)}</ul>
</section>`,
    json: escapedJson(comparison),
  });
}

const changedMarkup = ({ title, statements, shares }: ChangedRun): Markup => html`<article class="run">
<h3>${sentenceMarkup(title)}</h3>
${statementList(statements)}${shares && table(shares.title, shares.columns)}</article>
`;
