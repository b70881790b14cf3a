/** Compares stored reports with the first: a row for each run, and both sides of the runs that changed. */
import type {
  ComparedCrossover,
  ComparedReport,
  ComparedRun,
  ComparedShare,
  ComparedSize,
  ComparedTrial,
  FoundRule,
  ReportComparison,
  RunComparison,
  StrategyComparison,
} from '../../model/documents/comparison.ts';
import type { RatioEstimate } from '../../model/documents/measurement.ts';
import { type Channel, runtimeWord } from '../../model/names.ts';
import type { Wording } from '../../model/report/wording.ts';
import type { Change, ShareChange, Unlike } from '../../model/vocabulary/comparison.ts';
import { block, fold, item, type Node, type Printed, tableNode, text } from '../doc.ts';
import { type Column, type ColumnOf, columnsOf, known } from '../section/model/columns.ts';
import {
  code,
  muted,
  type Sentence,
  type Span,
  type StyledText,
  sentence,
} from '../section/model/sentence.ts';
import { CLASS_TONES, LEVEL_TEXTS, SHORT_ADVICE } from '../section/model/texts.ts';
import {
  bytes,
  changeText,
  count,
  counted,
  medianText,
  ratioInterval,
  ratio as ratioText,
  ratioWithInterval,
  speed,
} from '../text/numbers.ts';
import { foldedPath } from '../text/paths.ts';
import { rewriteName } from './trial-words.ts';
import { causeTitle, placesItem, placeText } from './verdict.ts';

/** Parts that differ between comparisons of payloads and of sweeps. */
interface Parts {
  lead: string;
  /** Rows for all runs or strategies, changed or not. */
  rows: readonly Column[];
  changed: readonly Node[];
  notes: readonly Sentence[];
}

type Reports = readonly ComparedReport[];

export function comparisonDocument(comparison: ReportComparison, words: Wording): Printed {
  const { reports, runs, strategies } = comparison;
  const { lead, rows, changed, notes } =
    strategies === undefined ? runParts(runs, reports, words) : strategyParts(strategies, reports);
  return {
    title: reports.map(({ file }) => file).join(', '),
    heading: [lead],
    isHeaded: true,
    about: [],
    body: [
      ...tableNode('Reports', reportColumns(reports)),
      ...tableNode(strategies === undefined ? 'Runs' : 'Strategies', rows),
      ...changed,
      ...notes.map((note) => text(note, { tone: 'muted' })),
    ],
    facts: [],
  };
}

const reportColumns = (reports: Reports): Column[] =>
  columnsOf(reports, [
    { head: '', cell: (_, at) => sideName(at, reports) },
    { head: 'report', cell: ({ file }) => code(file) },
    { head: 'day', cell: ({ date }) => date ?? '', align: 'right', rank: 2 },
    { head: 'machine', cell: ({ machine }) => `${machine.os} ${machine.arch}, ${machine.cpu}`, rank: 3 },
    { head: 'seed', cell: ({ seed }) => String(seed), align: 'right', rank: 0 },
    { head: 'clone-prof', cell: ({ tool }) => tool.version, rank: 1 },
  ]);

const sideName = (at: number, { length }: readonly unknown[]): string =>
  at === 0 ? 'before' : length === 2 ? 'now' : `now ${at}`;

/** Column that names the report of a row, if several are compared with the first. */
const sideColumn = (reports: Reports): ColumnOf<{ report: number }> => ({
  head: 'in',
  cell: ({ report }) => (reports.length > 2 ? sideName(report, reports) : ''),
});

const inFile = ({ report }: { report: number }, reports: Reports): Sentence =>
  reports.length > 2 ? [' in ', code(reports[report]?.file ?? '')] : [];

const overChannel = (channel: Channel): string => (channel === 'worker' ? '' : ` over ${channel}`);

const changedText = (changed: number, all: string): string =>
  changed === 0 ? `Nothing changed in ${all}` : `${count(changed)} of ${all} changed`;

const CHANGED: StyledText = { text: 'changed', tone: 'fair' };

/** A single text if both are equal; a dash for an empty side. */
const fromTo = (before: string, now: string, between = ' → '): string =>
  before === now ? now : `${before || '–'}${between}${now || '–'}`;

const SHARES_COMPARE: Sentence = [
  'Both were timed in turns with the original, so shares of its time are comparable: a change where the 95 % intervals do not overlap.',
];

const CHANGE_TEXTS: Readonly<Record<ShareChange, StyledText>> = {
  lower: { text: 'takes less', tone: 'good', marked: 'faster' },
  higher: { text: 'takes more', tone: 'poor', marked: 'slower' },
  unsure: { text: 'no change shown', tone: 'muted', marked: 'unsure' },
};

/** Times as shares of the original's times; empty without rows. */
const shareNodes = (title: string, columns: readonly Column[]): Node[] =>
  columns.length === 0 ? [] : block([text([`${title}:`], { tone: 'muted' }), ...tableNode(title, columns)]);

// Comparison of runs of payloads.

function runParts(runs: readonly RunComparison[], reports: Reports, words: Wording): Parts {
  const changed = runs.filter(isChanged);
  const isCompared = changed.some(({ trials }) => trials.length > 0);
  return {
    lead: leadText(runs),
    rows: runColumns(runs, reports),
    changed: changed.flatMap((run) => changedRun(run, reports, words)),
    notes: [...timeNotes(runs), ...(isCompared ? [SHARES_COMPARE] : [])],
  };
}

const isChanged = ({ changes }: RunComparison): boolean => changes.length > 0;

function leadText(runs: readonly RunComparison[]): string {
  const both = runs.filter(({ before, now }) => before !== null && now !== null);
  const lead = changedText(both.filter(isChanged).length, counted(both.length, 'run'));
  const gone = runs.filter(({ now }) => now === null).length;
  const added = runs.filter(({ before }) => before === null).length;
  const rest = [gone > 0 && `${count(gone)} only before`, added > 0 && `${count(added)} only now`];
  return [lead, rest.filter(Boolean).join(', ')].filter(Boolean).join('; ');
}

const runColumns = (runs: readonly RunComparison[], reports: Reports): Column[] =>
  columnsOf(runs, [
    { head: 'payload', cell: ({ payload }) => code(payload) },
    { head: 'runtime', cell: runtimeText },
    sideColumn(reports),
    { head: '', cell: stateCell },
    { head: 'class', cell: classCell, rank: 4 },
    { head: 'wire', cell: (run) => bothSides(run, ({ copied }) => known(copied, bytes)), rank: 1 },
    { head: 'do', cell: (run) => bothSides(run, adviceText), rank: 2 },
    { head: 'round trip', cell: timesCell, rank: 3 },
  ]);

/** Text for both sides of a run; a run that exists on one side only gets a single text. */
function bothSides(
  { before, now }: Pick<RunComparison, 'before' | 'now'>,
  textOf: (run: ComparedRun) => string,
  between?: string,
): string {
  if (before === null || now === null) return known(now ?? before, textOf);
  return fromTo(textOf(before), textOf(now), between);
}

function runtimeText({ channel, ...sides }: RunComparison): string {
  const word = known(sides.now ?? sides.before, ({ runtime }) => runtimeWord(runtime));
  return `${word} ${bothSides(sides, ({ runtime }) => runtime.version)}${overChannel(channel)}`;
}

const classText = ({ verdict, status }: ComparedRun): string => verdict?.class ?? status;
const timeText = ({ roundTrip }: ComparedRun): string => known(roundTrip, medianText);

function adviceText({ advice }: ComparedRun): string {
  if (advice === null) return '';
  const { action, remedy, path, gain } = advice;
  if (action !== 'apply') return SHORT_ADVICE[action];
  const where = path === null || path === '$' ? '' : ` at ${foldedPath(path)}`;
  return `${remedy ?? SHORT_ADVICE.apply}${where}${gain === null ? '' : `: ${speed(gain)}`}`;
}

function stateCell({ before, now, changes }: RunComparison): Span {
  if (before === null) return { text: 'only now', tone: 'fair' };
  if (now === null) return { text: 'only before', tone: 'fair' };
  return changes.length === 0 ? muted('same') : CHANGED;
}

/** The separator is not an arrow, because the two times are not comparable. */
function timesCell(run: RunComparison): Span {
  const times = bothSides(run, timeText, ' | ');
  return times === '' ? '' : muted(times);
}

function classCell(run: RunComparison): Span {
  const verdict = (run.now ?? run.before)?.verdict;
  return { text: bothSides(run, classText), tone: verdict ? CLASS_TONES[verdict.class] : 'bad' };
}

const UNLIKE_TEXTS = {
  'other-machine': 'they are of two machines',
  'other-run': 'they are of two runs of one machine',
} as const satisfies Record<Unlike, string>;

/** Machines are never twice equally fast or quiet, so only times that were taken in turns are compared. */
function timeNotes(runs: readonly RunComparison[]): Sentence[] {
  const kinds = [...new Set(runs.flatMap(({ times }) => times ?? []))];
  if (kinds.length === 0) return [];
  const why = kinds.map((kind) => UNLIKE_TEXTS[kind]).join(', or ');
  const command = code('clone-prof check --base COMMIT');
  return [
    sentence`Round trips are not comparable: ${why}. ${command} times the payloads of two commits in turns.`,
  ];
}

const changedRun = (run: RunComparison, reports: Reports, words: Wording): Node[] =>
  fold(
    null,
    sentence`${code(run.payload)} on ${runtimeText(run)}${inFile(run, reports)}`,
    [
      ...block([
        ...said('verdict', verdictSentences(run)),
        ...found('came', run.came, words),
        ...found('went', run.went, words),
        ...said('size', sizeSentences(run)),
        ...said('times', timeSentences(run)),
        ...said('do', run.changes.includes('advice') ? [[`${bothSides(run, adviceText)}.`]] : []),
      ]),
      ...shareNodes('Time of rewrites as a share of the original in the same run', shareColumns(run, words)),
    ],
    true,
  );

const said = (label: string, sentences: readonly Sentence[]): Node[] =>
  sentences.length === 0 ? [] : [item(label, sentences)];

function verdictSentences(run: RunComparison): Sentence[] {
  const { changes, before, now } = run;
  const errors = [before, now].flatMap((side) => side?.error?.message.split('\n')[0] ?? []);
  return [
    ...(changes.includes('class') ? [[`Class: ${bothSides(run, classText)}.`]] : []),
    ...(changes.includes('path')
      ? [sentence`Path: ${code(bothSides(run, ({ verdict }) => verdict?.path ?? ''))}.`]
      : []),
    ...(changes.includes('status')
      ? [[`Status: ${bothSides(run, ({ status }) => status)}${errors.map((one) => ` (${one})`).join('')}.`]]
      : []),
  ];
}

const found = (label: string, rules: readonly FoundRule[], words: Wording): Node[] =>
  placesItem(
    label,
    rules.map(({ rule, level, path, count: seen }) =>
      placeText(path, `${LEVEL_TEXTS[level]}${causeTitle(rule, undefined, words)}`, seen),
    ),
  );

const SIZES: readonly [Change, what: string, of: (run: ComparedRun) => number | null, text: typeof bytes][] =
  [
    ['values', 'values', ({ shape }) => shape?.nodes ?? null, count],
    ['depth', 'levels', ({ shape }) => shape?.depth ?? null, count],
    ['json-bytes', 'as JSON', ({ shape }) => shape?.jsonBytes ?? null, bytes],
    ['wire-bytes', 'copied', ({ copied }) => copied, bytes],
  ];

const sizeSentences = ({ changes, before, now }: RunComparison): Sentence[] =>
  SIZES.filter(([change]) => changes.includes(change)).map(([, what, of, inWords]) => {
    const [was, is] = [before && of(before), now && of(now)];
    const share = was && is !== null ? ` (${changeText(is / was)})` : '';
    return [`${fromTo(known(was, inWords), known(is, inWords))} ${what}${share}.`];
  });

function timeSentences({ times, before, now }: RunComparison): Sentence[] {
  if (times === null || before === null || now === null) return [];
  const where = times === 'other-machine' ? 'another machine' : 'another run';
  return [[`Round trip ${timeText(before)} before, ${timeText(now)} now: ${where}, so not comparable.`]];
}

function shareColumns(run: RunComparison, words: Wording): Column[] {
  const shareText = ({ ratio }: RatioEstimate) => ratioText(ratio);
  return columnsOf(shareRows(run, words), [
    { head: 'rewrite', cell: ({ name }) => code(name) },
    { head: 'before', cell: ({ before }) => known(before, shareText), align: 'right' },
    { head: '95 %', cell: ({ before }) => known(before, ratioInterval), align: 'right', rank: 0 },
    { head: 'now', cell: ({ now }) => known(now, shareText), align: 'right' },
    { head: '95 %', cell: ({ now }) => known(now, ratioInterval), align: 'right', rank: 1 },
    { head: '', cell: changeCell },
  ]);
}

type ShareRow = ReturnType<typeof shareRows>[number];

/** Rows with conversion, and additional rows for changes in place. */
function shareRows({ trials }: RunComparison, words: Wording) {
  const rewrites = trials.map(({ remedy, path, form }) => {
    return { remedy, path, plan: { path, ...(form === undefined ? {} : { form }) } };
  });
  return trials.flatMap((trial, at) => {
    const { before, now } = trial;
    const name = rewriteName(rewrites[at]!, rewrites, words);
    const row = (of: 'withConversion' | 'inPlace', suffix: string) => ({
      name: `${name}${suffix}`,
      before: before?.[of] ?? null,
      now: now?.[of] ?? null,
      change: trial[of],
      equality: equalityText(before, now),
    });
    const own = row('withConversion', '');
    const isTold = own.before !== null || own.now !== null || own.equality !== '';
    const isInPlace = trial.inPlace === 'lower' || trial.inPlace === 'higher';
    return [...(isTold ? [own] : []), ...(isInPlace ? [row('inPlace', ', in place')] : [])];
  });
}

function equalityText(before: ComparedTrial | null, now: ComparedTrial | null): string {
  if (before === null || now === null || before.equality === now.equality) return '';
  return `was ${before.equality}, is ${now.equality}`;
}

function changeCell({ before, now, change, equality }: ShareRow): Span {
  if (equality !== '') return { text: equality, tone: 'fair' };
  if (change !== null) return CHANGE_TEXTS[change];
  return muted(before === null ? 'only now' : now === null ? 'only before' : '');
}

// Comparison of strategies of sweeps.

function strategyParts(strategies: readonly StrategyComparison[], reports: Reports): Parts {
  const changed = strategies.filter((one) => one.changed);
  const isNone = strategies.length === 0;
  const all = counted(strategies.length, 'strategy', 'strategies');
  return {
    lead: isNone ? 'Nothing to compare: no strategy but raw is in both' : changedText(changed.length, all),
    rows: strategyColumns(strategies, reports),
    changed: changed.flatMap((one) => changedStrategy(one, reports)),
    notes: isNone ? [] : [SHARES_COMPARE],
  };
}

const strategyColumns = (strategies: readonly StrategyComparison[], reports: Reports): Column[] =>
  columnsOf(strategies, [
    { head: 'payload', cell: ({ payload }) => code(payload), rank: 3 },
    { head: 'runtime', cell: sweptText },
    { head: 'strategy', cell: ({ strategy }) => code(strategy) },
    sideColumn(reports),
    { head: '', cell: ({ changed }) => (changed ? CHANGED : muted('same')) },
    { head: 'as raw at', cell: (one) => one.crossovers.map(crossoverText).join(', '), rank: 2 },
    { head: 'takes less', cell: ({ shares }) => sizesText(shares, 'lower'), align: 'right', rank: 1 },
    { head: 'takes more', cell: ({ shares }) => sizesText(shares, 'higher'), align: 'right', rank: 0 },
  ]);

const sweptText = ({ runtime: { name, before, now }, channel }: StrategyComparison): string =>
  `${name} ${fromTo(before, now)}${overChannel(channel)}`;

function sizesText(shares: readonly ComparedShare[], change: ShareChange): string {
  const seen = shares.filter((share) => share.change === change).length;
  return seen === 0 ? '' : `at ${seen} of ${shares.length} sizes`;
}

const sizeText = (one: ComparedSize | null): string =>
  one === null ? '' : `${ratioText(one.size)} (${one.ci.map(ratioText).join('–')})`;

const crossoverText = ({ before, now }: ComparedCrossover): string => fromTo(sizeText(before), sizeText(now));

function changedStrategy(one: StrategyComparison, reports: Reports): Node[] {
  const { payload, strategy, unit, shares, crossovers } = one;
  const columns = columnsOf(shares, [
    { head: unit, cell: ({ size }) => count(size), align: 'right' },
    { head: 'before', cell: ({ before }) => ratioWithInterval(before), align: 'right' },
    { head: 'now', cell: ({ now }) => ratioWithInterval(now), align: 'right' },
    { head: '', cell: ({ change }) => CHANGE_TEXTS[change] },
  ]);
  return fold(
    null,
    sentence`${code(strategy)} for ${code(payload)} on ${sweptText(one)}${inFile(one, reports)}`,
    [
      ...said(
        'as raw',
        crossovers.map((crossover) => [`At ${crossoverText(crossover)} ${unit}.`]),
      ),
      ...shareNodes('Time as a share of raw in the same run', columns),
    ],
    true,
  );
}
