/** Lists that `rules`, `explain` and `runtimes` print. */
import type { Meaning } from '../../../model/report/meaning.ts';
import type { PathView, RuleBookView, RuleView } from '../../../model/rules/rule-view.ts';
import type { FoundRuntime } from '../../../model/run/runtime.ts';
import { block, factsNode, heading, type Node, tableNode, text } from '../../doc.ts';
import { columnsOf } from '../../section/model/columns.ts';
import { muted } from '../../section/model/sentence.ts';

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
    return rows.length === 0 ? [] : [heading([title]), ...block(rows)];
  });
  return [
    heading([`Rule book of ${of} (${engine})`]),
    heading(['Paths, in the order in which the engine decides']),
    ...block(pathRows),
    ...groups,
  ];
}

function ruleRow(rule: RuleView): Node[] {
  const { id, why, fix, blocks } = rule;
  const blocked = blocks.length > 0 ? [`Blocks: ${blocks.join(', ')}.`] : [];
  return rowNodes(id, rule, [why, ...(fix === null ? [] : [fix]), ...blocked]);
}

function rowNodes(name: string, row: PathView | RuleView, why: readonly string[]): Node[] {
  const { title, versions, channels, source } = row;
  const known = [title, versions, channels?.join(', ')].filter((fact) => fact != null);
  return [
    factsNode([{ text: name, strong: true }, ...known]),
    text([why.join(' ')], { by: 1 }),
    text([source], { tone: 'muted', by: 1 }),
  ];
}

export const meaningNodes = (meanings: readonly Meaning[]): Node[] =>
  meanings.flatMap(({ word, kind, text: meaning, source, example = [] }) => [
    ...block([
      heading([word], [kind]),
      text([meaning]),
      ...(source === undefined ? [] : [text([source], { tone: 'muted' })]),
    ]),
    ...codeOf(example),
  ]);

const codeOf = (lines: readonly string[]): Node[] =>
  lines.length === 0 ? [] : [{ type: 'code', text: lines.join('\n'), language: 'js', isWhole: true }];

export function runtimeNodes(runtimes: readonly FoundRuntime[]): Node[] {
  if (runtimes.length === 0) return [text(['None.'])];
  const columns = columnsOf(runtimes, [
    { head: '', cell: ({ spec }) => spec },
    { head: '', cell: ({ engine }) => engine },
    {
      head: '',
      cell: ({ from, needs }) => (needs === undefined ? from : `${from}, too old: needs ${needs}`),
    },
    { head: '', cell: ({ binary }) => muted(binary) },
  ]);
  return tableNode('Runtimes', columns, { hasLongCells: true });
}
