/** The report on a terminal: the answers, then cause, advice and code, then the numbers; noise and the machine last. */

import type { PayloadReport, Report } from '../../model/documents/report.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { Wording } from '../../model/report/wording.ts';
import { moduleTitle, type PayloadSection, type RunSection, type Statement } from '../section/model/model.ts';
import { machineFacts, NO_PAYLOADS } from '../section/payload.ts';
import { recordingSections } from '../section/recording/ranking.ts';
import { recordedSection } from '../section/recording/traffic.ts';
import { textOf } from '../text/blocks.ts';
import { figureLines } from './figures.ts';
import { cutMiddle, indented, widthOf, wrapped, wrappedItems } from './layout.ts';
import { recordingBlocks } from './ranking.ts';
import { statementLines } from './statements.ts';
import { type TerminalStyle, terminalStyle } from './style.ts';
import { table } from './table.ts';

export function terminalReport(report: Report, options: RenderOptions, words: Wording): string {
  const style = terminalStyle(options);
  const recordings = recordingSections(report, words).map((one) => textOf(recordingBlocks(one, style)));
  const payloads = report.payloads.map((payload) => terminalPayload(payload, options, words));
  return [...recordings, ...payloads, terminalMachine(report, options)].join('\n');
}

/** One payload, for printing as soon as it is done. Ends in a line end. */
export function terminalPayload(payload: PayloadReport, options: RenderOptions, words: Wording): string {
  const style = terminalStyle(options);
  const section = recordedSection(payload, words);
  return textOf([
    headLines(section, style),
    section.error === null ? [] : errorLines(section.error, style),
    answerLines(section, style),
    statementsLines(section.traffic ?? [], style),
    ...section.runs.flatMap((run) => runBlocks(run, style)),
  ]);
}

/** Where it was measured and by what; the last line of the report. */
export function terminalMachine(report: Report, options: RenderOptions): string {
  const style = terminalStyle(options);
  const facts = wrappedItems(machineFacts(report).map(style.text), style.marks.between, style.columns);
  const none = report.payloads.length === 0 ? [NO_PAYLOADS, ''] : [];
  return `${[...none, ...facts.map(style.paint.muted)].join('\n')}\n`;
}

function headLines({ id, source, facts }: PayloadSection, style: TerminalStyle): string[] {
  const name = style.paint.title(cutMiddle(style.text(id), style.columns, style));
  const file = cutMiddle(style.sentence(source), style.columns - 2, style);
  const sideBySide = widthOf(name) + 2 + widthOf(file) <= style.columns;
  const size = wrappedItems(facts.map(style.text), style.marks.between, style.columns - 2);
  return [
    ...(sideBySide ? [`${name}  ${file}`] : [name, `  ${file}`]),
    ...indented(size.map(style.paint.muted)),
  ];
}

function answerLines({ answers, notes }: PayloadSection, style: TerminalStyle): string[] {
  const width = style.columns - 2;
  return indented([
    ...table(answers, width, style),
    ...notes.flatMap((note) => wrapped(style.sentence(note), width)),
  ]);
}

function runBlocks(run: RunSection, style: TerminalStyle): string[][] {
  const { status, runtimes, facts, error, alarm, statements, code, module, figures } = run;
  const names = style.paint.title(style.text(runtimes));
  const head = [style.span(status), names, ...facts.map((fact) => style.paint.muted(style.text(fact)))];
  const later = (when?: Statement['later']) => statements.filter((statement) => statement.later === when);
  return [
    [
      ...wrappedItems(head, style.marks.between, style.columns),
      ...(error === null ? [] : errorLines(error, style)),
      ...(alarm === null ? [] : alarmLines(style.sentence(alarm), style)),
      ...statementsLines(later(), style),
      ...(module === null ? [] : statementLines(codecStatement(module), style)),
    ],
    code === null ? [] : codeLines(code, style),
    statementsLines(later('detail'), style),
    ...figures.map((figure) => figureLines(figure, style)),
    statementsLines(later('noise'), style).map(style.paint.muted),
  ];
}

const statementsLines = (statements: readonly Statement[], style: TerminalStyle): string[] =>
  statements.flatMap((statement) => statementLines(statement, style));

const codecStatement = (module: string): Statement => ({
  label: 'codec',
  sentences: [[moduleTitle(module)]],
});

function errorLines(error: string, style: TerminalStyle): string[] {
  const lines = style.lines(error).flatMap((line) => wrapped(line, style.columns - 6));
  return indented(
    lines.map((line, index) => style.paint.bad(`${index === 0 ? style.marks.tone.bad : ' '} ${line}`)),
  );
}

const alarmLines = (alarm: string, style: TerminalStyle): string[] =>
  indented(wrapped(alarm, style.columns - 4).map(style.paint.alarm));

/** More would push the numbers off the screen. */
const MAX_CODE_LINES = 30;

/** Unchanged and not indented, so that it can be copied. The terminal itself wraps a line that is too long. */
function codeLines(code: string, style: TerminalStyle): string[] {
  const lines = style.lines(code.trimEnd());
  if (lines.length > MAX_CODE_LINES) {
    const sentences = [[`${lines.length} lines to paste: --format markdown prints them`]];
    return statementLines({ label: 'code', sentences }, style);
  }
  return lines.map((line) => (line === '' ? '' : style.paint.code(line)));
}
