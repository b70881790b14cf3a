/** The rule book for a person: what is fast first, then what breaks it, then what is refused or lost. */
import type { RenderOptions } from '../../model/render-options.ts';
import type { RuleBookView, RuleView } from '../../model/rule-view.ts';
import { indented, wrapped } from './layout.ts';
import { type TerminalStyle, terminalStyle } from './pen.ts';

const HEADS = [
  ['rejected', 'Refused: postMessage throws'],
  ['slow', 'Slow: what takes the fast path away, or makes it dearer'],
  ['lossy', 'Not the same on arrival'],
  ['note', 'Worth knowing'],
] as const;

const fold = (text: string, by: number, pen: TerminalStyle) =>
  indented(wrapped(pen.text(text), pen.columns - by), by);

function head(title: string, notes: (string | null)[], pen: TerminalStyle): string[] {
  const aside = notes.filter((note) => note !== null).join(pen.marks.between);
  const lines = fold(aside === '' ? title : `${title}${pen.marks.between}${aside}`, 2, pen);
  return lines.map((line, i) => (i === 0 ? pen.paint.title(line) : line));
}

function pathLines(view: RuleBookView, pen: TerminalStyle): string[] {
  const titled = view.paths.flatMap((row) => [
    ...head(`${row.path} (${row.class})`, [row.title, row.versions, row.channels?.join(', ') ?? null], pen),
    ...fold(row.why, 4, pen),
    ...fold(row.source, 4, pen).map(pen.paint.quiet),
  ]);
  return [pen.paint.title('Paths, in the order in which the engine decides'), '', ...titled];
}

function ruleLines(rule: RuleView, pen: TerminalStyle): string[] {
  const takes = rule.blocks.length > 0 ? [`Takes away: ${rule.blocks.join(', ')}.`] : [];
  return [
    ...head(rule.id, [rule.title, rule.versions, rule.channels?.join(', ') ?? null], pen),
    ...fold([rule.why, ...(rule.fix === null ? [] : [rule.fix]), ...takes].join(' '), 4, pen),
    ...fold(rule.source, 4, pen).map(pen.paint.quiet),
  ];
}

/** `clone-prof rules`. Ends in a line end. */
export function terminalRules(view: RuleBookView, look: RenderOptions): string {
  const pen = terminalStyle(look);
  const of = `${view.runtime}${view.version === null ? ', every version' : ` ${view.version}`} (${view.engine})`;
  const groups = HEADS.flatMap(([level, title]) => {
    const rules = view.rules.filter((rule) => rule.level === level);
    return rules.length === 0
      ? []
      : [pen.paint.title(title), '', ...rules.flatMap((rule) => ruleLines(rule, pen)), ''];
  });
  return `${[`Rule book of ${of}`, '', ...pathLines(view, pen), '', ...groups].join('\n')}\n`;
}
