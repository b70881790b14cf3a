/** The advice in sentences: one for all runs of a section, with the gains of all. */

import { budgetOption, carries, lackOf, lackText } from '../../../core/evidence.ts';
import type { RatioEstimate } from '../../../model/documents/measurement.ts';
import type { Run } from '../../../model/documents/report.ts';
import type { Advice, Trial } from '../../../model/documents/trial.ts';
import type { Wording } from '../../../model/report/wording.ts';
import { groupedBy } from '../../text/grouped.ts';
import { counted, percent } from '../../text/numbers.ts';
import { failureCauses, failureStep } from '../model/failure.ts';
import { largestParts } from '../model/largest-parts.ts';
import type { Statement } from '../model/model.ts';
import { code, type Sentence, sentence, type Tone } from '../model/sentence.ts';
import { SHORT_ADVICE } from '../model/texts.ts';
import { adviceWords, storedSentences } from '../stored.ts';
import { gainText } from './gain-text.ts';
import { lossText, rewriteForm, rewriteName } from './trial-rows.ts';

interface Advised {
  advice: Advice;
  run: Run;
  runs: readonly Run[];
  gains: readonly RatioEstimate[];
  words: Wording;
}

const NOT_THE_CLONE = 'Not the clone: the round trip is within 1.5x of the floor, ';

const isRejected = ({ verdict }: Run): boolean => verdict?.class === 'rejected';

const ADVICE: Record<Advice['action'], (advised: Advised) => Sentence[]> = {
  apply: (advised) => [
    ...applySentences(advised),
    ...costSentences(advised.advice),
    ...untriedSentences(advised),
  ],
  nothing: (advised) => [...nothingSentences(advised.runs), ...inPlaceSentences(advised)],
  'not-the-clone': (advised) => [
    [
      NOT_THE_CLONE + adviceWords(advised.run).instead,
      ...(advised.run.via ? [` With ${advised.run.via.library}: several payloads in one call.`] : []),
    ],
    ...availableSentences(advised.runs),
    ...untriedSentences(advised),
  ],
  'not-tried': (advised) => [
    [`Not known: what could not be tried may ${isRejected(advised.run) ? 'work' : 'be faster'}.`],
    ...availableSentences(advised.runs),
    ...untriedSentences(advised),
    ...inPlaceSentences(advised),
  ],
  unsure: (advised) => [...unsureSentences(advised.runs), ...inPlaceSentences(advised)],
};

const costSentences = ({ costs = [] }: Advice): Sentence[] => costs.map((cost) => [`Cost: ${cost}.`]);

const untriedSentences = ({ advice: { untried = [] }, run, words }: Advised): Sentence[] =>
  [...groupedBy(untried, ({ reason }) => reason)].map(([reason, group]) => {
    const names = group.map((one) => code(rewriteName(one, [...run.trials, ...untried], words)));
    const listing = names.flatMap((name, at) => (at === 0 ? [name] : [', ', name]));
    return sentence`Not tried: ${listing} (${reason.split('\n')[0] ?? ''}).`;
  });

/** Nothing helps but to fix its causes. */
const isHopeless = (run: Run): boolean =>
  isRejected(run) && (run.advice === null || run.advice.action === 'unsure');

export function adviceStatements(runs: readonly Run[], words: Wording): Statement[] {
  const [run] = runs as [Run];
  const { advice, status, error } = run;
  const statement = (tone: Tone, sentences: readonly Sentence[]) => [{ label: 'do', tone, sentences }];
  if (isHopeless(run))
    return statement('bad', [[`It cannot be ${adviceWords(run).done} until the causes above are fixed.`]]);
  if (failureCauses(run)) return statement('bad', [[NOT_TIMED]]);
  if (advice !== null) {
    const gains = runs.flatMap((one) => one.advice?.gain ?? []);
    const isKnown = advice.action === 'apply' || advice.action === 'nothing';
    return statement(isKnown ? 'good' : 'fair', ADVICE[advice.action]({ advice, run, runs, gains, words }));
  }
  if (status !== 'classified' || error === null) return [];
  return statement('fair', [[`Not measured: ${error.message}.`]]);
}

const NOT_TIMED = 'Fix the cause above: until then no time and no rewrite of it is known.';

/** "json-text", "no rewrite", "not measured", "see its error"; "" without advice. */
export function adviceShort(run: Run): string {
  const { advice, status, error } = run;
  if (isHopeless(run)) return 'fix the causes';
  if (advice === null) return status === 'classified' && error !== null ? 'not measured' : failureStep(run);
  if (advice.action === 'not-the-clone') return adviceWords(run).fewer;
  return (advice.action === 'apply' ? advice.remedy : null) ?? SHORT_ADVICE[advice.action];
}

/** Nothing is left to measure or to try. */
export const isDecided = (run: Run): boolean =>
  isHopeless(run) ||
  (run.advice !== null && run.advice.action !== 'not-tried' && run.advice.action !== 'unsure');

/** "json-text (send one JSON text)", "columns (send columns instead of records: typed)" */
function remedySpans({ advice, run, words }: Advised): Sentence {
  const remedy = advice.remedy ?? 'the rewrite';
  const trial = advisedTrial(advice, run);
  const form = trial && rewriteForm(trial, [...run.trials, ...(advice.untried ?? [])], words);
  const about = [words.remedies[remedy]?.title ?? trial?.plan.title, form]
    .filter((text) => text != null)
    .join(': ');
  return [code(remedy), ...(about === '' ? [] : [` (${about})`])];
}

function applySentences(advised: Advised): Sentence[] {
  const { advice, run, gains } = advised;
  const { path } = advice;
  const where = path === null || path === '$' ? [] : [' at ', code(path)];
  const effect = gains.length === 0 ? ': then it can be posted' : `, ${gainText(gains)}`;
  const losses = lossText(advisedTrial(advice, run)?.losses ?? []);
  return [
    sentence`Apply ${remedySpans(advised)}${where}${effect}.`,
    ...storedSentences(advisedTrial(advice, run), run),
    ...(losses === '' ? [] : [sentence`The receiver does not get the same value: ${losses}.`]),
  ];
}

/** Two plans of one remedy may share a path: the gain tells which one is advised. */
export function advisedTrial(advice: Advice, { trials }: Run): Trial | undefined {
  const { remedy, path, gain, ownsBothForms } = advice;
  const candidates = trials.filter((trial) => trial.remedy === remedy && trial.path === (path ?? trial.path));
  const ratioOf = ({ withConversion, inPlace }: Trial) => (ownsBothForms ? inPlace : withConversion)?.ratio;
  return candidates.find((trial) => ratioOf(trial) === gain?.ratio) ?? candidates[0];
}

/** A gain only for programs that keep the new form at both ends. */
function inPlaceSentences(advised: Advised): Sentence[] {
  const { advice, gains } = advised;
  const { ownsBothForms, remedy } = advice;
  if (!ownsBothForms || remedy === null || gains.length === 0) return [];
  return [
    sentence`If sender and receiver keep the data in the form of ${remedySpans(advised)}, with no conversion per message: ${gainText(gains)}.`,
    ...costSentences(advice),
  ];
}

// What could still be gained: the bound of the rewrites tried, what would decide, and what is not worth its effort.

/** A gain under 5 % counts as none. */
const NO_GAIN = 0.95;
/** 0.86 * 100 is not 86. */
const ROUNDING = 1e-6;

const isEqual = ({ equality, outcome }: Trial): boolean => equality === 'equal' && outcome !== 'refused';

const isOpen = (trial: Trial): boolean => isEqual(trial) && trial.outcome === 'unsure';

const givenAdvice = (runs: readonly Run[]): Advice[] => runs.flatMap(({ advice }) => advice ?? []);

export function noGainReason(trials: readonly Trial[], advice: readonly Advice[]): string {
  if (trials.length === 0) return 'fits this payload';
  if (!trials.some(isEqual)) return 'that was tried gives back an equal payload';
  const isWorthLess = advice.some(({ available, bound = 1 }) => available !== undefined || bound < NO_GAIN);
  const isCostly = advice.some(({ available }) => available?.costs !== undefined);
  const is = isCostly ? 'is worth its cost' : isWorthLess ? 'is worth its code' : 'is faster';
  return trials.every(isEqual) ? is : `that gives back an equal payload ${is}`;
}

export function nothingSentences(runs: readonly Run[]): Sentence[] {
  const none = `Nothing: no rewrite ${noGainReason((runs[0] as Run).trials, givenAdvice(runs))}`;
  const rest = [...boundText(runs), 'Post the original.'].join(' ');
  return [sentence`${none}${obstacleText(runs)}. ${rest}${lessText(runs)}`, ...availableSentences(runs)];
}

/** One part with fewer bytes is no reason to look there first. */
const MOST = 0.3;

/** What to do where no rewrite helps. */
function lessText([run]: readonly Run[]): Sentence {
  const [first] = (run && largestParts(run))?.parts ?? [];
  if (first === undefined || first.share < MOST) return [];
  return sentence` To pay less, post less: ${first.name} has ${percent(first.share)} of the bytes.`;
}

/** ": `$.at` is a Date", ": `json-text` does not give back `$.at` (Date became string)"; of several runs the first. */
function obstacleText(runs: readonly Run[]): Sentence {
  const [obstacle] = givenAdvice(runs).flatMap((advice) => advice.obstacle ?? []);
  if (obstacle === undefined) return [];
  const { remedy, path, what } = obstacle;
  if (remedy === undefined) return sentence`: ${code(path)} ${what}`;
  return sentence`: ${code(remedy)} does not give back ${code(path)} (${what})`;
}

function unsureSentences(runs: readonly Run[]): Sentence[] {
  const { trials } = runs[0] as Run;
  const open = trials.filter(isOpen);
  const untimed = open.filter(({ withConversion }) => withConversion === null).length;
  const wide = starvedText(runs) ?? 'the intervals are too wide to tell faster from slower';
  const short = `there was no time for ${untimed} of ${counted(trials.length, 'rewrite')}`;
  const why = untimed === 0 ? wide : untimed < open.length ? `${wide}, and ${short}` : short;
  const said = [`Unsure: ${why}.`, ...boundText(runs)].join(' ');
  return [sentence`${said} ${needsSentence(runs)}`, ...availableSentences(runs)];
}

/** "too few samples: 3": of the rewrite with the fewest; null where wide intervals have another reason. */
function starvedText(runs: readonly Run[]): string | null {
  const open = runs.flatMap(({ trials }) => trials.filter(isOpen));
  const [fewest] = open
    .flatMap(({ withConversion }) => withConversion ?? [])
    .filter((estimate) => lackOf(estimate, 'size') === 'samples')
    .sort((a, b) => (a.samples ?? 0) - (b.samples ?? 0));
  return fewest === undefined ? null : lackText(fewest, 'size');
}

/** "No rewrite tried saves more than 8 %."; of several runs the least bound. */
function boundText(runs: readonly Run[]): string[] {
  const trials = runs.flatMap((run) => run.trials);
  const equal = trials.filter(isEqual);
  const bounds = givenAdvice(runs).flatMap(({ bound }) => bound ?? []);
  if (bounds.length === 0 || bounds.length < runs.length || !equal.every(isBounded)) return [];
  const least = Math.min(...bounds);
  const rewrite = equal.length === trials.length ? 'rewrite' : 'equal rewrite';
  const tried = equal.some(({ withConversion }) => withConversion === null) ? 'timed' : 'tried';
  const saves =
    least < 1 ? `saves more than ${100 - Math.floor(least * 100 + ROUNDING)} %` : 'saves anything';
  // Intervals of too few samples prove nothing, also where they lie on one side; those of another run neither.
  const isKnown = ({ trials: own }: Run) =>
    own.some((trial) => isEqual(trial) && carries(trial.withConversion, 'size'));
  const isProven = least >= NO_GAIN && runs.every(isKnown);
  return [`${isProven ? 'Proven: no' : 'No'} ${rewrite} ${tried} ${saves}.`];
}

/** Reports of earlier versions have bounds of rewrites whose interval says nothing. */
const isBounded = ({ withConversion }: Trial): boolean =>
  withConversion === null ||
  carries(withConversion, 'size') ||
  (carries(withConversion, 'side') && withConversion.ci[0] >= 1);

/** Names the longest budget of several runs; reports of earlier versions have none. */
function needsSentence(runs: readonly Run[]): Sentence {
  const needs = givenAdvice(runs).map((advice) => advice.needs);
  if (needs.includes(undefined)) return ['Measure longer with --budget, on a quiet machine.'];
  if (needs.includes(null)) return ['No budget up to five minutes would probably decide.'];
  return [code(budgetOption(Math.max(...needs.map(Number)))), ' would probably decide.'];
}

/** "Available: columns at $.orders saves 9 % for 82 lines."; runs of one section share the rewrite. */
function availableSentences(runs: readonly Run[]): Sentence[] {
  const available = givenAdvice(runs).flatMap((advice) => advice.available ?? []);
  const [first] = available;
  if (first === undefined) return [];
  const { remedy, path, lines, costs = [] } = first;
  const what = [code(remedy), ...(path === '$' ? [] : [' at ', code(path)])];
  const saved = savedText(available.map(({ gain }) => gain));
  const cost = [counted(lines, 'line'), ...(costs.length === 0 ? [] : [`and ${costs.join(', ')}`])].join(
    ', ',
  );
  return [sentence`Available: ${what} saves ${saved} for ${cost}.`];
}

/** "9 %", "9 to 12 %"; "at least 5 %" where it is not known how much. */
function savedText(gains: readonly RatioEstimate[]): string {
  const unknown = gains.find((gain) => !carries(gain, 'size'));
  if (unknown !== undefined) return `at least ${Math.floor((1 - Math.min(1, unknown.ci[1])) * 100)} %`;
  const saved = gains.map(({ ratio }) => Math.round((1 - ratio) * 100));
  return `${[...new Set([Math.min(...saved), Math.max(...saved)])].join(' to ')} %`;
}
