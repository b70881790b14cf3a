/** The sentences that all formats share. Words of rules, paths and remedies come from their tables (see model/look.ts). */

import type { Words } from '../model/look.ts';
import type { Advice, Outcome, Run, Trial } from '../model/report.ts';
import type { CostClass, Level } from '../model/words.ts';
import { ratioInterval, ratio as ratioText, speed } from './numbers.ts';

/** What the class means for the message as a whole. */
export const CLASS_WORDS = {
  shared: 'shared with the receiver, nothing is copied',
  moved: 'moved to the receiver, nothing is copied',
  'in-memory': 'copied in memory, without the serializer',
  bulk: 'bytes copied in one go',
  serialized: 'written out and read back, value by value',
  degraded: 'serialized, by a slower way than such data needs',
  rejected: 'cannot be cloned: postMessage throws a DataCloneError',
} as const satisfies Record<CostClass, string>;

/** How good a class is, for colours and marks. */
export type Grade = 'good' | 'fair' | 'poor' | 'bad';

export const CLASS_GRADES = {
  shared: 'good',
  moved: 'good',
  'in-memory': 'good',
  bulk: 'good',
  serialized: 'fair',
  degraded: 'poor',
  rejected: 'bad',
} as const satisfies Record<CostClass, Grade>;

/** "serialized", or "failed" where there is no verdict. */
export const verdictName = ({ verdict }: Run): string => verdict?.class ?? 'failed';

export const gradeOf = ({ verdict }: Run): Grade => (verdict === null ? 'bad' : CLASS_GRADES[verdict.class]);

export const LEVEL_WORDS = {
  rejected: 'cannot be cloned',
  slow: 'slower',
  lossy: 'not the same on arrival',
  note: 'note',
} as const satisfies Record<Level, string>;

export const OUTCOME_GRADES = {
  faster: 'good',
  slower: 'poor',
  unsure: 'fair',
  refused: 'fair',
} as const satisfies Record<Outcome, Grade>;

export const remedyTitle = (remedy: string, words: Words): string => words.remedies[remedy]?.title ?? remedy;

/** "json-text (send one JSON text)" */
export function remedyWords(remedy: string, words: Words): string {
  const title = words.remedies[remedy]?.title;
  return title === undefined ? remedy : `${remedy} (${title})`;
}

/** One sentence on the oracle's word; null when it has nothing to say. */
export function confirmationWords(run: Run): string | null {
  const { verdict } = run;
  if (verdict === null || verdict.confirmed === null) return null;
  if (verdict.confirmed) return 'confirmed by the engine';
  return `the engine took another path, so the rule book is wrong about ${verdict.path} on ${run.runtime.name} ${run.runtime.version}`;
}

/** What to do when the engine contradicts the rule book. */
export const FILE_IT =
  'Please file a bug against clone-prof with the output of --format json for this payload, and do not trust the verdict and causes below; the measured times hold.';

export function upgradeWords({ verdict, advice, runtime }: Run): string | null {
  const upgrade = verdict?.upgrade ?? advice?.upgrade ?? null;
  if (upgrade === null) return null;
  const cost = verdict?.upgrade ? ` (${CLASS_WORDS[verdict.upgrade.class]})` : '';
  return `${runtime.name} ${upgrade.since} and newer take the ${upgrade.path} path here${cost}`;
}

export interface AdviceWords {
  grade: Grade;
  /** "json-text: 2.9x faster", "nothing": for tables. */
  short: string;
  sentences: string[];
}

/** The advice in words; null when the run has none. */
export function adviceWords(run: Run, words: Words): AdviceWords | null {
  const { advice } = run;
  return advice === null ? null : ADVICE[advice.action](advice, run, words);
}

/** What to do about a run that has a verdict and no times. */
export const unmeasuredWords = ({ verdict }: Run): string =>
  verdict?.class === 'rejected'
    ? 'It cannot be sent until the causes are mended.'
    : 'Not measured, so no rewrite is recommended.';

const ADVICE = {
  apply: applyWords,
  nothing: (advice, run, words) => ({
    grade: 'good',
    short: 'nothing',
    sentences: [nothingWords(run), ...ownedWords(advice, words)],
  }),
  'not-the-clone': () => ({
    grade: 'fair',
    short: 'fewer, larger messages',
    sentences: [
      'Not the clone: the round trip is within 1.5x of the floor, an empty message. Send fewer, larger messages.',
    ],
  }),
  unsure: (advice, run, words) => ({
    grade: run.verdict?.class === 'rejected' ? 'bad' : 'fair',
    short: run.verdict?.class === 'rejected' ? 'mend it' : 'unsure',
    sentences: [unsureWords(run), ...ownedWords(advice, words)],
  }),
} as const satisfies Record<Advice['action'], (advice: Advice, run: Run, words: Words) => AdviceWords>;

function nothingWords({ trials }: Run): string {
  return trials.length === 0
    ? 'Nothing: no rewrite fits this payload. Keep it as it is.'
    : 'Nothing: no rewrite is faster. Keep it as it is.';
}

function unsureWords(run: Run): string {
  return run.verdict?.class === 'rejected'
    ? unmeasuredWords(run)
    : 'Unsure: the intervals are too wide to tell faster from slower. Measure longer with --budget, on a quiet machine.';
}

/** A gain for those only who keep the new form on both ends: nothing to apply to the data as it is. */
function ownedWords({ remedy, gain, ownsBothForms }: Advice, words: Words): string[] {
  if (!ownsBothForms || remedy === null || gain === null) return [];
  return [
    `If both ends can keep the data as ${remedyWords(remedy, words)} makes it, without converting each message: ${gainWords(gain)}.`,
  ];
}

function applyWords(advice: Advice, run: Run, words: Words): AdviceWords {
  const remedy = advice.remedy ?? 'the rewrite';
  const { gain } = advice;
  const where = advice.path === null || advice.path === '$' ? '' : ` at ${advice.path}`;
  const effect = gain === null ? ': then it can be sent' : `, ${gainWords(gain)}`;
  const sentences = [`Apply ${remedyWords(remedy, words)}${where}${effect}.`];
  const loses = lossWords(appliedTrial(advice, run));
  if (loses !== null) sentences.push(`The receiver does not get the same: ${loses}.`);
  return { grade: 'good', short: gain === null ? remedy : `${remedy}: ${speed(gain)}`, sentences };
}

/** "2.9x faster (0.34 of the time, 95 % interval 0.33 to 0.36)" */
function gainWords(gain: NonNullable<Advice['gain']>): string {
  return `${speed(gain)} (${ratioText(gain.ratio)} of the time, 95 % interval ${ratioInterval(gain.ci)})`;
}

function appliedTrial(advice: Advice, run: Run): Trial | undefined {
  return run.trials.find(({ remedy, path }) => remedy === advice.remedy && path === (advice.path ?? path));
}

const SHOWN_LOSSES = 3;

/** "$.at: Date became string, and 4 more"; null when nothing is lost. */
export function lossWords(trial: Trial | undefined): string | null {
  if (trial === undefined || trial.losses.length === 0) return null;
  const shown = trial.losses.slice(0, SHOWN_LOSSES).map(({ path, what }) => `${path}: ${what}`);
  const more = trial.losses.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** What a trial's proof said: "equal", "lossy: ...", or why it was refused. */
export function equalityWords(trial: Trial): string {
  if (trial.outcome === 'refused' || trial.equality === 'failed')
    return trial.reason ?? 'could not be proved equal';
  const losses = lossWords(trial);
  return trial.equality === 'lossy' ? `lossy: ${losses ?? 'not the same on arrival'}` : 'equal';
}
