import type { CheckFailure, CheckReport, LimitName, LimitResult } from '../../model/check.ts';
import type { RenderOptions } from '../../model/render-options.ts';
import type { Wording } from '../../model/wording.ts';
import { indented, wrapped } from '../terminal/layout.ts';
import { type TerminalStyle, terminalStyle } from '../terminal/pen.ts';
import {
  factWords,
  fixWords,
  groupsOf,
  merged,
  problemsOf,
  severityOf,
  sumWords,
  whereWords,
} from './words.ts';

/** Ends in a line end. */
export function checkTerminal(report: CheckReport, look: RenderOptions, words: Wording): string {
  const pen = terminalStyle(look);
  const groups = groupsOf(report.results).flatMap(({ place, results }) =>
    groupLines(place, results, words, pen),
  );
  const failures = report.failures.flatMap((failure) => failureLines(failure, pen));
  const sum = wrapped(sumWords(report), pen.columns);
  const paint = pen.paint.grade[report.passed ? 'good' : 'bad'];
  return `${[...failures, ...groups, ...sum.map(paint)].join('\n')}\n`;
}

function failureLines({ payload, message }: CheckFailure, pen: TerminalStyle): string[] {
  return [
    `${pen.paint.grade.bad(pen.marks.grade.bad)} ${pen.paint.title(pen.text(payload))}`,
    ...indented(wrapped(pen.text(message), pen.columns - 2)),
    '',
  ];
}

function groupLines(
  place: string,
  results: readonly LimitResult[],
  words: Wording,
  pen: TerminalStyle,
): string[] {
  const problems = problemsOf(results);
  const [worst] = problems;
  const grade = worst === undefined ? 'good' : severityOf(worst) === 'error' ? 'bad' : 'fair';
  const kept = results.length - problems.length;
  const sum = kept === 0 ? '' : pen.paint.quiet(`${pen.marks.between}${kept} kept`);
  const head = `${pen.paint.grade[grade](pen.marks.grade[grade])} ${pen.paint.title(pen.text(place))}${sum}`;
  const lines = merged(problems).flatMap(({ limits, result }) => problemLines(limits, result, words, pen));
  return [head, ...lines, ...(problems.length > 0 ? [''] : [])];
}

function problemLines(
  limits: readonly LimitName[],
  result: LimitResult,
  words: Wording,
  pen: TerminalStyle,
): string[] {
  const severity = severityOf(result) ?? 'warning';
  const body = (text: string | null) =>
    text === null ? [] : indented(wrapped(pen.text(text), pen.columns - 4), 4);
  const head = wrapped(pen.text(`${severity}: ${limits.join(', ')}: ${factWords(result)}`), pen.columns - 2);
  const paint = pen.paint.grade[severity === 'error' ? 'bad' : 'fair'];
  return [
    ...indented(head.map(paint)),
    ...body(whereWords(result, words)).map(pen.paint.code),
    ...body(fixWords(result, words)),
  ];
}
