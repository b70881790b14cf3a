/** Nodes of the rule book and the runtimes: `rules`, `explain`, `runtimes` and `verify`. */
import type { ObjectResult, Seen, VerifyReport, VerifyResult } from '../../model/report/verify.ts';
import type { Meaning, PathView, PostOutcome, RuleBookView, RuleView } from '../../model/rules/rule.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { alert, type Body, block, facts, heading, list, tableOf, text } from '../nodes.ts';
import { groupedBy } from '../text/groups.ts';
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
  tableOf('Runtimes', runtimes, [
    { head: '', cell: ({ spec }) => spec },
    { head: '', cell: ({ engine }) => engine },
    {
      head: '',
      cell: ({ from, needs }) => (needs === undefined ? from : `${from}, too old: needs ${needs}`),
    },
    { head: '', cell: ({ binary }) => muted(binary) },
  ]) ?? text('None.');

// `verify`: counts for each runtime, and failures in full. JSON has all results.

export function verifyNodes({ results, objects }: VerifyReport): Body {
  const broken = [...results, ...objects].filter(({ holds }) => holds === false).length;
  return [
    groupedBy(results, ({ runtime }) => runtime).map(([runtime, own]) =>
      runtimeResults(runtime, own, objects),
    ),
    broken === 0
      ? text('The rule book holds on every runtime checked.')
      : alert(
          `${broken} ${broken === 1 ? 'rule does' : 'rules do'} not hold. The rule book is wrong there, not your program: please report the lines above.`,
        ),
  ];
}

function runtimeResults(runtime: string, results: readonly VerifyResult[], objects: readonly ObjectResult[]) {
  const shown = results.filter(({ inScope, holds }) => inScope || holds === false);
  const count = (holds: boolean | null) => shown.filter((result) => result.holds === holds).length;
  const agreeing = results.filter(({ inScope, holds }) => !inScope && holds).length;
  const made = objects.filter((one) => one.runtime === runtime && one.seen !== null);
  const wrong = made.filter(({ holds }) => holds === false);
  return [
    block([
      heading(runtime),
      list([
        `rules: ${count(true)} hold, ${count(false)} do not, ${count(null)} without an oracle`,
        `verdicts agree on ${agreeing} values of other rules`,
        `objects of the platform: ${made.length - wrong.length} of ${made.length} as the table says`,
      ]),
    ]),
    shown.map(
      ({ rule, holds, why, fires, nearMiss }) =>
        holds === false &&
        block([
          alert(`${rule}: ${why}`),
          text(`value: ${seenText(fires)}`, { by: 1 }),
          text(`near miss: ${seenText(nearMiss)}`, { by: 1 }),
        ]),
    ),
    wrong.map((one) => alert(`${one.class}: ${objectText(one)}`)),
  ];
}

function seenText({ predicted, fired, confirmed, evidence }: Seen): string {
  const engine = confirmed === null ? 'no oracle' : confirmed ? 'the engine agrees' : 'the engine disagrees';
  const rule = fired ? 'the rule fires' : fired === null ? 'the rule may fire' : 'the rule does not fire';
  return `predicted ${predicted ?? 'nothing'}, ${rule}, ${engine}${evidence === '' ? '' : ` (${evidence})`}`;
}

const outcomes = (some: readonly PostOutcome[] | null): string => some?.join(', ') ?? 'nothing';

export const objectText = ({ channel, told, seen, why }: ObjectResult): string =>
  `over ${channel} it is ${outcomes(seen)}, and told as ${outcomes(told)}${why === '' ? '' : ` (${why})`}`;
