/** `clone-prof rules`: the fast paths first, then the rules by level. */
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { RuleBookView, RuleView } from '../../model/rules/rule-view.ts';
import { indented, wrapped } from './layout.ts';
import { type TerminalStyle, terminalStyle } from './style.ts';

const HEADS = [
  ['rejected', 'Rejected: postMessage throws'],
  ['slow', 'Slower: no fast path, or a more expensive one'],
  ['lossy', 'Changed on arrival'],
  ['note', 'Notes'],
] as const;

const fold = (text: string, by: number, style: TerminalStyle) =>
  indented(wrapped(style.text(text), style.columns - by), by);

function head(title: string, notes: (string | null)[], style: TerminalStyle): string[] {
  const aside = notes.filter((note) => note !== null).join(style.marks.between);
  const lines = fold(aside === '' ? title : `${title}${style.marks.between}${aside}`, 2, style);
  return lines.map((line, i) => (i === 0 ? style.paint.title(line) : line));
}

function pathLines(view: RuleBookView, style: TerminalStyle): string[] {
  const titled = view.paths.flatMap((row) => [
    ...head(`${row.path} (${row.class})`, [row.title, row.versions, row.channels?.join(', ') ?? null], style),
    ...fold(row.why, 4, style),
    ...fold(row.source, 4, style).map(style.paint.muted),
  ]);
  return [style.paint.title('Paths, in the order in which the engine decides'), '', ...titled];
}

function ruleLines(rule: RuleView, style: TerminalStyle): string[] {
  const blocked = rule.blocks.length > 0 ? [`Blocks: ${rule.blocks.join(', ')}.`] : [];
  return [
    ...head(rule.id, [rule.title, rule.versions, rule.channels?.join(', ') ?? null], style),
    ...fold([rule.why, ...(rule.fix === null ? [] : [rule.fix]), ...blocked].join(' '), 4, style),
    ...fold(rule.source, 4, style).map(style.paint.muted),
  ];
}

/** Ends in a line end. */
export function terminalRules(view: RuleBookView, options: RenderOptions): string {
  const style = terminalStyle(options);
  const of = `${view.runtime}${view.version === null ? ', every version' : ` ${view.version}`} (${view.engine})`;
  const groups = HEADS.flatMap(([level, title]) => {
    const rules = view.rules.filter((rule) => rule.level === level);
    return rules.length === 0
      ? []
      : [style.paint.title(title), '', ...rules.flatMap((rule) => ruleLines(rule, style)), ''];
  });
  return `${[`Rule book of ${of}`, '', ...pathLines(view, style), '', ...groups].join('\n')}\n`;
}
