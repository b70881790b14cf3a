import type { History } from '../../model/documents/history.ts';
import type { Reporter } from '../../model/report/render-options.ts';
import { curvesFigure } from '../html/charts/curves.ts';
import { page } from '../html/frame.ts';
import { html } from '../html/markup/markup.ts';
import { compactJson } from '../text/json.ts';
import { historySection } from './section.ts';

export const htmlHistory: Reporter<History> = (history) => {
  const { title, lead, payloads } = historySection(history);
  return page({
    title: `history of ${title}`,
    heading: 'clone-prof history',
    facts: [title],
    main: html`<p class="muted">${title}. ${lead}</p>
${payloads.map(
  ({ name, charts }) => html`<section class="payload">
<h2>${name}</h2>
<div class="charts">${charts.map(curvesFigure)}</div></section>
`,
)}`,
    json: compactJson(history),
  });
};
