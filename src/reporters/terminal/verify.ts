/** The table of `clone-prof verify`: a line for each rule that does not hold or cannot be told, and the sums. */
import type { RenderOptions } from '../../model/render-options.ts';
import type { Seen, VerifyReport, VerifyResult } from '../../model/verify.ts';
import { indented, padded, widthOf, wrapped } from './layout.ts';
import { type TerminalStyle, terminalStyle } from './pen.ts';

/** Ends in a line end. */
export function terminalVerify(report: VerifyReport, look: RenderOptions): string {
  const pen = terminalStyle(look);
  const runtimes = [...new Set(report.results.map(({ runtime }) => runtime))];
  const blocks = runtimes.map((runtime) =>
    runtimeLines(
      runtime,
      report.results.filter((result) => result.runtime === runtime),
      pen,
    ),
  );
  const broken = report.results.filter(({ holds }) => holds === false).length;
  const sum =
    broken === 0
      ? 'The rule book holds on every runtime asked.'
      : `${broken} ${broken === 1 ? 'rule does' : 'rules do'} not hold. The rule book is wrong there, not your program: please report the lines above.`;
  return `${[...blocks.flat(), ...wrapped(sum, pen.columns)].join('\n')}\n`;
}

function runtimeLines(runtime: string, results: readonly VerifyResult[], pen: TerminalStyle): string[] {
  const width = Math.max(...results.map(({ rule }) => widthOf(rule)));
  const count = (holds: boolean | null) => results.filter((result) => result.holds === holds).length;
  const sums = `${count(true)} hold, ${count(false)} do not, ${count(null)} without an oracle`;
  return [
    `${pen.paint.title(runtime)}  ${sums}`,
    ...results.flatMap((result) => ruleLines(result, Math.min(width, 36), pen)),
    '',
  ];
}

const WORDS = { true: 'holds', false: 'DOES NOT HOLD', null: 'predicted only' } as const;

function ruleLines(result: VerifyResult, width: number, pen: TerminalStyle): string[] {
  const word = WORDS[String(result.holds) as keyof typeof WORDS];
  const line = `  ${padded(pen.text(result.rule), width)}  ${word}`;
  if (result.holds !== false)
    return [`${line}  ${pen.paint.quiet(`${pathOf(result.fires)}, not ${pathOf(result.nearMiss)}`)}`];
  const details = [result.why, `value: ${seenText(result.fires)}`, `twin: ${seenText(result.nearMiss)}`];
  return [line, ...details.flatMap((text) => indented(wrapped(pen.text(text), pen.columns - 6), 6))];
}

const pathOf = (seen: Seen) => seen.predicted ?? 'nothing';

function seenText({ predicted, fired, confirmed, evidence }: Seen): string {
  const engine = confirmed === null ? 'no oracle' : confirmed ? 'the engine agrees' : 'the engine disagrees';
  return `rule book says ${predicted ?? 'nothing'}, ${fired ? 'fires' : 'does not fire'}, ${engine}${evidence === '' ? '' : ` (${evidence})`}`;
}
