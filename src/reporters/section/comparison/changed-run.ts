import type {
  ComparedReport,
  ComparedRun,
  FoundRule,
  RunComparison,
} from '../../../model/documents/comparison.ts';
import type { Wording } from '../../../model/report/wording.ts';
import type { Change, Unlike } from '../../../model/vocabulary/comparison.ts';
import { bytes, changeText, count } from '../../text/numbers.ts';
import { known } from '../model/columns.ts';
import { type ChangedRun, type Statement, shortened } from '../model/model.ts';
import { code, type Sentence, sentence } from '../model/sentence.ts';
import { LEVEL_TEXTS } from '../model/texts.ts';
import { sharesOf } from './shares.ts';
import { adviceText, bothSides, classText, fromTo, pathText, runtimeText, timeText } from './sides.ts';

/** What is not as before: a statement for each kind of change. */
export function changedRun(
  run: RunComparison,
  reports: readonly ComparedReport[],
  words: Wording,
): ChangedRun {
  const file = reports.length > 2 ? sentence` in ${code(reports[run.report]?.file ?? '')}` : [];
  return {
    title: sentence`${code(run.payload)} on ${runtimeText(run)}${file}`,
    statements: [
      ...verdictStatements(run),
      ...foundStatements('came', run.came, words),
      ...foundStatements('went', run.went, words),
      ...statement('size', sizeSentences(run)),
      ...statement('times', timeSentences(run)),
      ...statement('do', run.changes.includes('advice') ? [[`${bothSides(run, adviceText)}.`]] : []),
    ],
    shares: sharesOf(run, words),
  };
}

const statement = (label: string, sentences: readonly Sentence[]): Statement[] =>
  sentences.length === 0 ? [] : [{ label, sentences }];

function verdictStatements(run: RunComparison): Statement[] {
  const { changes, before, now } = run;
  const errors = [before, now].flatMap((side) => side?.error?.message.split('\n')[0] ?? []);
  return statement('verdict', [
    ...(changes.includes('class') ? [[`Class: ${bothSides(run, classText)}.`]] : []),
    ...(changes.includes('path') ? [sentence`Path: ${code(bothSides(run, pathText))}.`] : []),
    ...(changes.includes('status')
      ? [[`Status: ${bothSides(run, ({ status }) => status)}${errors.map((text) => ` (${text})`).join('')}.`]]
      : []),
  ]);
}

function foundStatements(label: string, found: readonly FoundRule[], words: Wording): Statement[] {
  if (found.length === 0) return [];
  const places = found.map(({ rule, level, path, count: seen }) => ({
    path,
    text: `${LEVEL_TEXTS[level]}${words.rules[rule]?.title ?? rule}${seen > 1 ? ` ${count(seen)}×` : ''}`,
  }));
  const { shown, more } = shortened(places, 'places');
  return [{ label, places: shown, sentences: more }];
}

interface Size {
  change: Change;
  what: string;
  of: (run: ComparedRun) => number | null;
  text: (value: number) => string;
}

const SIZES: readonly Size[] = [
  { change: 'values', what: 'values', of: ({ shape }) => shape?.nodes ?? null, text: count },
  { change: 'depth', what: 'levels', of: ({ shape }) => shape?.depth ?? null, text: count },
  { change: 'json-bytes', what: 'as JSON', of: ({ shape }) => shape?.jsonBytes ?? null, text: bytes },
  { change: 'wire-bytes', what: 'copied', of: ({ wireBytes }) => wireBytes, text: bytes },
];

/** "5.20 kB → 104 kB copied (+1,900 %)." */
function sizeSentences({ changes, before, now }: RunComparison): Sentence[] {
  return SIZES.filter(({ change }) => changes.includes(change)).map(({ what, of, text }) => {
    const [was, is] = [before && of(before), now && of(now)];
    const share = was && is !== null ? ` (${changeText(is / was)})` : '';
    return [`${fromTo(known(was, text), known(is, text))} ${what}${share}.`];
  });
}

const UNLIKE_TEXTS = {
  'other-machine': 'another machine',
  'other-run': 'another run',
} as const satisfies Record<Unlike, string>;

/** "Round trip 412 µs before, 380 µs now: another run, so not comparable." */
function timeSentences({ times, before, now }: RunComparison): Sentence[] {
  if (times === null || before === null || now === null) return [];
  const why = `${UNLIKE_TEXTS[times]}, so not comparable`;
  return [[`Round trip ${timeText(before)} before, ${timeText(now)} now: ${why}.`]];
}
