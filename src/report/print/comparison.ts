/** Compares stored reports with the first: a row for each run or strategy, and both sides of those that changed. */

import type {
  ComparedReport,
  ComparedRun,
  ReportComparison,
  RunComparison,
  StrategyComparison,
} from '../../model/documents/comparison.ts';
import { type Channel, runtimeWord } from '../../model/names.ts';
import type { Change, ShareChange } from '../../model/vocabulary/words.ts';
import { amounts, type ColumnOf, known } from '../columns.ts';
import type { Printed } from '../doc.ts';
import { type Body, block, fold, item, nodesOf, tableOf, text } from '../nodes.ts';
import { bytes, count, counted, ratioInterval, ratioText, speed } from '../text/numbers.ts';
import { code, cutPath, muted, type Span, type StyledText, sentence, type Words } from '../words.ts';
import { rewriteName, shareOf } from './rewrites.ts';
import { CLASS_TONES, foundItem, SHORT_ADVICE } from './texts.ts';

type Reports = readonly ComparedReport[];

export function comparisonDocument(comparison: ReportComparison): Printed {
  const { reports, runs, strategies } = comparison;
  return {
    title: reports.map(({ file }) => file).join(', '),
    heading: [strategies === undefined ? runsLead(runs) : strategiesLead(strategies)],
    isHeaded: true,
    body: nodesOf([
      tableOf('Reports', reports, [
        { head: '', cell: (_, at) => sideName(at, reports) },
        { head: 'report', cell: ({ file }) => code(file) },
        amounts('day', ({ date }) => date ?? '', 2),
        { head: 'machine', cell: ({ machine }) => `${machine.os} ${machine.arch}, ${machine.cpu}`, rank: 3 },
        { head: 'clone-prof', cell: ({ tool }) => tool.version, rank: 1 },
      ]),
      strategies === undefined ? runsBody(runs, reports) : strategiesBody(strategies, reports),
    ]),
    facts: [],
  };
}

const sideName = (at: number, { length }: Reports): string =>
  at === 0 ? 'before' : length === 2 ? 'now' : `now ${at}`;

/** Column that names the report of a row, if several are compared with the first. */
const sideColumn = (reports: Reports): ColumnOf<{ report: number }> => ({
  head: 'in',
  cell: ({ report }) => (reports.length > 2 ? sideName(report, reports) : ''),
});

const inFile = ({ report }: { report: number }, reports: Reports): Words =>
  reports.length > 2 && [' in ', code(reports[report]?.file ?? '')];

const overChannel = (channel: Channel): string => (channel === 'worker' ? '' : ` over ${channel}`);

const changedText = (changed: number, all: string): string =>
  changed === 0 ? `Nothing changed in ${all}` : `${count(changed)} of ${all} changed`;

const fromTo = (before: string, now: string): string =>
  before === now ? now : `${before || '–'} → ${now || '–'}`;

const stateCell = (isChanged: boolean): Span =>
  isChanged ? { text: 'changed', tone: 'fair' } : muted('same');

const CHANGE_TEXTS: Readonly<Record<ShareChange, StyledText>> = {
  lower: { text: 'takes less', tone: 'good', marked: 'faster' },
  higher: { text: 'takes more', tone: 'poor', marked: 'slower' },
  unsure: { text: 'no change shown', tone: 'muted', marked: 'unsure' },
};

const shareNodes = <Row>(title: string, rows: readonly Row[], columns: readonly ColumnOf<Row>[]): Body =>
  rows.length > 0 && block([text(`${title}:`, { tone: 'muted' }), tableOf(title, rows, columns)]);

const SHARES_COMPARE =
  'Both were timed in turns with the original, so shares of its time are comparable: a change where the 95 % intervals do not overlap.';

const isChanged = ({ changes }: RunComparison): boolean => changes.length > 0;

function runsLead(runs: readonly RunComparison[]): string {
  const both = runs.filter(({ before, now }) => before !== null && now !== null);
  const lead = changedText(both.filter(isChanged).length, counted(both.length, 'run'));
  const single = runs.length - both.length;
  return single === 0 ? lead : `${lead}; ${count(single)} in one report only`;
}

function runsBody(runs: readonly RunComparison[], reports: Reports): Body {
  const changed = runs.filter(isChanged);
  const hasShares = changed.some(({ trials }) => trials.length > 0);
  return [
    tableOf('Runs', runs, [
      { head: 'payload', cell: ({ payload }) => code(payload) },
      { head: 'runtime', cell: runtimeText },
      sideColumn(reports),
      { head: '', cell: presenceCell },
      { head: 'class', cell: classCell, rank: 4 },
      { head: 'wire', cell: (run) => bothSides(run, ({ copied }) => known(copied, bytes)), rank: 1 },
      { head: 'do', cell: (run) => bothSides(run, adviceText), rank: 2 },
    ]),
    changed.map((run) => changedRun(run, reports)),
    text(timesNote(runs), { tone: 'muted' }),
    hasShares && text(SHARES_COMPARE, { tone: 'muted' }),
  ];
}

/** Text for both sides of a run; a run that exists on one side only gets a single text. */
function bothSides(
  { before, now }: Pick<RunComparison, 'before' | 'now'>,
  textOf: (run: ComparedRun) => string,
): string {
  if (before === null || now === null) return known(now ?? before, textOf);
  return fromTo(textOf(before), textOf(now));
}

function runtimeText({ channel, ...sides }: RunComparison): string {
  const word = known(sides.now ?? sides.before, ({ runtime }) => runtimeWord(runtime));
  return `${word} ${bothSides(sides, ({ runtime }) => runtime.version)}${overChannel(channel)}`;
}

const classText = ({ verdict, status }: ComparedRun): string => verdict?.class ?? status;

function adviceText({ advice }: ComparedRun): string {
  if (advice === null) return '';
  const { action, remedy, path, gain } = advice;
  if (action !== 'apply') return SHORT_ADVICE[action];
  const where = path === null || path === '$' ? '' : ` at ${cutPath(path)}`;
  return `${remedy ?? SHORT_ADVICE.apply}${where}${gain === null ? '' : `: ${speed(gain)}`}`;
}

function presenceCell(run: RunComparison): Span {
  if (run.before === null) return { text: 'only now', tone: 'fair' };
  return run.now === null ? { text: 'only before', tone: 'fair' } : stateCell(isChanged(run));
}

function classCell(run: RunComparison): Span {
  const verdict = (run.now ?? run.before)?.verdict;
  return { text: bothSides(run, classText), tone: verdict ? CLASS_TONES[verdict.class] : 'bad' };
}

/** Machines are never twice equally fast or quiet, so only times that were taken in turns are comparable. */
const timesNote = (runs: readonly RunComparison[]): Words =>
  runs.some(({ before, now }) => before?.status === 'measured' && now?.status === 'measured') &&
  sentence`To compare times: ${code('npx clone-prof check --base COMMIT')}`;

const FACTS: readonly [Change, name: string, of: (run: ComparedRun) => string][] = [
  ['class', 'Class: ', classText],
  ['path', 'Path: ', ({ verdict }) => verdict?.path ?? ''],
  [
    'status',
    'Status: ',
    ({ status, error }) => [status, error?.message.split('\n')[0]].filter(Boolean).join(': '),
  ],
  ['values', '', ({ shape }) => known(shape, ({ nodes }) => counted(nodes, 'value'))],
  ['depth', '', ({ shape }) => known(shape, ({ depth }) => counted(depth, 'level'))],
  ['json-bytes', '', ({ shape }) => known(shape?.jsonBytes, (size) => `${bytes(size)} as JSON`)],
  ['wire-bytes', '', ({ copied }) => known(copied, (size) => `${bytes(size)} copied`)],
  ['advice', 'Advice: ', adviceText],
];

function changedRun(run: RunComparison, reports: Reports): Body {
  const { payload, came, went, changes } = run;
  const title = sentence`${code(payload)} on ${runtimeText(run)}${inFile(run, reports)}`;
  const facts = FACTS.filter(([change]) => changes.includes(change));
  const body = [
    block([
      item(
        'changed',
        facts.map(([, name, of]) => `${name}${bothSides(run, of)}.`),
      ),
      foundItem('came', came),
      foundItem('went', went),
    ]),
    shareNodes('Time of rewrites as a share of the original in the same run', shareRows(run), [
      { head: 'rewrite', cell: ({ name }) => code(name) },
      amounts('before', ({ before }) => shareOf(before)),
      amounts('95 %', ({ before }) => known(before, ratioInterval), 0),
      amounts('now', ({ now }) => shareOf(now)),
      amounts('95 %', ({ now }) => known(now, ratioInterval), 1),
      { head: '', cell: shareChange },
    ]),
  ];
  return fold(null, title, body, true);
}

type ShareRow = ReturnType<typeof shareRows>[number];

function shareRows({ trials }: RunComparison) {
  const rewrites = trials.map(({ remedy, path, form }) => {
    return { remedy, path, plan: form === undefined ? { path } : { path, form } };
  });
  return trials.flatMap(({ before, now, withConversion: change }, at) => {
    const isSame = before === null || now === null || before.equality === now.equality;
    const equality = isSame ? '' : `was ${before.equality}, is ${now.equality}`;
    const [was, is] = [before?.withConversion ?? null, now?.withConversion ?? null];
    const name = rewriteName(rewrites[at]!, rewrites);
    return was === null && is === null && isSame ? [] : { name, before: was, now: is, change, equality };
  });
}

function shareChange({ before, now, change, equality }: ShareRow): Span {
  if (equality !== '') return { text: equality, tone: 'fair' };
  if (change !== null) return CHANGE_TEXTS[change];
  return muted(before === null ? 'only now' : now === null ? 'only before' : '');
}

function strategiesLead(strategies: readonly StrategyComparison[]): string {
  if (strategies.length === 0) return 'Nothing to compare: no strategy but raw is in both';
  const changed = strategies.filter((one) => one.changed).length;
  return changedText(changed, counted(strategies.length, 'strategy', 'strategies'));
}

function strategiesBody(strategies: readonly StrategyComparison[], reports: Reports): Body {
  return [
    tableOf('Strategies', strategies, [
      { head: 'payload', cell: ({ payload }) => code(payload), rank: 3 },
      { head: 'runtime', cell: sweptText },
      { head: 'strategy', cell: ({ strategy }) => code(strategy) },
      sideColumn(reports),
      { head: '', cell: ({ changed }) => stateCell(changed) },
      { head: 'as raw at', cell: (one) => crossoverTexts(one).join(', '), rank: 2 },
    ]),
    strategies.filter(({ changed }) => changed).map((one) => changedStrategy(one, reports)),
    strategies.length > 0 && text(SHARES_COMPARE, { tone: 'muted' }),
  ];
}

const sweptText = ({ runtime: { name, before, now }, channel }: StrategyComparison): string =>
  `${name} ${fromTo(before, now)}${overChannel(channel)}`;

const sizeText = (one: StrategyComparison['crossovers'][number]['now']): string =>
  one === null ? '' : `${ratioText(one.size)} (${one.ci.map(ratioText).join('–')})`;

const crossoverTexts = ({ crossovers, unit }: StrategyComparison): string[] =>
  crossovers.map(({ before, now }) => `${fromTo(sizeText(before), sizeText(now))} ${unit}`);

const shareWithInterval = (share: StrategyComparison['shares'][number]['now']): string =>
  `${ratioText(share.ratio)} (${ratioInterval(share)})`;

function changedStrategy(one: StrategyComparison, reports: Reports): Body {
  const { payload, strategy, unit, shares } = one;
  const title = sentence`${code(strategy)} for ${code(payload)} on ${sweptText(one)}${inFile(one, reports)}`;
  const body = shareNodes('Time as a share of raw in the same run', shares, [
    amounts(unit, ({ size }) => count(size)),
    amounts('before', ({ before }) => shareWithInterval(before)),
    amounts('now', ({ now }) => shareWithInterval(now)),
    { head: '', cell: ({ change }) => CHANGE_TEXTS[change] },
  ]);
  return fold(null, title, body, true);
}
