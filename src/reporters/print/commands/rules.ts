/** `clone-prof rules`. */
import type { PathView, RuleBookView, RuleView } from '../../../model/rules/rule-view.ts';
import { block, type Node, text } from '../../doc.ts';

const HEADS = [
  ['rejected', 'Rejected: postMessage throws'],
  ['slow', 'Slower: no fast path, or a more expensive one'],
  ['lossy', 'Changed on arrival'],
  ['note', 'Notes'],
] as const;

export function ruleNodes({ runtime, version, engine, paths, rules }: RuleBookView): Node[] {
  const of = version === null ? `${runtime}, every version` : `${runtime} ${version}`;
  const pathRows = paths.flatMap((row) => rowNodes(`${row.path} (${row.class})`, row, [row.why]));
  const groups = HEADS.flatMap(([level, title]): Node[] => {
    const rows = rules.filter((rule) => rule.level === level).flatMap(ruleRow);
    return rows.length === 0 ? [] : [headingOf(title), ...block(rows)];
  });
  return [
    headingOf(`Rule book of ${of} (${engine})`),
    headingOf('Paths, in the order in which the engine decides'),
    ...block(pathRows),
    ...groups,
  ];
}

const headingOf = (title: string): Node => ({ type: 'heading', level: 3, text: [title], facts: [] });

function ruleRow(rule: RuleView): Node[] {
  const { id, why, fix, blocks } = rule;
  const blocked = blocks.length > 0 ? [`Blocks: ${blocks.join(', ')}.`] : [];
  return rowNodes(id, rule, [why, ...(fix === null ? [] : [fix]), ...blocked]);
}

function rowNodes(name: string, row: PathView | RuleView, why: readonly string[]): Node[] {
  const { title, versions, channels, source } = row;
  const facts = [title, versions, channels?.join(', ')].filter((fact) => fact != null);
  return [
    { type: 'facts', facts: [{ text: name, strong: true }, ...facts] },
    text([why.join(' ')], { by: 1 }),
    text([source], { tone: 'muted', by: 1 }),
  ];
}
