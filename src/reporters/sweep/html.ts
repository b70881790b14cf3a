/** A sweep as one page: conclusions, curves, and the tables behind them. */
import type { SweepReport } from '../../model/documents/sweep.ts';
import { curvesFigure } from '../html/charts/curves.ts';
import { page } from '../html/frame.ts';
import { html, type Markup, table } from '../html/markup/markup.ts';
import type { CurvesChart } from '../section/model/charts.ts';
import { machineFacts } from '../section/payload.ts';
import { visibleJson } from '../text/escape.ts';
import { type SweepSection, sweepSection } from './section.ts';

export function htmlSweep(report: SweepReport): string {
  const { title, lead, verdict, conclusions, charts, tables, notes } = sweepSection(report);
  const titles = new Set(charts.map((chart) => chart.title));
  return page({
    title: `sweep of ${title}`,
    heading: 'clone-prof sweep',
    facts: machineFacts(report),
    main: html`<section class="sweep">
<h2>${title}</h2>
<p class="muted">${lead}</p>
${verdict.map((one) => html`<p><strong>${one}</strong></p>`)}${conclusions.filter(({ about }) => !titles.has(about ?? '')).map(conclusionMarkup)}<div class="charts">${charts.map((chart) => chartMarkup(chart, conclusions))}</div>
${tables.map(tableMarkup)}${notes.map((note) => html`<p class="muted">${note}</p>`)}</section>
`,
    json: visibleJson(JSON.stringify(report)),
  });
}

/** What a chart shows stands above it, under its name. */
function chartMarkup(chart: CurvesChart, conclusions: SweepSection['conclusions']): Markup {
  const own = conclusions.find(({ about }) => about === chart.title);
  if (own === undefined) return curvesFigure(chart);
  const figure = curvesFigure({
    ...chart,
    of: chart.title,
    title: 'Time against size, both axes logarithmic',
  });
  return html`<div>${conclusionMarkup(own)}${figure}</div>`;
}

const tableMarkup = ({ title, columns }: SweepSection['tables'][number]): Markup =>
  html`<details><summary>${title}</summary>${table(title, columns)}</details>
`;

const conclusionMarkup = ({ about, texts }: SweepSection['conclusions'][number]): Markup =>
  html`${about === null ? null : html`<h3>${about}</h3>`}<ul class="prose">${texts.map((text) => html`<li>${text}</li>`)}</ul>
`;
