/** A report as a part of a page: the markup of the HTML report, without its drawings. */

import type { PayloadReport, Report, Run } from '../model/documents/report.ts';
import type { RuntimeName } from '../model/names.ts';
import type { Wording } from '../model/report/wording.ts';
import { block, type Node, text } from '../reporters/doc.ts';
import { html, type Markup, numberTable } from '../reporters/html/markup/markup.ts';
import { nodesMarkup } from '../reporters/html/nodes.ts';
import { answerNodes } from '../reporters/print/answer.ts';
import { bytesText, detailNodes } from '../reporters/print/details.ts';
import { NO_PAYLOADS } from '../reporters/print/report.ts';
import { statusText } from '../reporters/print/verdict.ts';
import type { Chart } from '../reporters/section/model/charts.ts';
import { type Column, columnsOf } from '../reporters/section/model/columns.ts';
import { runtimeName } from '../reporters/section/model/run-groups.ts';
import { listed, type Span, type StyledText } from '../reporters/section/model/sentence.ts';
import { CLASS_TEXTS } from '../reporters/section/model/texts.ts';
import { groupedBy } from '../reporters/text/grouped.ts';
import { wordsOf } from '../rule-book/wording.ts';

/** "simple-object: flat object"; empty for a payload that is refused. */
function pathText({ runtime, verdict }: Run, words: Wording): string {
  if (verdict === null || verdict.path === 'rejected') return '';
  const title = words.paths[runtime.engine][verdict.path]?.title;
  return title === undefined || title === verdict.path ? verdict.path : `${verdict.path}: ${title}`;
}

/** "Bun: copied in memory, without the serializer. Node, Deno and Chromium: written out and read back, value by value." */
export function differenceSentences(runs: readonly Run[]): string {
  const groups = [...groupedBy(runs, effectOf)].sort(([, a], [, b]) => a.length - b.length);
  if (groups.length === 1) return `All engines do the same: ${groups[0]?.[0]}.`;
  return groups
    .map(([effect, own]) => `${listed(own.map(({ runtime }) => TITLES[runtime.name]))}: ${effect}.`)
    .join(' ');
}

const effectOf = ({ verdict }: Run): string => (verdict === null ? 'not known' : CLASS_TEXTS[verdict.class]);

const TITLES: Readonly<Record<RuntimeName, string>> = {
  ...{ node: 'Node', bun: 'Bun', deno: 'Deno', electron: 'Electron', workerd: 'workerd' },
  ...{ chromium: 'Chromium', firefox: 'Firefox', webkit: 'WebKit' },
};

/** Columns that compare the engines for a payload without times. */
const sideBySide = (runs: readonly Run[], words: Wording): Column[] =>
  columnsOf(runs, [
    { head: 'runtime', cell: runtimeName },
    { head: 'class', cell: classCell },
    { head: 'bytes', cell: (run) => bytesText(run) ?? '' },
    { head: 'path', cell: (run) => pathText(run, words) },
  ]);

/** "serialized" is the ordinary case and is not highlighted. */
function classCell(run: Run): StyledText {
  const { text, ...style } = statusText(run);
  return text === 'serialized' ? { text } : { text, ...style };
}

/** Draws all payloads of a report in place of the earlier ones, with the classes of the HTML report's style sheet. */
export function drawResults(into: HTMLElement, report: Report): void {
  const words = wordsOf();
  const sections = report.payloads.map((payload, place): Node => {
    const answer = nodesOf(payload, words);
    const body = [...answer, ...detailNodes(payload, words, answer)];
    return { type: 'section', anchor: `${into.id}-${place + 1}`, body };
  });
  const shown = sections.length === 0 ? [text([NO_PAYLOADS])] : sections;
  into.replaceChildren(...elementsOf(html`${nodesMarkup(shown, { of: '', draw: withoutDrawing })}`));
}

/** Drawings would make the page too large, so tables show their numbers. */
const withoutDrawing = (chart: Chart): Markup =>
  chart.isDrawnOnly ? html`` : numberTable(chart.title, chart.columns);

/** Nodes of a payload. If it was not timed, a table compares the engines. */
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

/** Replaces options of the command by the names of the fields of the page. */
function ofThisPage(node: Node): Node {
  if (node.type === 'block') return { ...node, body: node.body.map(ofThisPage) };
  return node.type === 'text' ? { ...node, text: node.text.map(fieldOf) } : node;
}

function fieldOf(span: Span): Span {
  const named = (all: string) => all.replace(/-b (?=\d)/g, 'Measure for: ');
  if (typeof span === 'string') return named(span);
  // Code spans belong to the payload, except the option.
  if (span.code && !/^-b \d\S*$/.test(span.text)) return span;
  return { ...span, text: named(span.text) };
}

/** The only place that turns text into markup. The reporter has escaped all text except its own markup. */
const elementsOf = ({ source }: Markup): ChildNode[] => [
  ...new DOMParser().parseFromString(source, 'text/html').body.childNodes,
];
