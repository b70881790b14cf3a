/** The report on a terminal: the answers, then cause, advice and code, then the numbers; noise and the machine last. */

import type { AnalyzedRecording } from '../../model/documents/recorded/traffic.ts';
import type { PayloadReport, Report } from '../../model/documents/report.ts';
import type { RenderOptions, Reporter } from '../../model/report/render-options.ts';
import type { Wording } from '../../model/report/wording.ts';
import { answerNodes } from '../print/answer.ts';
import { recordingNodes } from '../print/recording.ts';
import { answerColumns, answerRows } from '../section/advice/answers.ts';
import { ABOUT_RATES, timesCheapest } from '../section/advice/rate.ts';
import type { Distribution } from '../section/model/columns.ts';
import {
  type Figure,
  figureTitle,
  moduleTitle,
  type PathText,
  type PayloadSection,
  type RecordingSection,
  type RunSection,
  type Statement,
  undrawn,
} from '../section/model/model.ts';
import { machineFacts, NO_PAYLOADS } from '../section/payload.ts';
import { recordingSections } from '../section/recording/ranking.ts';
import { recordedSection } from '../section/recording/traffic.ts';
import { joinBlocks } from '../text/blocks.ts';
import { sparkline } from '../text/histogram.ts';
import {
  bodyWidth,
  cutEnd,
  cutMiddle,
  hanging,
  indented,
  labelled,
  padded,
  textWidth,
  wrapped,
  wrappedItems,
  wrapSentences,
} from './layout.ts';
import { nodeBlocks } from './nodes.ts';
import { type TerminalStyle, terminalStyle } from './style.ts';
import { indentedTable, table } from './table.ts';

export const terminalReport: Reporter<Report> = (report, options, words) => {
  const style = terminalStyle(options);
  const recorded = report.payloads.filter(({ traffic }) => traffic !== undefined);
  const recordings = options.details
    ? recordingSections(report, words).map((one) => joinBlocks(recordingBlocks(one, style)))
    : [joinBlocks(nodeBlocks(recordingNodes(report, words), style))].filter((text) => text !== '\n');
  // The recording has the steps for several sites.
  const isShown = ({ traffic }: PayloadReport) =>
    traffic === undefined || options.details || recorded.length === 1;
  const payloads = report.payloads
    .filter(isShown)
    .map((payload) => terminalOf(payload, options, words, report.recordings));
  const end = terminalEnd(report, options);
  return [...recordings, ...payloads, ...(end === '' ? [] : [end])].join('\n');
};

/** The answer, and with `details` all that stands behind it. */
function terminalOf(
  payload: PayloadReport,
  options: RenderOptions,
  words: Wording,
  recordings: readonly AnalyzedRecording[] = [],
): string {
  const style = terminalStyle(options);
  const answer = nodeBlocks(answerNodes(payload, words), style, options.details);
  const section = recordedSection(payload, words, recordings);
  const more = options.details ? detailBlocks(section, style) : askedBlocks(section, style);
  return joinBlocks([...answer, ...more]);
}

/** One payload, for printing as soon as it is done. */
export const terminalPayload: Reporter<PayloadReport> = (payload, options, words) =>
  terminalOf(payload, options, words);

/** Figures for which the user gave an option: a profile, costs of branches, own rewrites. */
const askedBlocks = ({ runs }: PayloadSection, style: TerminalStyle): string[][] =>
  runs.flatMap(({ figures }) =>
    figures.filter(({ isAsked }) => isAsked).map((figure) => figureLines(figure, style)),
  );

function detailBlocks(section: PayloadSection, style: TerminalStyle): string[][] {
  const { answers, notes, traffic = [], runs, source, facts } = section;
  return [
    [
      ...indented([cutMiddle(style.sentence(source), style.columns - 2, style)]),
      ...factLines(facts, style, 2),
    ],
    [...indentedTable(answers, style), ...wrapSentences(notes, style, 2)],
    statementLines(traffic, style),
    ...runs.flatMap((run) => runBlocks(run, style)),
  ];
}

/** The last lines: the option for details, or with details the machine. */
export function terminalEnd(report: Report, options: RenderOptions): string {
  const style = terminalStyle(options);
  const none = report.payloads.length === 0 ? [NO_PAYLOADS, ''] : [];
  const isMeasured = report.payloads.some(({ runs }) => runs.some(({ measurement }) => measurement !== null));
  const rest = options.details ? machineFacts(report) : isMeasured ? [ABOUT_DETAILS] : [];
  const lines = [...none, ...factLines(rest, style)];
  return lines.length === 0 ? '' : joinBlocks([lines]);
}

const ABOUT_DETAILS = '--details: memory, distribution, every rewrite, where the bytes are';

/** The answers of all payloads but recorded ones, which have a ranking of their own. */
function allAnswers({ payloads }: Report, style: TerminalStyle): string[][] {
  const own = payloads.filter(({ traffic }) => traffic === undefined);
  const answers = answerRows({ payloads: own });
  const isRated = timesCheapest(answers).size > 0;
  return [
    table(answerColumns(answers, true), style.columns, style),
    isRated ? wrapped(style.text(ABOUT_RATES), style.columns).map(style.paint.muted) : [],
  ];
}

const factLines = (facts: readonly string[], style: TerminalStyle, by = 0): string[] => {
  const lines = wrappedItems(facts.map(style.text), style.marks.between, style.columns - by);
  return indented(lines.map(style.paint.muted), by);
};

function runBlocks(run: RunSection, style: TerminalStyle): string[][] {
  const { status, runtimes, facts, error, alarm, statements, code, module, figures } = run;
  const names = style.paint.title(style.text(runtimes));
  const head = [style.span(status), names, ...facts.map((fact) => style.paint.muted(style.text(fact)))];
  const later = (when?: Statement['later']) =>
    statementLines(
      statements.filter((statement) => statement.later === when),
      style,
    );
  const codec = module === null ? [] : [{ label: 'codec', sentences: [[moduleTitle(module)]] }];
  return [
    [
      ...wrappedItems(head, style.marks.between, style.columns),
      ...errorLines(error, style),
      ...(alarm === null
        ? []
        : indented(wrapped(style.sentence(alarm), style.columns - 4).map(style.paint.alarm))),
      ...later(),
      ...statementLines(codec, style),
    ],
    code === null ? [] : codeLines(code, module !== null, style),
    later('detail'),
    ...figures.map((figure) => figureLines(figure, style)),
    later('noise').map(style.paint.muted),
  ];
}

function errorLines(error: string | null, style: TerminalStyle): string[] {
  if (error === null) return [];
  const lines = style.lines(error).flatMap((line) => wrapped(line, style.columns - 6));
  return indented(
    lines.map((line, index) => style.paint.bad(`${index === 0 ? style.marks.tone.bad : ' '} ${line}`)),
  );
}

/** More would push the numbers off the screen. */
const MAX_CODE_LINES = 30;

/** Not indented, so that it can be copied. Comments wrap; of a statement that is too long the rest is in a file. */
function codeLines(code: string, hasModule: boolean, style: TerminalStyle): string[] {
  const lines = style.lines(code.trimEnd());
  const whole = hasModule ? '--emit FILE writes it whole' : '--format markdown prints it whole';
  const told = (text: string) =>
    statementLines([{ label: 'code', sentences: [[`${text}: ${whole}`]] }], style);
  if (lines.length > MAX_CODE_LINES) return told(`${lines.length} lines to paste`);
  const shown = lines.flatMap((line) => (line.startsWith(COMMENT) ? commentLines(line, style) : line));
  const cut = shown.map((line) => cutEnd(line, style.columns, style));
  const isCut = cut.some((line, index) => line !== shown[index]);
  const note = isCut ? [...told(`cut to ${style.columns} columns`), ''] : [];
  return [...note, ...cut.map((line) => (line === '' ? '' : style.paint.code(line)))];
}

const COMMENT = '// ';

const commentLines = (line: string, { columns }: TerminalStyle): string[] =>
  wrapped(line.slice(COMMENT.length), columns - COMMENT.length).map((text) => COMMENT + text);

export const terminalAnswers: Reporter<Report> = (report, options, words) => {
  const style = terminalStyle(options);
  const recordings = recordingSections(report, words).map(({ lead, sites }) => [
    ...wrapSentences(lead, style),
    ...table(sites, style.columns, style),
  ]);
  const none = report.payloads.length === 0 ? [NO_PAYLOADS] : [];
  return joinBlocks([...recordings, ...allAnswers(report, style), none]);
};

export function recordingBlocks(section: RecordingSection, style: TerminalStyle): string[][] {
  const { file, program, facts, lead, sites, notes } = section;
  const command = cutMiddle(style.sentence(program), style.columns - 2, style);
  return [
    [
      style.paint.title(cutMiddle(style.text(file), style.columns, style)),
      ...indented([command]),
      ...factLines(facts, style, 2),
    ],
    wrapSentences(lead, style, 2),
    indentedTable(sites, style),
    indented(wrapSentences(notes, style, 0, 2).map(style.paint.muted)),
  ];
}

const statementLines = (statements: readonly Statement[], style: TerminalStyle): string[] =>
  statements.flatMap(({ label, tone, places = [], sentences = [], explanations = [] }) => {
    const width = bodyWidth(style);
    const lines = sentences.flatMap((sentence) => wrapped(style.sentence(sentence), width));
    const more = explanations.flatMap(({ text }) => wrapped(style.text(text), width));
    const body = [
      ...placeLines(places, width, style),
      ...(tone === undefined ? lines : lines.map(style.paint[tone])),
      ...more.map(style.paint.muted),
    ];
    return labelled(label, body, style);
  });

/** With fewer cells beside the path, the text goes below it. */
const MIN_TEXT = 24;

/** Path and text side by side; one below the other where a path is long or the terminal narrow. */
function placeLines(places: readonly PathText[], width: number, style: TerminalStyle): string[] {
  const drawn = places.map(({ path, text }) => ({
    path: style.paint.code(style.text(path)),
    text: style.text(text),
  }));
  const short = drawn.map(({ path }) => textWidth(path)).filter((cells) => cells + 2 + MIN_TEXT <= width);
  const column = Math.max(0, ...short) + 2;
  return drawn.flatMap(({ path, text }) =>
    textWidth(path) < column
      ? wrapped(text, width - column).map((line, index) => padded(index === 0 ? path : '', column) + line)
      : [...hanging(path, width), ...indented(wrapped(text, width - 2))],
  );
}

const HISTOGRAM_CELLS = 24;
/** Cells beside the histogram: its label and both ends. */
const HISTOGRAM_EDGES = 30;

/** The heads of a table name its content; a title is only needed where the section has several runtimes. */
function figureLines(figure: Figure, style: TerminalStyle): string[] {
  const width = style.columns - 2;
  const title = figure.runtime === null ? [] : wrapped(style.text(figureTitle(figure)), width);
  const lines = figure.parts.map(undrawn).flatMap((part) => {
    if (part.type === 'table') return table(part.columns, width, style);
    if (part.type === 'facts') return wrappedItems(part.facts.map(style.span), style.marks.between, width);
    if (part.type === 'list') return part.items.flatMap((item) => hanging(style.sentence(item), width));
    return [distributionLine(part.distribution, style)];
  });
  return indented([...title.map(style.paint.title), ...lines]);
}

function distributionLine({ histogram, from, to }: Distribution, style: TerminalStyle): string {
  const cells = Math.min(HISTOGRAM_CELLS, style.columns - HISTOGRAM_EDGES);
  const [label, low, high] = ['spread', style.text(from), style.text(to)].map(style.paint.muted);
  return `${label}  ${low} ${sparkline(histogram, cells, style.unicode)} ${high}`;
}
