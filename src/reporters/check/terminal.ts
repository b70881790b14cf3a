import type { CheckFailure, CheckReport, LimitResult } from '../../model/documents/check.ts';
import type { RenderOptions, Reporter } from '../../model/report/render-options.ts';
import type { Wording } from '../../model/report/wording.ts';
import { indented, paragraph, wrapped } from '../terminal/layout.ts';
import { type TerminalStyle, terminalStyle } from '../terminal/style.ts';
import { joinBlocks } from '../text/blocks.ts';
import { comparedText, factText, hasChanged } from './facts.ts';
import {
  fixText,
  placeOf,
  problemGroups,
  problemsOf,
  resultsByPlace,
  severityOf,
  summaryText,
  whereText,
} from './texts.ts';

export const checkTerminal: Reporter<CheckReport> = (report, options, words) => {
  const style = terminalStyle(options);
  const places = [...resultsByPlace(report.results)].flatMap(([place, results]) =>
    placeLines(place, results, words, style),
  );
  const failures = report.failures.flatMap((failure) => failureLines(failure, style));
  const compared = comparedLines(report, style);
  const sum = wrapped(summaryText(report), style.columns).map(style.paint[report.passed ? 'good' : 'bad']);
  return joinBlocks([[...failures, ...places, ...compared, ...sum]]);
};

function comparedLines({ base, compared = [] }: CheckReport, style: TerminalStyle): string[] {
  const changed = compared.filter(hasChanged);
  if (!base || changed.length === 0) return [];
  const lines = changed.flatMap((one) => [
    `  ${style.paint.title(style.text(placeOf(one)))}`,
    ...paragraph(comparedText(one), style, 4),
  ]);
  return [style.text(`Changed since ${base.ref}:`), ...lines, ''];
}

const failureLines = ({ payload, message }: CheckFailure, style: TerminalStyle): string[] => [
  `${style.paint.bad(style.marks.tone.bad)} ${style.paint.title(style.text(payload))}`,
  ...paragraph(message, style, 2),
  '',
];

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
  const body = (text: string | null) => (text === null ? [] : paragraph(text, style, 4));
  return [
    ...indented(wrapped(head, style.columns - 2).map(style.paint[toneOf(result)])),
    ...group.flatMap((one) => body(whereText(one, words))).map(style.paint.code),
    ...body(fixText(result, words)),
  ];
}

/** `from` or `to` is null where it was added or removed. */
type ShownChange = Record<'payload' | 'what', string> & Record<'runtime' | 'from' | 'to', string | null>;

export function baselineChanges(file: string, changes: readonly ShownChange[], options: RenderOptions) {
  const style = terminalStyle(options);
  if (changes.length === 0) return `${style.text(file)}: nothing changed.\n`;
  const lines = changes.map((change) => `  ${style.text(changeText(change, style.marks.arrow))}`);
  return joinBlocks([[`${style.text(file)}:`, ...lines]]);
}

function changeText({ payload, runtime, what, from, to }: ShownChange, arrow: string): string {
  if (what === 'payload') return to === null ? `- ${payload}` : `+ ${payload}`;
  const place = runtime === null ? payload : `${payload} on ${runtime}`;
  if (what === 'runtime') return `${to === null ? '-' : '+'} ${place}`;
  if (what === 'sample') {
    return `${place}: ${to === null ? 'its copy is no longer kept' : from === null ? 'a copy is kept' : 'payload changed'}`;
  }
  if (what === 'demands') return `${place}: stored requirements of the config are updated`;
  if (from === null) return `${place}: new ${what}: ${to}`;
  return to === null ? `${place}: ${what} removed: ${from}` : `${place}: ${what} ${from} ${arrow} ${to}`;
}
