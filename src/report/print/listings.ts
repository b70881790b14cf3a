/** Lists that `rules`, `explain` and `runtimes` print. */
import type { Meaning, PathView, RuleBookView, RuleView } from '../../model/rules/rule.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { type Body, block, facts, heading, longTable, text } from '../nodes.ts';
import { muted } from '../words.ts';

const HEADS = [
  ['rejected', 'Rejected: postMessage throws'],
  ['slow', 'Slower: no fast path, or a more expensive one'],
  ['lossy', 'Changed on arrival'],
  ['note', 'Notes'],
] as const;

export function ruleNodes({ runtime, version, engine, paths, rules }: RuleBookView): Body {
  const of = version === null ? `${runtime}, every version` : `${runtime} ${version}`;
  return [
    heading(`Rule book of ${of} (${engine})`),
    heading('Paths, in the order in which the engine decides'),
    block(paths.map((row) => rowNodes(`${row.path} (${row.class})`, row, row.why))),
    HEADS.map(([level, title]) => {
      const rows = block(rules.filter((rule) => rule.level === level).map(ruleRow));
      return rows && [heading(title), rows];
    }),
  ];
}

function ruleRow(rule: RuleView): Body {
  const { id, why, fix, blocks } = rule;
  const blocked = blocks.length > 0 && `Blocks: ${blocks.join(', ')}.`;
  return rowNodes(id, rule, [why, fix, blocked].filter(Boolean).join(' '));
}

function rowNodes(name: string, row: PathView | RuleView, why: string): Body {
  const { title, versions, channels, source } = row;
  return [
    facts([{ text: name, strong: true }, title, versions, channels?.join(', ')]),
    text(why, { by: 1 }),
    text(source, { tone: 'muted', by: 1 }),
  ];
}

export const meaningNodes = (meanings: readonly Meaning[]): Body =>
  meanings.map(({ word, kind, text: meaning, source, example = [] }) => [
    block([heading(word, kind), text(meaning), text(source, { tone: 'muted' })]),
    example.length > 0 && { type: 'code', text: example.join('\n'), language: 'js', isWhole: true },
  ]);

export const runtimeNodes = (runtimes: readonly FoundRuntime[]): Body =>
  longTable('Runtimes', runtimes, [
    { head: '', cell: ({ spec }) => spec },
    { head: '', cell: ({ engine }) => engine },
    {
      head: '',
      cell: ({ from, needs }) => (needs === undefined ? from : `${from}, too old: needs ${needs}`),
    },
    { head: '', cell: ({ binary }) => muted(binary) },
  ]) ?? text('None.');
