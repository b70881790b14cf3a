/** The report for a person at a terminal: verdict, cause and advice first, the numbers behind them below. */
import type { RenderOptions } from '../../model/render-options.ts';
import type { PayloadReport, Report, Run, RunError } from '../../model/report.ts';
import type { Wording } from '../../model/wording.ts';
import { machineFacts, runFacts, sizeFacts } from '../facts.ts';
import { alike, fastestFirst, namesOf } from '../runs.ts';
import { adviceLines, codeLines } from './advice.ts';
import { loadLines, noteLines } from './circumstances.ts';
import { comparisonLines } from './comparison.ts';
import { branchLines, profileLines } from './insight.ts';
import { cutMiddle, indented, widthOf, wrapped } from './layout.ts';
import { type TerminalStyle, terminalStyle } from './pen.ts';
import { timingLines } from './timings.ts';
import { trialLines } from './trials.ts';
import { remarkLines, verdictHead, verdictLines } from './verdict.ts';

export function terminal(report: Report, look: RenderOptions, words: Wording): string {
  const payloads = report.payloads.map((payload) => terminalPayload(payload, look, words));
  return `${[...payloads, terminalMachine(report, look)].join('\n')}`;
}

/** One payload, for printing as soon as it is done. Ends in a line end. */
export function terminalPayload(payload: PayloadReport, look: RenderOptions, words: Wording): string {
  const pen = terminalStyle(look);
  const blocks = [headLines(payload, pen), ...bodyOf(payload, words, pen)];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

/** Where it was measured and by what; the last line of the report. */
export function terminalMachine(report: Report, look: RenderOptions): string {
  const pen = terminalStyle(look);
  const facts = machineFacts(report).join(pen.marks.between);
  const lines = wrapped(pen.text(facts), pen.columns).map(pen.paint.quiet);
  return `${[...(report.payloads.length === 0 ? ['No payloads.', ''] : []), ...lines].join('\n')}\n`;
}

function headLines(payload: PayloadReport, pen: TerminalStyle): string[] {
  const id = cutMiddle(pen.text(payload.id), pen.columns, pen);
  const place = payload.source.export === null ? '' : `, export ${payload.source.export}`;
  const file = cutMiddle(pen.text(`${payload.source.file}${place}`), pen.columns - 2, pen);
  const sideBySide = widthOf(id) + 2 + widthOf(file) <= pen.columns;
  const head = sideBySide
    ? [`${pen.paint.title(id)}  ${pen.paint.quiet(file)}`]
    : [pen.paint.title(id), `  ${pen.paint.quiet(file)}`];
  const size = pen.text(sizeFacts(payload).join(pen.marks.between));
  return size === ''
    ? head
    : [...head, ...wrapped(size, pen.columns - 2).map((line) => `  ${pen.paint.quiet(line)}`)];
}

function bodyOf(payload: PayloadReport, words: Wording, pen: TerminalStyle): string[][] {
  if (payload.error !== null) return [errorLines(payload.error, pen)];
  if (payload.runs.length === 0) return [['  No runtime ran it.']];
  const comparison = payload.runs.length > 1 ? [comparisonLines(payload, words, pen)] : [];
  return [...comparison, ...alike(fastestFirst(payload.runs)).flatMap((runs) => section(runs, words, pen))];
}

/** Versions that share a verdict, said once. */
function section(runs: readonly Run[], words: Wording, pen: TerminalStyle): string[][] {
  const [run] = runs;
  if (run === undefined) return [];
  const head = sectionHead(run, runs, pen);
  if (run.error !== null) head.push(...errorLines(run.error, pen));
  return [
    [
      ...head,
      ...verdictLines(run, words, pen),
      ...adviceLines(runs, words, pen),
      ...remarkLines(run, words, pen),
      ...noteLines(runs, pen),
    ],
    codeLines(run, pen),
    timingLines(runs, pen),
    loadLines(runs, pen),
    trialLines(runs, pen),
    branchLines(runs, pen),
    profileLines(runs, pen),
  ];
}

/** "▲ serialized · bun 1.4.5 · worker · 5.31 kB on the wire" */
function sectionHead(run: Run, runs: readonly Run[], pen: TerminalStyle): string[] {
  const names = pen.paint.title(pen.text(namesOf(runs)));
  const quiet = runFacts(runs).map((fact) => pen.paint.quiet(pen.text(fact)));
  return wrapped([verdictHead(run, pen), names, ...quiet].join(pen.marks.between), pen.columns);
}

function errorLines(error: RunError, pen: TerminalStyle): string[] {
  const where = error.path === undefined || error.message.includes(error.path) ? '' : `${error.path}: `;
  const lines = pen.lines(where + error.message).flatMap((line) => wrapped(line, pen.columns - 6));
  return indented(
    lines.map((line, index) =>
      pen.paint.grade.bad(index === 0 ? `${pen.marks.grade.bad} ${line}` : `  ${line}`),
    ),
  );
}
