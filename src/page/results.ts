/** A report as a part of a page: the content of reporters/section, as elements and text nodes. */
import type { Report } from '../model/documents/report.ts';
import type { Cell, Column } from '../reporters/section/model/columns.ts';
import {
  type Figure,
  type FigurePart,
  figureTitle,
  type PayloadSection,
  type RunSection,
  type Statement,
} from '../reporters/section/model/model.ts';
import type { Sentence, Span } from '../reporters/section/model/sentence.ts';
import { NO_PAYLOADS, payloadSection } from '../reporters/section/payload.ts';
import { wordsOf } from '../rule-book/wording.ts';
import { barDrawing, distributionDrawing } from './drawings.ts';
import { element, linesOf } from './elements.ts';

/** Draws all payloads of a report in place of what was there. Its classes are those of the HTML report's style sheet. */
export function drawResults(into: HTMLElement, report: Report): void {
  const words = wordsOf();
  const payloads = report.payloads.map((payload) => payloadElement(payloadSection(payload, words)));
  into.replaceChildren(...(payloads.length === 0 ? [element('p', {}, NO_PAYLOADS)] : payloads));
}

function payloadElement(section: PayloadSection): HTMLElement {
  const { id, source, facts, error, answers, notes, runs } = section;
  // One run needs no click.
  const isOpen = runs.length === 1;
  return element(
    'section',
    { class: 'payload' },
    element('h3', {}, id),
    element(
      'p',
      { class: 'muted' },
      sentenceNodes(source),
      facts.map((fact) => ` · ${fact}`),
    ),
    error === null ? null : errorNodes(error),
    answers.length === 0 ? null : table('Answers, fastest first', answers),
    notes.map((note) => element('p', {}, sentenceNodes(note))),
    runs.map((run) => runElement(run, isOpen)),
  );
}

const errorNodes = (error: string): HTMLElement[] => [
  element('p', { class: 'bad' }, element('strong', {}, 'Failed')),
  element('pre', {}, linesOf(error)),
];

function runElement(run: RunSection, isOpen: boolean): HTMLElement {
  const { status, runtimes, facts, error, alarm, statements, code, module, figures } = run;
  return element(
    'details',
    { class: 'run', open: isOpen },
    element(
      'summary',
      {},
      element('strong', { class: `badge ${status.tone ?? 'plain'}` }, status.text),
      ' ',
      element('strong', {}, runtimes),
      ' ',
      element('small', {}, facts.join(' · ')),
    ),
    error === null ? null : errorNodes(error),
    alarm === null ? null : element('p', { class: 'alarm bad', role: 'alert' }, sentenceNodes(alarm)),
    element('dl', { class: 'prose' }, statements.flatMap(statementElements)),
    code === null ? null : element('pre', {}, element('code', {}, linesOf(code))),
    module === null ? null : folded('The codec in TypeScript', element('code', {}, linesOf(module))),
    figures.map(figureNodes),
  );
}

const folded = (title: string, content: Node): HTMLElement =>
  element('details', {}, element('summary', {}, title), element('pre', {}, content));

function statementElements({ label, tone, places = [], sentences = [], explanations = [] }: Statement) {
  return [
    element('dt', {}, label),
    element(
      'dd',
      { class: tone === undefined ? 'text' : `strong ${tone}` },
      places.length === 0
        ? null
        : element(
            'ul',
            {},
            places.map(({ path, text }) => element('li', {}, element('code', {}, path), ` ${text}`)),
          ),
      sentences.map((sentence, index) => [index === 0 ? '' : ' ', sentenceNodes(sentence)]),
      explanations.map(({ rule, text, source }) => [
        element('p', { class: 'muted' }, text),
        element('details', {}, element('summary', {}, `Rule ${rule}`), `Source: ${source}`),
      ]),
    ),
  ];
}

/** The title is the caption of the table; without a table it is a heading. */
function figureNodes(figure: Figure): (HTMLElement | null)[] {
  const title = figureTitle(figure);
  const hasTable = figure.parts.some(({ type }) => type === 'table' || type === 'chart');
  const parts = figure.parts.map((part) => partElement(part, title));
  return hasTable ? parts : [element('h4', {}, title), ...parts];
}

function partElement(part: FigurePart, title: string): HTMLElement | null {
  switch (part.type) {
    case 'table':
      return table(title, part.columns);
    case 'distribution':
      return element('figure', {}, distributionDrawing(part.distribution));
    case 'chart':
      return part.chart.isDrawnOnly ? null : table(title, part.chart.columns);
    case 'facts':
      return element(
        'p',
        {},
        part.facts.map((fact, index) => [index === 0 ? '' : ' · ', spanNode(fact)]),
      );
    case 'list':
      return element(
        'ul',
        { class: 'prose' },
        part.items.map((item) => element('li', {}, sentenceNodes(item))),
      );
  }
}

/** The first column names the rows. */
function table(caption: string, columns: readonly Column[]): HTMLElement {
  const [names, ...others] = columns;
  const rows = (names?.cells ?? []).map((name, row) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, cellNode(name)),
      others.map(({ cells, align }) => element('td', { class: align ?? 'left' }, cellNode(cells[row] ?? ''))),
    ),
  );
  // A part that scrolls is reached by keyboard only when it takes the focus.
  return element(
    'div',
    { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': caption },
    element(
      'table',
      {},
      element('caption', {}, caption),
      element('thead', {}, element('tr', {}, columns.map(headElement))),
      element('tbody', {}, rows),
    ),
  );
}

const headElement = ({ head, align }: Column): HTMLElement =>
  head === '' ? element('td') : element('th', { scope: 'col', class: align ?? 'left' }, head);

function cellNode(cell: Cell): Node | string {
  if (typeof cell === 'string') return cell;
  if ('bar' in cell) return barDrawing(cell);
  return 'histogram' in cell ? distributionDrawing(cell) : spanNode(cell);
}

const sentenceNodes = (sentence: Sentence): (Node | string)[] => sentence.map(spanNode);

function spanNode(span: Span): Node | string {
  if (typeof span === 'string') return span;
  const { text, tone, code } = span;
  const shown = code ? element('code', {}, text) : text;
  return tone === undefined ? shown : element('span', { class: tone }, shown);
}
