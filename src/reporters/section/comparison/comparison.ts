/** Stored reports against the first of them: a row for each run, and for those that changed what changed. */
import type {
  ComparedReport,
  ReportComparison,
  RunComparison,
  StrategyComparison,
} from '../../../model/documents/comparison.ts';
import type { Wording } from '../../../model/report/wording.ts';
import type { Unlike } from '../../../model/vocabulary/comparison.ts';
import { count, counted } from '../../text/numbers.ts';
import { type Column, columnsOf } from '../model/columns.ts';
import type { ComparisonSection } from '../model/model.ts';
import { code, muted, type Sentence, type Span } from '../model/sentence.ts';
import { CLASS_TONES } from '../model/texts.ts';
import { changedRun } from './changed-run.ts';
import { adviceText, bothSides, classText, runtimeText, sideName, timeText, wireText } from './sides.ts';
import { changedStrategy, strategyColumns } from './strategies.ts';

export function comparisonSection(comparison: ReportComparison, words: Wording): ComparisonSection {
  const { reports, runs, strategies } = comparison;
  if (strategies !== undefined) return sweepSection(reports, strategies);
  const isChanged = ({ changes }: RunComparison) => changes.length > 0;
  return {
    reports: reportColumns(reports),
    lead: leadSentence(runs),
    runs: runs.length === 0 ? [] : runColumns(comparison),
    changed: runs.filter(isChanged).map((run) => changedRun(run, reports, words)),
    notes: [...timeSentences(runs), ...shareSentences(runs)],
  };
}

function sweepSection(
  reports: readonly ComparedReport[],
  strategies: readonly StrategyComparison[],
): ComparisonSection {
  const changed = strategies.filter((one) => one.changed);
  return {
    reports: reportColumns(reports),
    lead:
      strategies.length === 0
        ? ['Nothing to compare: no strategy but raw is in both.']
        : [`${changedText(changed.length, counted(strategies.length, 'strategy', 'strategies'))}.`],
    runs: strategies.length === 0 ? [] : strategyColumns(strategies, reports),
    changed: changed.map((one) => changedStrategy(one, reports)),
    notes: strategies.length === 0 ? [] : [SHARES_COMPARE],
  };
}

/** "2 of 3 runs changed", "Nothing changed in 3 runs" */
const changedText = (changed: number, all: string): string =>
  changed === 0 ? `Nothing changed in ${all}` : `${count(changed)} of ${all} changed`;

const reportColumns = (reports: readonly ComparedReport[]): Column[] =>
  columnsOf(reports, [
    { head: '', cell: (_, at) => sideName(at, reports) },
    { head: 'report', cell: ({ file }) => code(file) },
    { head: 'day', cell: ({ date }) => date ?? '', align: 'right', rank: 2 },
    { head: 'machine', cell: ({ machine }) => `${machine.os} ${machine.arch}, ${machine.cpu}`, rank: 3 },
    { head: 'seed', cell: ({ seed }) => String(seed), align: 'right', rank: 0 },
    { head: 'clone-prof', cell: ({ tool }) => tool.version, rank: 1 },
  ]);

/** "2 of 3 runs changed; 1 only before, 1 only now." */
function leadSentence(runs: readonly RunComparison[]): Sentence {
  const both = runs.filter(({ before, now }) => before !== null && now !== null);
  const changed = both.filter(({ changes }) => changes.length > 0).length;
  const lead = changedText(changed, counted(both.length, 'run'));
  const gone = runs.filter(({ now }) => now === null).length;
  const added = runs.filter(({ before }) => before === null).length;
  const rest = [
    ...(gone > 0 ? [`${count(gone)} only before`] : []),
    ...(added > 0 ? [`${count(added)} only now`] : []),
  ];
  return [`${[lead, ...(rest.length > 0 ? [rest.join(', ')] : [])].join('; ')}.`];
}

const runColumns = ({ reports, runs }: ReportComparison): Column[] =>
  columnsOf(runs, [
    { head: 'payload', cell: ({ payload }) => code(payload) },
    { head: 'runtime', cell: runtimeText },
    { head: 'in', cell: ({ report }) => (reports.length > 2 ? sideName(report, reports) : '') },
    { head: '', cell: stateCell },
    { head: 'class', cell: classCell, rank: 4 },
    { head: 'wire', cell: (run) => bothSides(run, wireText), rank: 1 },
    { head: 'do', cell: (run) => bothSides(run, adviceText), rank: 2 },
    { head: 'round trip', cell: timesCell, rank: 3 },
  ]);

function stateCell({ before, now, changes }: RunComparison): Span {
  if (before === null) return { text: 'only now', tone: 'fair' };
  if (now === null) return { text: 'only before', tone: 'fair' };
  return changes.length === 0 ? muted('same') : { text: 'changed', tone: 'fair' };
}

/** Not an arrow: the two do not compare. */
function timesCell(run: RunComparison): Span {
  const text = bothSides(run, timeText, ' | ');
  return text === '' ? '' : muted(text);
}

function classCell(run: RunComparison): Span {
  const verdict = (run.now ?? run.before)?.verdict;
  return { text: bothSides(run, classText), tone: verdict ? CLASS_TONES[verdict.class] : 'bad' };
}

const UNLIKE_TEXTS = {
  'other-machine': 'they are of two machines',
  'other-run': 'they are of two runs of one machine',
} as const satisfies Record<Unlike, string>;

/** A machine is never twice as fast or as quiet: only times that were taken in turns are compared. */
function timeSentences(runs: readonly RunComparison[]): Sentence[] {
  const kinds = [...new Set(runs.flatMap(({ times }) => times ?? []))];
  if (kinds.length === 0) return [];
  const why = kinds.map((kind) => UNLIKE_TEXTS[kind]).join(', or ');
  return [
    [
      `Round trips are not comparable: ${why}. `,
      code('clone-prof check --base COMMIT'),
      ' times the payloads of two commits in turns.',
    ],
  ];
}

const SHARES_COMPARE: Sentence = [
  'Both were timed in turns with the original, so shares of its time are comparable: a change where the 95 % intervals do not overlap.',
];

const shareSentences = (runs: readonly RunComparison[]): Sentence[] =>
  runs.some(({ changes, trials }) => changes.length > 0 && trials.length > 0) ? [SHARES_COMPARE] : [];
