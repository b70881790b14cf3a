/** A report as a part of a page: the content of reporters/section, as elements and text nodes. */
import type { Measurement } from '../model/documents/measurement.ts';
import type { Report, Run } from '../model/documents/report.ts';
import type { Cell, Column } from '../reporters/section/model/columns.ts';
import {
  type Figure,
  figureTitle,
  type PayloadSection,
  type RunSection,
  type Statement,
  undrawn,
} from '../reporters/section/model/model.ts';
import type { Sentence, Span } from '../reporters/section/model/sentence.ts';
import { NO_PAYLOADS, payloadSection } from '../reporters/section/payload.ts';
import { time, timeInterval } from '../reporters/text/numbers.ts';
import { wordsOf } from '../rule-book/wording.ts';
import { barDrawing, distributionDrawing } from './drawings.ts';
import { element, textLines } from './elements.ts';
import { differenceSentences, sideBySide } from './side-by-side.ts';

/** Draws all payloads of a report in place of what was there. Its classes are those of the HTML report's style sheet. */
export function drawResults(into: HTMLElement, report: Report): void {
  const words = wordsOf();
  const payloads = report.payloads.map((payload) => {
    const section = payloadSection(payload, words);
    const [run, ...others] = payload.runs;
    if (run?.measurement) return measuredElement(section, run, run.measurement, report.payloads.length > 1);
    if (others.length === 0) return payloadElement(section, section.answers, ANSWERS);
    const differences = element('p', { class: 'lead' }, differenceSentences(payload.runs));
    return payloadElement(section, sideBySide(payload.runs, words), 'The engines side by side', differences);
  });
  into.replaceChildren(...(payloads.length === 0 ? [element('p', {}, NO_PAYLOADS)] : payloads));
}

const ANSWERS = 'Answers, fastest first';

/** One number and what to do; all else is folded. */
function measuredElement(
  section: PayloadSection,
  { channel }: Run,
  { roundTrip, floor }: Measurement,
  isNamed: boolean,
): HTMLElement {
  const { id, answers, runs } = section;
  const advised = runs.flatMap(({ statements }) => statements.filter(({ label }) => label === 'do'));
  const trip = channel === 'structured-clone' ? 'One call' : 'From one worker to another and back';
  const empty = `An empty message takes ${time(floor.roundTrip)}.`;
  return element(
    'section',
    { class: 'payload' },
    isNamed ? element('h3', {}, id) : null,
    element('p', { class: 'number' }, time(roundTrip.median)),
    element('p', {}, `${trip} (95 %: ${timeInterval(roundTrip)}). ${empty}`),
    advised.flatMap(({ sentences = [] }) => sentences.map((one) => element('p', {}, sentenceNodes(one)))),
    element(
      'details',
      {},
      element('summary', {}, 'All numbers, rewrites and code'),
      table(ANSWERS, answers),
      runs.map((run) => runElement(run, true)),
    ),
  );
}

function payloadElement(
  section: PayloadSection,
  rows: readonly Column[],
  caption: string,
  lead: HTMLElement | null = null,
): HTMLElement {
  const { id, source, facts, error, notes, runs } = section;
  const size = facts.map((fact) => ` · ${fact}`);
  return element(
    'section',
    { class: 'payload' },
    element('h3', {}, id),
    element('p', { class: 'muted' }, sentenceNodes(source), size),
    error === null ? null : errorNodes(error),
    lead,
    rows.length === 0 ? null : table(caption, rows),
    notes.map((note) => element('p', {}, sentenceNodes(note))),
    runs.map((run, index) => runElement(run, index === 0)),
  );
}

const errorNodes = (error: string): HTMLElement[] => [
  element('p', { class: 'bad' }, element('strong', {}, 'Failed')),
  element('pre', {}, textLines(error)),
];

function runElement(run: RunSection, isOpen: boolean): HTMLElement {
  const { status, runtimes, facts, error, alarm, statements, code, module, figures } = run;
  const badge = element('strong', { class: `badge ${status.tone ?? 'plain'}` }, status.text);
  const about = [element('strong', {}, runtimes), ' ', element('small', {}, facts.join(' · '))];
  return element(
    'details',
    { class: 'run', open: isOpen },
    element('summary', {}, badge, ' ', about),
    error === null ? null : errorNodes(error),
    alarm === null ? null : element('p', { class: 'alarm bad', role: 'alert' }, sentenceNodes(alarm)),
    element('dl', { class: 'prose' }, statements.flatMap(statementElements)),
    code === null ? null : element('pre', {}, element('code', {}, textLines(code))),
    module === null ? null : folded('The codec in TypeScript', element('code', {}, textLines(module))),
    figures.map(figureNodes),
  );
}

const folded = (title: string, content: Node): HTMLElement =>
  element('details', {}, element('summary', {}, title), element('pre', {}, content));

function statementElements({ label, tone, places = [], sentences = [], explanations = [] }: Statement) {
  const items = places.map(({ path, text }) => element('li', {}, element('code', {}, path), ` ${text}`));
  return [
    element('dt', {}, label),
    element(
      'dd',
      { class: tone === undefined ? 'text' : `strong ${tone}` },
      items.length === 0 ? null : element('ul', {}, items),
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
  const all = figure.parts.map(undrawn);
  const parts = all.map((part) => {
    if (part.type === 'table') return part.columns.length === 0 ? null : table(title, part.columns);
    if (part.type === 'distribution') return element('figure', {}, distributionDrawing(part.distribution));
    if (part.type === 'facts') {
      const facts = part.facts.map((fact, index) => [index === 0 ? '' : ' · ', spanNode(fact)]);
      return element('p', {}, facts);
    }
    const items = part.items.map((item) => element('li', {}, sentenceNodes(item)));
    return element('ul', { class: 'prose' }, items);
  });
  return all.some(({ type }) => type === 'table') ? parts : [element('h4', {}, title), ...parts];
}

function table(caption: string, columns: readonly Column[]): HTMLElement {
  const [names, ...others] = columns;
  const rows = (names?.cells ?? []).map((name, row) => {
    const cellAt = ({ cells, align }: Column) =>
      element('td', { class: align ?? 'left' }, cellNode(cells[row] ?? ''));
    return element('tr', {}, element('th', { scope: 'row' }, cellNode(name)), others.map(cellAt));
  });
  // A part that scrolls is reached by keyboard only when it takes the focus.
  const scrolling = { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': caption };
  const head = element('thead', {}, element('tr', {}, columns.map(headElement)));
  const body = element('tbody', {}, rows);
  return element('div', scrolling, element('table', {}, element('caption', {}, caption), head, body));
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
  // The option of the command is a field of the page.
  const said = text.replace(/^-b (?=\d)/, 'Measure for: ');
  const shown = code ? element('code', {}, said) : said;
  return tone === undefined ? shown : element('span', { class: tone }, shown);
}
