/** The advice in sentences: one for all runs of a section, with the gains of all. */

import type { RatioEstimate } from '../../../model/documents/measurement.ts';
import type { Run } from '../../../model/documents/report.ts';
import type { Advice, Trial } from '../../../model/documents/trial.ts';
import type { Wording } from '../../../model/report/wording.ts';
import { groupedBy } from '../../text/grouped.ts';
import { failureCauses, failureStep } from '../model/failure.ts';
import type { Statement } from '../model/model.ts';
import { code, type Sentence, sentence, type Tone } from '../model/sentence.ts';
import { SHORT_ADVICE } from '../model/texts.ts';
import { adviceWords, storedSentences } from '../stored.ts';
import { gainText } from './gain-text.ts';
import { availableSentences, nothingSentences, unsureSentences } from './possible-gain.ts';
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
