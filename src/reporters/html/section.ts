import {
  type Explanation,
  moduleTitle,
  type PathText,
  type PayloadSection,
  type RunSection,
  type Statement,
} from '../section/model/model.ts';
import { gainFigure } from './charts/gain.ts';
import { chartsMarkup, foldedFigure } from './figures.ts';
import { html, lines, type Markup, type Piece, sentenceMarkup, spanMarkup } from './markup/markup.ts';

/** @param anchor the id of its element */
export function payloadMarkup(section: PayloadSection, anchor: string): Markup {
  const { id, source, facts, error, traffic = [], gain, notes, runs } = section;
  const size = facts.map((fact) => ` · ${fact}`);
  return html`<section class="payload" id="${anchor}">
<h2>${id}</h2>
<p class="muted">${sentenceMarkup(source)}${size}</p>
${error === null ? null : errorMarkup(error)}${statementList(traffic)}${gain === null ? null : gainFigure(gain)}${notes.map((note) => html`<p>${sentenceMarkup(note)}</p>`)}${runs.map(runMarkup)}</section>
`;
}

const errorMarkup = (error: string): Markup =>
  html`<p class="bad"><strong>✖ Failed</strong></p><pre>${lines(error)}</pre>`;

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

/** Longer code is folded. */
const SHORT_CODE = 6;

function codeMarkup({ code, module }: RunSection): Piece {
  const shown = code === null ? [] : lines(code);
  const open = shown.length > SHORT_CODE ? null : html` open=""`;
  return [
    code === null
      ? null
      : html`<details${open}><summary>Code</summary><pre><code>${shown}</code></pre></details>
`,
    module === null ? null : moduleMarkup(module),
  ];
}

const moduleMarkup = (module: string): Markup =>
  html`<details><summary>The codec: ${moduleTitle(module)}</summary><pre><code>${lines(module)}</code></pre></details>
`;

const MAX_PLACES = 6;

function statementMarkup(statement: Statement): Markup {
  const { label, tone, places = [], sentences = [], explanations = [] } = statement;
  const more = places.slice(MAX_PLACES);
  const content: Piece = [
    places.length === 0 ? null : placesMarkup(places.slice(0, MAX_PLACES)),
    more.length === 0
      ? null
      : html`<details><summary>${more.length} more</summary>${placesMarkup(more)}</details>`,
    sentences.map((sentence, index) => [index === 0 ? '' : ' ', sentenceMarkup(sentence)]),
    explanations.map(explanationMarkup),
  ];
  return html`<dt>${label}</dt><dd class="${tone === undefined ? 'text' : `strong ${tone}`}">${content}</dd>`;
}

const placesMarkup = (places: readonly PathText[]): Markup =>
  html`<ul>${places.map(({ path, text }) => html`<li><code>${path}</code> ${text}</li>`)}</ul>`;

const explanationMarkup = ({ rule, text, source }: Explanation): Markup =>
  html`<p class="muted">${text}</p><details><summary>Rule ${rule}</summary>Source: ${source}</details>`;

/** Noise of the machine, for the foot of the page: of which payload, and what. */
export const noiseMarkup = ({ id, runs }: PayloadSection): Markup[] =>
  runs
    .flatMap(({ runtimes, statements }) => statements.map((statement) => ({ ...statement, runtimes })))
    .filter(({ later }) => later === 'noise')
    .map(
      ({ runtimes, sentences = [] }) =>
        html`<li>${id}, ${runtimes}: ${sentences.map((one) => sentenceMarkup(one))}</li>`,
    );
