/** `clone-prof rules` and `clone-prof verify`. */
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { Seen, VerifyReport, VerifyResult } from '../../model/report/verify.ts';
import type { PathView, RuleBookView, RuleView } from '../../model/rules/rule-view.ts';
import { joinBlocks } from '../text/blocks.ts';
import { groupedBy } from '../text/grouped.ts';
import { counted } from '../text/numbers.ts';
import { hanging, indented, padded, paragraph, textWidth, wrapped } from './layout.ts';
import { objectLines } from './objects.ts';
import { type TerminalStyle, terminalStyle } from './style.ts';

const HEADS = [
  ['rejected', 'Rejected: postMessage throws'],
  ['slow', 'Slower: no fast path, or a more expensive one'],
  ['lossy', 'Changed on arrival'],
  ['note', 'Notes'],
] as const;

type Row = PathView | RuleView;

function rowLines(name: string, row: Row, why: readonly string[], style: TerminalStyle): string[] {
  const { title, versions, channels, source } = row;
  const notes = [name, title, versions, channels?.join(', ')].filter((note) => note != null);
  const [first = '', ...more] = paragraph(notes.join(style.marks.between), style, 2);
  return [
    ...[style.paint.title(first), ...more],
    ...paragraph(why.join(' '), style, 4),
    ...paragraph(source, style, 4).map(style.paint.muted),
  ];
}

const pathLines = (row: PathView, style: TerminalStyle): string[] =>
  rowLines(`${row.path} (${row.class})`, row, [row.why], style);

function ruleLines(rule: RuleView, style: TerminalStyle): string[] {
  const { id, why, fix, blocks } = rule;
  const blocked = blocks.length > 0 ? [`Blocks: ${blocks.join(', ')}.`] : [];
  return rowLines(id, rule, [why, ...(fix === null ? [] : [fix]), ...blocked], style);
}

export function terminalRules(view: RuleBookView, options: RenderOptions): string {
  const style = terminalStyle(options);
  const of = `${view.runtime}${view.version === null ? ', every version' : ` ${view.version}`} (${view.engine})`;
  const groups = HEADS.flatMap(([level, title]) => {
    const lines = view.rules.filter((rule) => rule.level === level).flatMap((rule) => ruleLines(rule, style));
    return lines.length === 0 ? [] : [style.paint.title(title), '', ...lines, ''];
  });
  const paths = view.paths.flatMap((row) => pathLines(row, style));
  const head = style.paint.title('Paths, in the order in which the engine decides');
  return joinBlocks([[`Rule book of ${of}`, '', head, '', ...paths, '', ...groups]]);
}

export function terminalVerify(report: VerifyReport, options: RenderOptions): string {
  const style = terminalStyle(options);
  const blocks = [...groupedBy(report.results, ({ runtime }) => runtime)].flatMap(([runtime, results]) => [
    ...runtimeLines(runtime, results, style),
    ...objectLines(
      report.objects.filter((one) => one.runtime === runtime),
      style,
    ),
  ]);
  const broken = [...report.results, ...report.objects].filter(({ holds }) => holds === false).length;
  const sum =
    broken === 0
      ? 'The rule book holds on every runtime checked.'
      : `${broken} ${broken === 1 ? 'rule does' : 'rules do'} not hold. The rule book is wrong there, not your program: please report the lines above.`;
  return joinBlocks([[...blocks, ...wrapped(sum, style.columns)]]);
}

function runtimeLines(runtime: string, results: readonly VerifyResult[], style: TerminalStyle): string[] {
  const shown = results.filter(({ inScope, holds }) => inScope || holds === false);
  const width = Math.min(MAX_RULE_CELLS, Math.max(...shown.map(({ rule }) => textWidth(rule))));
  const count = (holds: boolean | null) => shown.filter((result) => result.holds === holds).length;
  const agreeing = results.filter(({ inScope, holds }) => !inScope && holds).length;
  const others = `verdicts agree on ${agreeing} values of other rules`;
  const sums = `${count(true)} hold, ${count(false)} do not, ${count(null)} without an oracle; ${others}`;
  return [
    `${style.paint.title(runtime)}  ${sums}`,
    ...shown.flatMap((result) => resultLines(result, width, style)),
    '',
  ];
}

const WORDS = { true: 'holds', false: 'DOES NOT HOLD', null: 'predicted only' } as const;

const MAX_RULE_CELLS = 36;

function resultLines(result: VerifyResult, width: number, style: TerminalStyle): string[] {
  const { rule, holds, why, fires, nearMiss } = result;
  // A rule about what is lost leaves the path as it is.
  const isSamePath = seenPath(fires) === seenPath(nearMiss);
  const paths = style.paint.muted(`${seenPath(fires)}${isSamePath ? '' : `, not ${seenPath(nearMiss)}`}`);
  const line = `${padded(style.text(rule), width)}  ${WORDS[`${holds}`]}${holds === false ? '' : `  ${paths}`}`;
  const details = [why, `value: ${seenText(fires)}`, `near miss: ${seenText(nearMiss)}`];
  return [
    ...indented(hanging(line, style.columns - 2)),
    ...(holds === false ? details : []).flatMap((text) => paragraph(text, style, 6)),
  ];
}

/** With the size of a string: paths of engines change at some. */
const seenPath = ({ predicted, bytes }: Seen) =>
  `${predicted ?? 'nothing'}${bytes === null ? '' : ` (${counted(bytes, 'byte')})`}`;

function seenText({ predicted, fired, confirmed, evidence }: Seen): string {
  const engine = confirmed === null ? 'no oracle' : confirmed ? 'the engine agrees' : 'the engine disagrees';
  const rule = fired ? 'the rule fires' : fired === null ? 'the rule may fire' : 'the rule does not fire';
  return `predicted ${predicted ?? 'nothing'}, ${rule}, ${engine}${evidence === '' ? '' : ` (${evidence})`}`;
}
