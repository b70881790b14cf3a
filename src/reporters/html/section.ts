import type { Node } from '../doc.ts';
import type { Chart } from '../section/model/charts.ts';
import {
  type Figure,
  figureTitle,
  moduleTitle,
  type PayloadSection,
  type RunSection,
  type Statement,
} from '../section/model/model.ts';
import { barsFigure, stripFigure } from './charts/bars.ts';
import { curvesFigure } from './charts/curves.ts';
import { densityFigure } from './charts/density.ts';
import { forestFigure } from './charts/forest.ts';
import { gainFigure } from './charts/gain.ts';
import { icicleFigure } from './charts/icicle.ts';
import { timelineFigure } from './charts/timeline.ts';
import {
  breakable,
  html,
  lineMarkup,
  type Markup,
  type Piece,
  sentenceMarkup,
  spanMarkup,
  table,
} from './markup/markup.ts';
import { nodesMarkup } from './nodes.ts';

const FIGURES: { [Kind in Chart['kind']]: (chart: Extract<Chart, { kind: Kind }>) => Markup } = {
  ...{ gain: gainFigure, forest: forestFigure, density: densityFigure, strip: stripFigure },
  ...{ bars: barsFigure, icicle: icicleFigure, curves: curvesFigure, timeline: timelineFigure },
};

export const chartMarkup = (chart: Chart): Markup => (FIGURES[chart.kind] as (of: Chart) => Markup)(chart);

/** The answer, then folded all that stands behind it. */
export function payloadMarkup(answer: readonly Node[], section: PayloadSection, anchor: string): Markup {
  const { id, source, facts, error, traffic = [], gain, notes, runs } = section;
  const size = facts.map((fact) => ` · ${fact}`);
  return html`<section class="payload" id="${anchor}">
${nodesMarkup(answer)}<details class="more"><summary>Details of ${id}</summary>
<p class="muted">${sentenceMarkup(source)}${size}</p>
${error === null ? null : errorMarkup(error)}${statementList(traffic)}${gain === null ? null : gainFigure(gain)}${notes.map((note) => html`<p>${sentenceMarkup(note)}</p>`)}${runs.map(runMarkup)}</details>
</section>
`;
}

const errorMarkup = (error: string): Markup =>
  html`<p class="bad"><strong>✖ Failed</strong></p><pre>${lineMarkup(error)}</pre>`;

export const statementList = (statements: readonly Statement[]): Piece =>
  statements.length === 0
    ? null
    : html`<dl class="prose">${statements.map(statementMarkup)}</dl>
`;

function runMarkup(run: RunSection): Markup {
  const { status, runtimes, facts, error, alarm, statements, figures } = run;
  const later = (when?: Statement['later']) =>
    statements.filter((statement) => statement.later === when && !statement.isDrawn);
  return html`<article class="run">
<h3><span class="badge ${status.tone ?? 'plain'}">${spanMarkup(status)}</span> ${runtimes} <small class="muted">${facts.join(' · ')}</small></h3>
${error === null ? null : errorMarkup(error)}${alarm === null ? null : html`<p class="alarm bad" role="alert">${sentenceMarkup(alarm)}</p>`}
${statementList(later())}${chartsMarkup(figures)}${statementList(later('detail'))}${codeMarkup(run)}${figures.map(foldedFigure)}</article>
`;
}

const SHORT_CODE = 6;

function codeMarkup({ code, module }: RunSection): Piece {
  const shown = code === null ? [] : lineMarkup(code);
  const open = shown.length > SHORT_CODE ? null : html` open=""`;
  return [
    code === null
      ? null
      : html`<details${open}><summary>Code</summary><pre><code>${shown}</code></pre></details>
`,
    module === null
      ? null
      : html`<details><summary>The codec: ${moduleTitle(module)}</summary><pre><code>${lineMarkup(module)}</code></pre></details>
`,
  ];
}

const MAX_PLACES = 6;

function statementMarkup(statement: Statement): Markup {
  const { label, tone, sentences = [], explanations = [] } = statement;
  const places = (statement.places ?? []).map(
    ({ path, text }) => html`<li><code>${breakable(path)}</code> ${text}</li>`,
  );
  const more = places.slice(MAX_PLACES);
  const content: Piece = [
    places.length === 0 ? null : html`<ul>${places.slice(0, MAX_PLACES)}</ul>`,
    more.length === 0
      ? null
      : html`<details><summary>${more.length} more</summary><ul>${more}</ul></details>`,
    sentences.map((sentence, index) => [index === 0 ? '' : ' ', sentenceMarkup(sentence)]),
    explanations.map(
      ({ rule, text, source }) =>
        html`<p class="muted">${text}</p><details><summary>Rule ${rule}</summary>Source: ${source}</details>`,
    ),
  ];
  return html`<dt>${label}</dt><dd class="${tone === undefined ? 'text' : `strong ${tone}`}">${content}</dd>`;
}

export const noiseMarkup = ({ id, runs }: PayloadSection): Markup[] =>
  runs.flatMap(({ runtimes, statements }) =>
    statements
      .filter(({ later }) => later === 'noise')
      .map(({ sentences = [] }) => html`<li>${id}, ${runtimes}: ${sentences.map(sentenceMarkup)}</li>`),
  );

/** What a reader looks at first, last; all others follow in their order. */
const FIRST: readonly Chart['kind'][] = ['forest', 'icicle'];

function chartsMarkup(figures: readonly Figure[]): Piece {
  const charts = figures
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'chart' ? part.chart : [])))
    .sort((a, b) => FIRST.indexOf(b.kind) - FIRST.indexOf(a.kind));
  return charts.length === 0
    ? null
    : html`<div class="charts">${charts.map(chartMarkup)}</div>
`;
}

function foldedFigure(figure: Figure): Markup | null {
  const title = figureTitle(figure);
  const parts = figure.parts.flatMap((part) => {
    if (part.type === 'table') return table(title, part.columns);
    if (part.type === 'facts')
      return html`<p>${part.facts.map((fact, index) => [index === 0 ? '' : ' · ', spanMarkup(fact)])}</p>`;
    if (part.type === 'list')
      return html`<ul class="prose">${part.items.map((item) => html`<li>${sentenceMarkup(item)}</li>`)}</ul>`;
    // Charts are shown before; one of them is the distribution.
    return [];
  });
  return parts.length === 0
    ? null
    : html`<details><summary>${title}</summary>${parts}</details>
`;
}
