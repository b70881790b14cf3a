import type { CheckFailure, CheckReport, LimitResult } from '../../model/documents/check.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { Wording } from '../../model/report/wording.ts';
import { indented, wrapped } from '../terminal/layout.ts';
import { type TerminalStyle, terminalStyle } from '../terminal/style.ts';
import { comparedText, hasChanged } from './compared.ts';
import {
  factText,
  fixText,
  placeOf,
  problemGroups,
  problemsOf,
  resultsByPlace,
  severityOf,
  summaryText,
  whereText,
} from './texts.ts';

/** Ends in a line end. */
export function checkTerminal(report: CheckReport, options: RenderOptions, words: Wording): string {
  const style = terminalStyle(options);
  const places = [...resultsByPlace(report.results)].flatMap(([place, results]) =>
    placeLines(place, results, words, style),
  );
  const failures = report.failures.flatMap((failure) => failureLines(failure, style));
  const compared = comparedLines(report, style);
  const sum = wrapped(summaryText(report), style.columns);
  const paint = style.paint[report.passed ? 'good' : 'bad'];
  return `${[...failures, ...places, ...compared, ...sum.map(paint)].join('\n')}\n`;
}

/** What changed since the other commit, kept limits or not. */
function comparedLines({ base, compared = [] }: CheckReport, style: TerminalStyle): string[] {
  const changed = compared.filter(hasChanged);
  if (!base || changed.length === 0) return [];
  const lines = changed.flatMap((one) => [
    `  ${style.paint.title(style.text(placeOf(one)))}`,
    ...indented(wrapped(style.text(comparedText(one)), style.columns - 4), 4),
  ]);
  return [style.text(`Changed since ${base.ref}:`), ...lines, ''];
}

function failureLines({ payload, message }: CheckFailure, style: TerminalStyle): string[] {
  return [
    `${style.paint.bad(style.marks.tone.bad)} ${style.paint.title(style.text(payload))}`,
    ...indented(wrapped(style.text(message), style.columns - 2)),
    '',
  ];
}

function placeLines(
  place: string,
  results: readonly LimitResult[],
  words: Wording,
  style: TerminalStyle,
): string[] {
  const problems = problemsOf(results);
  const [worst] = problems;
  const tone = worst === undefined ? 'good' : toneOf(worst);
  const kept = results.length - problems.length;
  const sum = kept === 0 ? '' : style.paint.muted(`${style.marks.between}${kept} kept`);
  const head = `${style.paint[tone](style.marks.tone[tone])} ${style.paint.title(style.text(place))}${sum}`;
  const lines = problemGroups(problems).flatMap((group) => problemLines(group, words, style));
  return [head, ...lines, ...(problems.length > 0 ? [''] : [])];
}

const toneOf = (result: LimitResult) => (severityOf(result) === 'error' ? 'bad' : 'fair');

function problemLines(group: readonly LimitResult[], words: Wording, style: TerminalStyle): string[] {
  const [result] = group as [LimitResult];
  const limits = [...new Set(group.map(({ limit }) => limit))].join(', ');
  const head = style.text(`${severityOf(result)}: ${limits}: ${factText(result)}`);
  const body = (text: string | null) =>
    text === null ? [] : indented(wrapped(style.text(text), style.columns - 4), 4);
  return [
    ...indented(wrapped(head, style.columns - 2).map(style.paint[toneOf(result)])),
    ...group.flatMap((one) => body(whereText(one, words))).map(style.paint.code),
    ...body(fixText(result, words)),
  ];
}
