import {
  type Explanation,
  moduleTitle,
  type PayloadSection,
  type Place,
  type RunSection,
  type Statement,
} from '../section/model.ts';
import { figureMarkup } from './figures.ts';
import { html, lines, type Markup, type Piece, sentenceMarkup } from './markup.ts';
import { table } from './table.ts';

export function payloadMarkup(section: PayloadSection): Markup {
  const { id, source, facts, error, traffic = [], answers, notes, runs } = section;
  const size = facts.map((fact) => ` · ${fact}`);
  return html`<section class="payload">
<h2>${id}</h2>
<p class="muted">${sentenceMarkup(source)}${size}</p>
${error === null ? null : errorMarkup(error)}${traffic.length === 0 ? null : html`<dl class="prose">${traffic.map(statementMarkup)}</dl>`}${answers.length === 0 ? null : table('Answers, fastest first', answers)}
${notes.map((note) => html`<p>${sentenceMarkup(note)}</p>`)}${runs.map(runMarkup)}
</section>
`;
}

const errorMarkup = (error: string): Markup =>
  html`<p class="bad"><strong>Failed</strong></p><pre>${lines(error)}</pre>`;

function runMarkup(run: RunSection): Markup {
  const { status, runtimes, facts, error, alarm, statements, code, module, figures } = run;
  return html`<article class="run">
<h3><span class="badge ${status.tone ?? 'plain'}">${status.text}</span> ${runtimes} <small class="muted">${facts.join(' · ')}</small></h3>
${error === null ? null : errorMarkup(error)}${alarm === null ? null : html`<p class="alarm bad" role="alert">${sentenceMarkup(alarm)}</p>`}
<dl class="prose">${statements.map(statementMarkup)}</dl>
${code === null ? null : html`<pre><code>${lines(code)}</code></pre>`}
${module === null ? null : moduleMarkup(module)}${figures.map(figureMarkup)}</article>
`;
}

const moduleMarkup = (module: string): Markup =>
  html`<details><summary>The codec: ${moduleTitle(module)}</summary><pre><code>${lines(module)}</code></pre></details>
`;

export function statementMarkup(statement: Statement): Markup {
  const { label, tone, places = [], sentences = [], explanations = [] } = statement;
  const content: Piece = [
    places.length === 0 ? null : html`<ul>${places.map(placeMarkup)}</ul>`,
    sentences.map((sentence, index) => [index === 0 ? '' : ' ', sentenceMarkup(sentence)]),
    explanations.map(explanationMarkup),
  ];
  return html`<dt>${label}</dt><dd class="${tone === undefined ? 'text' : `strong ${tone}`}">${content}</dd>`;
}

const placeMarkup = ({ path, text }: Place): Markup => html`<li><code>${path}</code> ${text}</li>`;

const explanationMarkup = ({ rule, text, source }: Explanation): Markup =>
  html`<p class="muted">${text}</p><details><summary>Rule ${rule}</summary>Source: ${source}</details>`;
