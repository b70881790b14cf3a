/** A payload in a page: the answer, the chart of its bytes, and folded details. */
import type { Node } from '../doc.ts';
import type { Chart } from '../section/model/charts.ts';
import {
  type Figure,
  type FigurePart,
  figureTitle,
  moduleTitle,
  type PayloadSection,
  type RunSection,
  type Statement,
} from '../section/model/model.ts';
import { groupedBy } from '../text/grouped.ts';
import {
  breakable,
  html,
  type Markup,
  type Piece,
  sentenceMarkup,
  spanMarkup,
  table,
} from './markup/markup.ts';
import { codeBlock, nodesMarkup } from './nodes.ts';

/** @param of begins the names of the folds in it */
export type DrawChart = (chart: Chart, of: string) => Markup;

export function payloadMarkup(
  answer: readonly Node[],
  section: PayloadSection,
  anchor: string,
  draw: DrawChart,
): Markup {
  const { id, traffic = [], icicle } = section;
  return html`<section class="payload" id="${anchor}">
${nodesMarkup(answer, { of: id, draw })}${statementList(traffic)}${icicle && draw(icicle, id)}${foldsMarkup(answer, section, draw)}</section>
`;
}

function foldsMarkup(answer: readonly Node[], section: PayloadSection, draw: DrawChart): Piece {
  const { id, gain, runs } = section;
  const figures = runs.flatMap((run) => run.figures.map((figure) => ({ run, figure })));
  const byName = [...groupedBy(figures, ({ figure }) => foldName(id, figure))];
  // Of one run the answer says it.
  const isCompared = (gain?.rows.length ?? 0) > 1;
  return [
    ...byName.map(([name, own]) => {
      const { short, isAsked } = own[0]!.figure;
      const lead = gain !== null && isCompared && short === 'times' ? draw(gain, id) : null;
      const parts = own.map(({ run, figure }) => figureMarkup(run, figure, section, draw));
      return parts.every((part) => part === null) && lead === null
        ? null
        : fold(name, [lead, parts], isAsked);
    }),
    reasonsMarkup(section),
    ...codeFolds(answer, section),
  ];
}

const foldName = (id: string, { short, runtime }: Figure): string =>
  `${id}: ${short}${runtime === null ? '' : ` on ${runtime}`}`;

const fold = (name: string, content: Piece, isOpen = false): Markup =>
  html`<details${isOpen ? html` open=""` : null}><summary>${name}</summary>${content}</details>
`;

/** Of a payload with several verdicts: the runs that a part is about. */
const ofRuns = ({ status, runtimes, facts }: RunSection): Markup =>
  html`<h3>${runtimes} <small class="muted">${[status.text, ...facts].join(' · ')}</small></h3>
`;

function figureMarkup(
  run: RunSection,
  figure: Figure,
  section: PayloadSection,
  draw: DrawChart,
): Markup | null {
  const of = section.runs.length === 1 ? section.id : `${section.id} on ${run.runtimes}`;
  const charts = figure.parts.flatMap((part) => (part.type === 'chart' ? draw(part.chart, of) : []));
  const rest = figure.parts.map((part) => partMarkup(part, figureTitle(figure)));
  if (charts.length === 0 && rest.every((part) => part === null)) return null;
  return html`${figure.runtime === null && section.runs.length > 1 ? ofRuns(run) : null}${charts.length === 0 ? null : html`<div class="charts">${charts}</div>`}${rest}`;
}

/** A distribution is drawn as a chart. */
function partMarkup(part: FigurePart, title: string): Markup | null {
  if (part.type === 'table') return part.columns.length === 0 ? null : table(title, part.columns);
  if (part.type === 'facts')
    return html`<p>${part.facts.map((fact, index) => [index === 0 ? '' : ' · ', spanMarkup(fact)])}</p>`;
  if (part.type === 'list')
    return html`<ul class="prose">${part.items.map((item) => html`<li>${sentenceMarkup(item)}</li>`)}</ul>`;
  return null;
}

/** All findings. */
function reasonsMarkup(section: PayloadSection): Markup | null {
  const { id, source, facts, notes, runs } = section;
  const about = html`<p class="muted">${sentenceMarkup(source)}${facts.map((fact) => ` · ${fact}`)}</p>`;
  const content = runs.map((run) => {
    const shown = run.statements.filter(({ later, isDrawn }) => later !== 'noise' && !isDrawn);
    return [ofRuns(run), statementList(shown)];
  });
  return fold(`${id}: all that was found`, [
    about,
    notes.map((note) => html`<p>${sentenceMarkup(note)}</p>`),
    content,
  ]);
}

/** Code that the answer does not show. */
function codeFolds(answer: readonly Node[], { id, runs }: PayloadSection): Markup[] {
  const codes = [
    ...runs.flatMap(({ code, runtimes }) => (code === null ? [] : { what: 'code', text: code, runtimes })),
    ...runs.flatMap(({ module, runtimes }) =>
      module === null ? [] : { what: `codec, ${moduleTitle(module)}`, text: module, runtimes },
    ),
  ].filter(({ text }) => !answer.some((node) => node.type === 'code' && node.text === text.trimEnd()));
  return [...groupedBy(codes, ({ text }) => text).values()].map((own) => {
    const [{ what, text }] = own as [(typeof codes)[number]];
    const isOne = codes.every((one) => one.what !== what || one.text === text);
    const name = `${id}: ${what}${isOne ? '' : ` for ${own.map(({ runtimes }) => runtimes).join(', ')}`}`;
    return fold(name, codeBlock(text, id, what === 'code' ? 'js' : 'ts'));
  });
}

const statementList = (statements: readonly Statement[]): Piece =>
  statements.length === 0
    ? null
    : html`<dl class="prose">${statements.map(statementMarkup)}</dl>
`;

function statementMarkup(statement: Statement): Markup {
  const { label, tone, sentences = [], explanations = [] } = statement;
  const places = (statement.places ?? []).map(
    ({ path, text }) => html`<li><code>${breakable(path)}</code> ${text}</li>`,
  );
  const content: Piece = [
    places.length === 0 ? null : html`<ul>${places}</ul>`,
    sentences.map((sentence, index) => [index === 0 ? '' : ' ', sentenceMarkup(sentence)]),
    explanations.map(
      ({ rule, text, source }) => html`<p class="muted">${text} <small>Rule ${rule}: ${source}</small></p>`,
    ),
  ];
  return html`<dt>${label}</dt><dd${tone === undefined ? null : html` class="strong ${tone}"`}>${content}</dd>`;
}

export const noiseMarkup = ({ id, runs }: PayloadSection): Markup[] =>
  runs.flatMap(({ runtimes, statements }) =>
    statements
      .filter(({ later }) => later === 'noise')
      .map(({ sentences = [] }) => html`<li>${id}, ${runtimes}: ${sentences.map(sentenceMarkup)}</li>`),
  );
