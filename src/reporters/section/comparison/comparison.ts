/** Stored reports against the first of them: a row for each run, and for those that changed what changed. */
import type {
  ComparedCrossover,
  ComparedShare,
  ComparedSize,
  ReportComparison,
  RunComparison,
  StrategyComparison,
} from '../../../model/documents/comparison.ts';
import type { Wording } from '../../../model/report/wording.ts';
import type { ShareChange, Unlike } from '../../../model/vocabulary/comparison.ts';
import { bytes, count, counted, ratio as ratioText, ratioWithInterval } from '../../text/numbers.ts';
import { type Column, columnsOf, known } from '../model/columns.ts';
import type { ChangedRun, ComparisonSection } from '../model/model.ts';
import { code, muted, type Sentence, type Span, sentence } from '../model/sentence.ts';
import { CLASS_TONES } from '../model/texts.ts';
import {
  adviceText,
  bothSides,
  CHANGE_TEXTS,
  changedRun,
  classText,
  fromTo,
  inFile,
  overChannel,
  type Reports,
  runtimeText,
  sideName,
  timeText,
} from './changed-run.ts';

export function comparisonSection(comparison: ReportComparison, words: Wording): ComparisonSection {
  const { reports, runs, strategies } = comparison;
  if (strategies !== undefined) return sweepSection(reports, strategies);
  return {
    reports: reportColumns(reports),
    lead: leadSentence(runs),
    runs: runs.length === 0 ? [] : runColumns(comparison),
    changed: runs.filter(isChanged).map((run) => changedRun(run, reports, words)),
    notes: [
      ...timeSentences(runs),
      ...(runs.some((run) => isChanged(run) && run.trials.length > 0) ? [SHARES_COMPARE] : []),
    ],
  };
}

const isChanged = ({ changes }: RunComparison): boolean => changes.length > 0;

function sweepSection(reports: Reports, strategies: readonly StrategyComparison[]): ComparisonSection {
  const changed = strategies.filter((one) => one.changed);
  const isNone = strategies.length === 0;
  const all = counted(strategies.length, 'strategy', 'strategies');
  return {
    reports: reportColumns(reports),
    lead: [
      isNone ? 'Nothing to compare: no strategy but raw is in both.' : `${changedText(changed.length, all)}.`,
    ],
    runs: isNone ? [] : strategyColumns(strategies, reports),
    changed: changed.map((one) => changedStrategy(one, reports)),
    notes: isNone ? [] : [SHARES_COMPARE],
  };
}

const changedText = (changed: number, all: string): string =>
  changed === 0 ? `Nothing changed in ${all}` : `${count(changed)} of ${all} changed`;

const reportColumns = (reports: Reports): Column[] =>
  columnsOf(reports, [
    { head: '', cell: (_, at) => sideName(at, reports) },
    { head: 'report', cell: ({ file }) => code(file) },
    { head: 'day', cell: ({ date }) => date ?? '', align: 'right', rank: 2 },
    { head: 'machine', cell: ({ machine }) => `${machine.os} ${machine.arch}, ${machine.cpu}`, rank: 3 },
    { head: 'seed', cell: ({ seed }) => String(seed), align: 'right', rank: 0 },
    { head: 'clone-prof', cell: ({ tool }) => tool.version, rank: 1 },
  ]);

function leadSentence(runs: readonly RunComparison[]): Sentence {
  const both = runs.filter(({ before, now }) => before !== null && now !== null);
  const lead = changedText(both.filter(isChanged).length, counted(both.length, 'run'));
  const gone = runs.filter(({ now }) => now === null).length;
  const added = runs.filter(({ before }) => before === null).length;
  const rest = [gone > 0 && `${count(gone)} only before`, added > 0 && `${count(added)} only now`];
  return [`${[lead, rest.filter(Boolean).join(', ')].filter(Boolean).join('; ')}.`];
}

const runColumns = ({ reports, runs }: ReportComparison): Column[] =>
  columnsOf(runs, [
    { head: 'payload', cell: ({ payload }) => code(payload) },
    { head: 'runtime', cell: runtimeText },
    { head: 'in', cell: ({ report }) => (reports.length > 2 ? sideName(report, reports) : '') },
    { head: '', cell: stateCell },
    { head: 'class', cell: classCell, rank: 4 },
    { head: 'wire', cell: (run) => bothSides(run, ({ wireBytes }) => known(wireBytes, bytes)), rank: 1 },
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
  const command = code('clone-prof check --base COMMIT');
  return [
    sentence`Round trips are not comparable: ${why}. ${command} times the payloads of two commits in turns.`,
  ];
}

const SHARES_COMPARE: Sentence = [
  'Both were timed in turns with the original, so shares of its time are comparable: a change where the 95 % intervals do not overlap.',
];

const strategyColumns = (strategies: readonly StrategyComparison[], reports: Reports): Column[] =>
  columnsOf(strategies, [
    { head: 'payload', cell: ({ payload }) => code(payload), rank: 3 },
    { head: 'runtime', cell: placeText },
    { head: 'strategy', cell: ({ strategy }) => code(strategy) },
    { head: 'in', cell: ({ report }) => (reports.length > 2 ? sideName(report, reports) : '') },
    { head: '', cell: ({ changed }) => (changed ? { text: 'changed', tone: 'fair' } : muted('same')) },
    { head: 'as raw at', cell: (one) => one.crossovers.map(crossoverText).join(', '), rank: 2 },
    { head: 'takes less', cell: ({ shares }) => changeText(shares, 'lower'), align: 'right', rank: 1 },
    { head: 'takes more', cell: ({ shares }) => changeText(shares, 'higher'), align: 'right', rank: 0 },
  ]);

const placeText = ({ runtime, channel }: StrategyComparison): string =>
  `${runtime.name} ${fromTo(runtime.before, runtime.now)}${overChannel(channel)}`;

function changeText(shares: readonly ComparedShare[], change: ShareChange): string {
  const seen = shares.filter((share) => share.change === change).length;
  return seen === 0 ? '' : `at ${seen} of ${shares.length} sizes`;
}

const sizeText = (one: ComparedSize | null): string =>
  one === null ? '' : `${ratioText(one.size)} (${one.ci.map(ratioText).join('–')})`;

const crossoverText = ({ before, now }: ComparedCrossover): string => fromTo(sizeText(before), sizeText(now));

function changedStrategy(one: StrategyComparison, reports: Reports): ChangedRun {
  const { payload, strategy, unit, shares, crossovers } = one;
  const columns = columnsOf(shares, [
    { head: unit, cell: ({ size }) => count(size), align: 'right' },
    { head: 'before', cell: ({ before }) => ratioWithInterval(before), align: 'right' },
    { head: 'now', cell: ({ now }) => ratioWithInterval(now), align: 'right' },
    { head: '', cell: ({ change }) => CHANGE_TEXTS[change] },
  ]);
  const crossing = crossovers.map((crossover) => [`At ${crossoverText(crossover)} ${unit}.`]);
  return {
    title: sentence`${code(strategy)} for ${code(payload)} on ${placeText(one)}${inFile(one, reports)}`,
    statements: crossing.length === 0 ? [] : [{ label: 'as raw', sentences: crossing }],
    shares: shares.length === 0 ? null : { title: 'Time as a share of raw in the same run', columns },
  };
}
