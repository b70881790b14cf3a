/** A report as a part of a page: the markup of the HTML report, without its drawings. */
import type { PayloadReport, Report } from '../model/documents/report.ts';
import type { Wording } from '../model/report/wording.ts';
import { block, type Node, text } from '../reporters/doc.ts';
import { html, type Markup, numberTable } from '../reporters/html/markup/markup.ts';
import { payloadMarkup } from '../reporters/html/section.ts';
import { answerNodes } from '../reporters/print/answer.ts';
import type { Chart } from '../reporters/section/model/charts.ts';
import type { Span } from '../reporters/section/model/sentence.ts';
import { NO_PAYLOADS, payloadSection } from '../reporters/section/payload.ts';
import { wordsOf } from '../rule-book/wording.ts';
import { differenceSentences, sideBySide } from './side-by-side.ts';

/** Draws all payloads of a report in place of what was there. Its classes are those of the HTML report's style sheet. */
export function drawResults(into: HTMLElement, report: Report): void {
  const words = wordsOf();
  const payloads = report.payloads.map((payload, place) =>
    payloadMarkup(
      nodesOf(payload, words),
      payloadSection(payload, words),
      `${into.id}-${place + 1}`,
      withoutDrawing,
    ),
  );
  const shown = payloads.length === 0 ? [html`<p>${NO_PAYLOADS}</p>`] : payloads;
  into.replaceChildren(...shown.flatMap(elementsOf));
}

/** Drawings would make the page too large: the tables have their numbers. */
const withoutDrawing = (chart: Chart): Markup =>
  chart.isDrawnOnly ? html`` : numberTable(chart.title, chart.columns);

/** The engines side by side, for payloads without times. */
function nodesOf(payload: PayloadReport, words: Wording): Node[] {
  const { runs } = payload;
  const answer = answerNodes(payload, words).map(ofThisPage);
  if (runs.length < 2 || runs.some(({ measurement }) => measurement !== null)) return answer;
  const [head] = answer;
  return [
    head!,
    ...block([text([differenceSentences(runs)])]),
    { type: 'table', title: 'The engines side by side', columns: sideBySide(runs, words) },
  ];
}

/** An option of the command is a field of the page. */
function ofThisPage(node: Node): Node {
  if (node.type === 'block') return { ...node, body: node.body.map(ofThisPage) };
  return node.type === 'text' ? { ...node, text: node.text.map(fieldOf) } : node;
}

function fieldOf(span: Span): Span {
  const named = (all: string) => all.replace(/-b (?=\d)/g, 'Measure for: ');
  if (typeof span === 'string') return named(span);
  // Code is that of the payload, but for the option.
  if (span.code && !/^-b \d\S*$/.test(span.text)) return span;
  return { ...span, text: named(span.text) };
}

/** The only text that becomes markup: that of the reporter, which escapes all that is not its own. */
const elementsOf = ({ source }: Markup): ChildNode[] => [
  ...new DOMParser().parseFromString(source, 'text/html').body.childNodes,
];
