/** The advice in sentences. Runs that share it are told together: what is said once, with the gains of all. */

import type { Advice, RatioEstimate, Run, Trial } from '../model/report.ts';
import type { Wording } from '../model/wording.ts';
import { ratioInterval, ratio as ratioText, speed } from './numbers.ts';
import { type Grade, lossWords, remedyWords } from './words.ts';

export interface AdviceWords {
  grade: Grade;
  /** "json-text: 2.9x faster", "nothing": for tables. */
  short: string;
  sentences: string[];
}

/** The advice of runs that share it, in words; null when they have none. */
export function adviceWords(runs: readonly Run[], words: Wording): AdviceWords | null {
  const [run] = runs;
  if (run === undefined || run.advice === null) return null;
  const gains = runs.map(({ advice }) => advice?.gain ?? null).filter((gain) => gain !== null);
  return ADVICE[run.advice.action](run.advice, { run, gains, words });
}

interface Told {
  run: Run;
  gains: readonly RatioEstimate[];
  words: Wording;
}

/** What to do about a run without advice; null when nothing can be said without having measured. */
export const unmeasuredWords = (run: Run): string | null => (isRejected(run) ? MEND_IT : null);

const MEND_IT = 'It cannot be sent until the causes are mended.';

const ADVICE = {
  apply: applyWords,
  nothing: (advice, told) => ({
    grade: 'good',
    short: 'nothing',
    sentences: [nothingWords(told.run), ...ownedWords(advice, told)],
  }),
  'not-the-clone': () => ({
    grade: 'fair',
    short: 'fewer, larger messages',
    sentences: [
      'Not the clone: the round trip is within 1.5x of the floor, an empty message. Send fewer, larger messages.',
    ],
  }),
  unsure: (advice, told) => ({
    grade: isRejected(told.run) ? 'bad' : 'fair',
    short: isRejected(told.run) ? 'mend it' : 'unsure',
    sentences: [unsureWords(told.run), ...ownedWords(advice, told)],
  }),
} as const satisfies Record<Advice['action'], (advice: Advice, told: Told) => AdviceWords>;

const isRejected = ({ verdict }: Run): boolean => verdict?.class === 'rejected';

function nothingWords({ trials }: Run): string {
  return trials.length === 0
    ? 'Nothing: no rewrite fits this payload. Keep it as it is.'
    : 'Nothing: no rewrite is faster. Keep it as it is.';
}

function unsureWords(run: Run): string {
  return isRejected(run)
    ? MEND_IT
    : 'Unsure: the intervals are too wide to tell faster from slower. Measure longer with --budget, on a quiet machine.';
}

/** A gain for those only who keep the new form on both ends: nothing to apply to the data as it is. */
function ownedWords({ remedy, ownsBothForms }: Advice, { gains, words }: Told): string[] {
  if (!ownsBothForms || remedy === null || gains.length === 0) return [];
  return [
    `If both ends can keep the data as ${remedyWords(remedy, words)} makes it, without converting each message: ${gainWords(gains)}.`,
  ];
}

function applyWords(advice: Advice, { run, gains, words }: Told): AdviceWords {
  const remedy = advice.remedy ?? 'the rewrite';
  const where = advice.path === null || advice.path === '$' ? '' : ` at ${advice.path}`;
  const effect = gains.length === 0 ? ': then it can be sent' : `, ${gainWords(gains)}`;
  const sentences = [`Apply ${remedyWords(remedy, words)}${where}${effect}.`];
  const loses = lossWords(appliedTrial(advice, run));
  if (loses !== null) sentences.push(`The receiver does not get the same: ${loses}.`);
  const short = gains.length === 0 ? remedy : `${remedy}: ${speeds(gains)}`;
  return { grade: 'good', short, sentences };
}

/** "2.9x faster (0.34 of the time, 95 % interval 0.33–0.36)"; of several runs, from the least gain to the largest. */
function gainWords(gains: readonly RatioEstimate[]): string {
  const [only, ...others] = gains;
  if (only === undefined) return '';
  if (others.length === 0) {
    return `${speed(only)} (${ratioText(only.ratio)} of the time, 95 % interval ${ratioInterval(only.ci)})`;
  }
  const ratios = gains.map(({ ratio }) => ratio);
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)].map(ratioText);
  return `${speeds(gains)} (${low === high ? low : `${low}–${high}`} of the time)`;
}

function speeds(gains: readonly RatioEstimate[]): string {
  const slowestFirst = [...gains].sort((a, b) => b.ratio - a.ratio);
  const [least, largest] = [slowestFirst[0], slowestFirst.at(-1)].map((gain) => (gain ? speed(gain) : ''));
  if (least === largest) return `${least}`;
  return `${largest?.endsWith(' faster') ? least?.replace(' faster', '') : least} to ${largest}`;
}

/** Two plans of one remedy may share a path: the gain tells which one was meant. */
function appliedTrial(advice: Advice, run: Run): Trial | undefined {
  const meant = run.trials.filter(
    ({ remedy, path }) => remedy === advice.remedy && path === (advice.path ?? path),
  );
  return meant.find(({ withConversion }) => withConversion?.ratio === advice.gain?.ratio) ?? meant[0];
}
