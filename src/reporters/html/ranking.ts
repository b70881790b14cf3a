import type { RecordingSection } from '../section/model/model.ts';
import { chartMarkup } from './charts.ts';
import { html, type Markup, sentenceMarkup } from './markup/markup.ts';
import { table } from './markup/table.ts';

/** The first column names the rows: by the site, whose rank is its place. */
const named = (sites: RecordingSection['sites']) => sites.filter(({ head }) => head !== '');

export function recordingMarkup(section: RecordingSection): Markup {
  const { file, program, facts, lead, charts, sites, notes } = section;
  return html`<section class="payload recording">
<h2>${file}</h2>
<p class="muted">${sentenceMarkup(program)}${facts.map((fact) => ` · ${fact}`)}</p>
${lead.map((one) => html`<p>${sentenceMarkup(one)}</p>`)}${charts.length === 0 ? null : html`<div class="charts">${charts.map(chartMarkup)}</div>`}${sites.length === 0 ? null : table('Sites, most expensive first', named(sites))}
<ul class="prose muted">${notes.map((note) => html`<li>${sentenceMarkup(note)}</li>`)}</ul>
</section>
`;
}
