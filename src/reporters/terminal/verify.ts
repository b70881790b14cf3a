/** `clone-prof verify`: a line for each rule, with details where it does not hold, and the sums. */
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { Seen, VerifyReport, VerifyResult } from '../../model/report/verify.ts';
import { groupedBy } from '../text/grouped.ts';
import { counted } from '../text/numbers.ts';
import { hanging, indented, padded, widthOf, wrapped } from './layout.ts';
import { type TerminalStyle, terminalStyle } from './style.ts';

/** Ends in a line end. */
export function terminalVerify(report: VerifyReport, options: RenderOptions): string {
  const style = terminalStyle(options);
  const blocks = [...groupedBy(report.results, ({ runtime }) => runtime)].flatMap(([runtime, results]) =>
    runtimeLines(runtime, results, style),
  );
  const broken = report.results.filter(({ holds }) => holds === false).length;
  const sum =
    broken === 0
      ? 'The rule book holds on every runtime checked.'
      : `${broken} ${broken === 1 ? 'rule does' : 'rules do'} not hold. The rule book is wrong there, not your program: please report the lines above.`;
  return `${[...blocks, ...wrapped(sum, style.columns)].join('\n')}\n`;
}

function runtimeLines(runtime: string, results: readonly VerifyResult[], style: TerminalStyle): string[] {
  const shown = results.filter(({ inScope, holds }) => inScope || holds === false);
  const width = Math.min(MAX_RULE_CELLS, Math.max(...shown.map(({ rule }) => widthOf(rule))));
  const count = (holds: boolean | null) => shown.filter((result) => result.holds === holds).length;
  const agreeing = results.filter(({ inScope, holds }) => !inScope && holds).length;
  const others = `verdicts agree on ${agreeing} values of other rules`;
  const sums = `${count(true)} hold, ${count(false)} do not, ${count(null)} without an oracle; ${others}`;
  return [
    `${style.paint.title(runtime)}  ${sums}`,
    ...shown.flatMap((result) => ruleLines(result, width, style)),
    '',
  ];
}

const WORDS = { true: 'holds', false: 'DOES NOT HOLD', null: 'predicted only' } as const;

const MAX_RULE_CELLS = 36;

function ruleLines(result: VerifyResult, width: number, style: TerminalStyle): string[] {
  const { rule, holds, why, fires, nearMiss } = result;
  const paths = style.paint.muted(`${pathOf(fires)}, not ${pathOf(nearMiss)}`);
  const line = `${padded(style.text(rule), width)}  ${WORDS[`${holds}`]}${holds === false ? '' : `  ${paths}`}`;
  const details = [why, `value: ${seenText(fires)}`, `near miss: ${seenText(nearMiss)}`];
  return [
    ...indented(hanging(line, style.columns - 2)),
    ...(holds === false ? details : []).flatMap((text) =>
      indented(wrapped(style.text(text), style.columns - 6), 6),
    ),
  ];
}

/** With the size of a string: paths of engines change at some. */
const pathOf = ({ predicted, bytes }: Seen) =>
  `${predicted ?? 'nothing'}${bytes === null ? '' : ` (${counted(bytes, 'byte')})`}`;

function seenText({ predicted, fired, confirmed, evidence }: Seen): string {
  const engine = confirmed === null ? 'no oracle' : confirmed ? 'the engine agrees' : 'the engine disagrees';
  const rule = fired ? 'the rule fires' : fired === null ? 'the rule may fire' : 'the rule does not fire';
  return `predicted ${predicted ?? 'nothing'}, ${rule}, ${engine}${evidence === '' ? '' : ` (${evidence})`}`;
}
