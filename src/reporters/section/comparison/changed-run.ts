/** Both sides of a run in one text, "serialized → in-memory", and what changed in it. */
import type {
  ComparedReport,
  ComparedRun,
  ComparedTrial,
  FoundRule,
  RunComparison,
} from '../../../model/documents/comparison.ts';
import type { RatioEstimate } from '../../../model/documents/measurement.ts';
import { type Channel, runtimeWord } from '../../../model/names.ts';
import type { Wording } from '../../../model/report/wording.ts';
import type { Change, ShareChange } from '../../../model/vocabulary/comparison.ts';
import {
  bytes,
  changeText,
  count,
  medianText,
  ratioInterval,
  ratio as ratioText,
  speed,
} from '../../text/numbers.ts';
import { foldedPath } from '../../text/paths.ts';
import { rewriteName } from '../advice/trial-rows.ts';
import { placesStatement, placeText } from '../causes.ts';
import { columnsOf, known } from '../model/columns.ts';
import type { ChangedRun, Statement } from '../model/model.ts';
import { code, muted, type Sentence, type Span, type StyledText, sentence } from '../model/sentence.ts';
import { LEVEL_TEXTS, SHORT_ADVICE } from '../model/texts.ts';

/** One text where both are the same; a dash where a side has none. */
export const fromTo = (before: string, now: string, between = ' → '): string =>
  before === now ? now : `${before || '–'}${between}${now || '–'}`;

/** Pairs the runs of both sides; a run that one side does not have gets a text of its own. */
export function bothSides(
  { before, now }: Pick<RunComparison, 'before' | 'now'>,
  textOf: (run: ComparedRun) => string,
  between?: string,
): string {
  if (before === null || now === null) return known(now ?? before, textOf);
  return fromTo(textOf(before), textOf(now), between);
}

export function runtimeText({ channel, ...sides }: RunComparison): string {
  const word = known(sides.now ?? sides.before, ({ runtime }) => runtimeWord(runtime));
  return `${word} ${bothSides(sides, ({ runtime }) => runtime.version)}${overChannel(channel)}`;
}

export const classText = ({ verdict, status }: ComparedRun): string => verdict?.class ?? status;
export const timeText = ({ roundTrip }: ComparedRun): string => known(roundTrip, medianText);

export function adviceText({ advice }: ComparedRun): string {
  if (advice === null) return '';
  const { action, remedy, path, gain } = advice;
  if (action !== 'apply') return SHORT_ADVICE[action];
  const where = path === null || path === '$' ? '' : ` at ${foldedPath(path)}`;
  return `${remedy ?? SHORT_ADVICE.apply}${where}${gain === null ? '' : `: ${speed(gain)}`}`;
}

export type Reports = readonly ComparedReport[];

/** " in now.json", where there are several to compare with. */
export const inFile = ({ report }: { report: number }, reports: Reports): Sentence =>
  reports.length > 2 ? [' in ', code(reports[report]?.file ?? '')] : [];

export const overChannel = (channel: Channel): string => (channel === 'worker' ? '' : ` over ${channel}`);

export const sideName = (at: number, { length }: readonly unknown[]): string =>
  at === 0 ? 'before' : length === 2 ? 'now' : `now ${at}`;

export const changedRun = (run: RunComparison, reports: Reports, words: Wording): ChangedRun => ({
  title: sentence`${code(run.payload)} on ${runtimeText(run)}${inFile(run, reports)}`,
  statements: [
    ...verdictStatements(run),
    ...foundStatements('came', run.came, words),
    ...foundStatements('went', run.went, words),
    ...statement('size', sizeSentences(run)),
    ...statement('times', timeSentences(run)),
    ...statement('do', run.changes.includes('advice') ? [[`${bothSides(run, adviceText)}.`]] : []),
  ],
  shares: changedShares(run, words),
});

const statement = (label: string, sentences: readonly Sentence[]): Statement[] =>
  sentences.length === 0 ? [] : [{ label, sentences }];

function verdictStatements(run: RunComparison): Statement[] {
  const { changes, before, now } = run;
  const errors = [before, now].flatMap((side) => side?.error?.message.split('\n')[0] ?? []);
  return statement('verdict', [
    ...(changes.includes('class') ? [[`Class: ${bothSides(run, classText)}.`]] : []),
    ...(changes.includes('path')
      ? [sentence`Path: ${code(bothSides(run, ({ verdict }) => verdict?.path ?? ''))}.`]
      : []),
    ...(changes.includes('status')
      ? [[`Status: ${bothSides(run, ({ status }) => status)}${errors.map((text) => ` (${text})`).join('')}.`]]
      : []),
  ]);
}

const foundStatements = (label: string, found: readonly FoundRule[], words: Wording): Statement[] =>
  placesStatement(
    label,
    found.map(({ rule, level, path, count: seen }) =>
      placeText(path, `${LEVEL_TEXTS[level]}${words.rules[rule]?.title ?? rule}`, seen),
    ),
  );

const SIZES: readonly [Change, what: string, of: (run: ComparedRun) => number | null, text: typeof bytes][] =
  [
    ['values', 'values', ({ shape }) => shape?.nodes ?? null, count],
    ['depth', 'levels', ({ shape }) => shape?.depth ?? null, count],
    ['json-bytes', 'as JSON', ({ shape }) => shape?.jsonBytes ?? null, bytes],
    ['wire-bytes', 'copied', ({ wireBytes }) => wireBytes, bytes],
  ];

const sizeSentences = ({ changes, before, now }: RunComparison): Sentence[] =>
  SIZES.filter(([change]) => changes.includes(change)).map(([, what, of, text]) => {
    const [was, is] = [before && of(before), now && of(now)];
    const share = was && is !== null ? ` (${changeText(is / was)})` : '';
    return [`${fromTo(known(was, text), known(is, text))} ${what}${share}.`];
  });

function timeSentences({ times, before, now }: RunComparison): Sentence[] {
  if (times === null || before === null || now === null) return [];
  const where = times === 'other-machine' ? 'another machine' : 'another run';
  return [[`Round trip ${timeText(before)} before, ${timeText(now)} now: ${where}, so not comparable.`]];
}

type ShareRow = ReturnType<typeof shareRows>[number];

function changedShares(run: RunComparison, words: Wording): ChangedRun['shares'] {
  const rows = shareRows(run, words);
  const shareText = ({ ratio }: RatioEstimate) => ratioText(ratio);
  if (rows.length === 0) return null;
  const columns = columnsOf(rows, [
    { head: 'rewrite', cell: ({ name }) => code(name) },
    { head: 'before', cell: ({ before }) => known(before, shareText), align: 'right' },
    { head: '95 %', cell: ({ before }) => known(before, ratioInterval), align: 'right', rank: 0 },
    { head: 'now', cell: ({ now }) => known(now, shareText), align: 'right' },
    { head: '95 %', cell: ({ now }) => known(now, ratioInterval), align: 'right', rank: 1 },
    { head: '', cell: changeCell },
  ]);
  return { title: 'Rewrites, time as a share of the original in the same run', columns };
}

/** A row with conversion, and one in place where that changed too. */
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

export const CHANGE_TEXTS: Readonly<Record<ShareChange, StyledText>> = {
  lower: { text: 'takes less', tone: 'good', marked: 'faster' },
  higher: { text: 'takes more', tone: 'poor', marked: 'slower' },
  unsure: { text: 'no change shown', tone: 'muted', marked: 'unsure' },
};

function changeCell({ before, now, change, equality }: ShareRow): Span {
  if (equality !== '') return { text: equality, tone: 'fair' };
  if (change !== null) return CHANGE_TEXTS[change];
  return muted(before === null ? 'only now' : now === null ? 'only before' : '');
}
