/** What could still be gained: the bound of the rewrites tried, what would decide, and what is not worth its code. */
import type { Advice, RatioEstimate, Run, Trial } from '../../../model/report/report.ts';
import { counted } from '../../numbers.ts';
import { code, type Sentence, sentence } from '../sentence.ts';

/** A gain under 5 % counts as none. */
const NO_GAIN = 0.95;
/** 0.86 * 100 is not 86. */
const ROUNDING = 1e-6;

const isEqual = ({ equality, outcome }: Trial): boolean => equality === 'equal' && outcome !== 'refused';

const adviceOf = (runs: readonly Run[]): Advice[] => runs.flatMap(({ advice }) => advice ?? []);

/** "is faster"; of which no rewrite can be said. */
function noneOf(trials: readonly Trial[], advice: readonly Advice[]): string {
  if (trials.length === 0) return 'fits this payload';
  if (!trials.some(isEqual)) return 'that was tried gives back an equal payload';
  const isWorthLess = advice.some(({ available, bound = 1 }) => available !== undefined || bound < NO_GAIN);
  const is = isWorthLess ? 'is worth its code' : 'is faster';
  return trials.every(isEqual) ? is : `that gives back an equal payload ${is}`;
}

export function nothingSentences(runs: readonly Run[]): Sentence[] {
  const { trials } = runs[0] as Run;
  const none = `Nothing: no rewrite ${noneOf(trials, adviceOf(runs))}.`;
  const bound = boundText(runs);
  return [[`${[none, ...bound].join(' ')} Post the original.`], ...availableSentences(runs)];
}

/** Undecided rewrites: timed, or not even timed. */
export function unsureSentences(runs: readonly Run[]): Sentence[] {
  const { trials } = runs[0] as Run;
  const open = trials.filter((trial) => isEqual(trial) && trial.outcome === 'unsure');
  const untimed = open.filter(({ withConversion }) => withConversion === null).length;
  const wide = 'the intervals are too wide to tell faster from slower';
  const short = `there was no time for ${untimed} of ${counted(trials.length, 'rewrite')}`;
  const why = untimed === 0 ? wide : untimed < open.length ? `${wide}, and ${short}` : short;
  const bound = boundText(runs);
  return [
    sentence`${[`Unsure: ${why}.`, ...bound].join(' ')} ${needsSentence(runs)}`,
    ...availableSentences(runs),
  ];
}

/** "No rewrite tried saves more than 8 %."; of several runs the least bound. */
function boundText(runs: readonly Run[]): string[] {
  const bounds = adviceOf(runs).flatMap(({ bound }) => bound ?? []);
  if (bounds.length === 0 || bounds.length < runs.length) return [];
  const least = Math.min(...bounds);
  const trials = runs.flatMap((run) => run.trials);
  const equal = trials.filter(isEqual);
  const rewrite = equal.length === trials.length ? 'rewrite' : 'equal rewrite';
  const tried = equal.some(({ withConversion }) => withConversion === null) ? 'timed' : 'tried';
  const saves =
    least < 1 ? `saves more than ${100 - Math.floor(least * 100 + ROUNDING)} %` : 'saves anything';
  return [`${least < NO_GAIN ? 'No' : 'Proven: no'} ${rewrite} ${tried} ${saves}.`];
}

/** Of several runs the longest budget; reports of earlier versions have none. */
function needsSentence(runs: readonly Run[]): Sentence {
  const needs = adviceOf(runs).map((advice) => advice.needs);
  if (needs.includes(undefined)) return ['Measure longer with --budget, on a quiet machine.'];
  if (needs.includes(null)) return ['No budget up to five minutes would probably decide.'];
  const longest = Math.max(...needs.map(Number)) / 1000;
  const budget = longest % 60 === 0 ? `${longest / 60}m` : `${longest}s`;
  return [code(`--budget ${budget}`), ' would probably decide.'];
}

/** "Available: columns at $.orders saves 9 % for 82 lines."; runs of one section share the rewrite. */
export function availableSentences(runs: readonly Run[]): Sentence[] {
  const available = adviceOf(runs).flatMap((advice) => advice.available ?? []);
  const [first] = available;
  if (first === undefined) return [];
  const { remedy, path, lines } = first;
  const where = path === '$' ? [] : [' at ', code(path)];
  const gains = available.map(({ gain }) => gain);
  return [
    sentence`Available: ${[code(remedy), ...where]} saves ${savedText(gains)} for ${counted(lines, 'line')}.`,
  ];
}

/** "9 %", "9 to 12 %" */
function savedText(gains: readonly RatioEstimate[]): string {
  const saved = gains.map(({ ratio }) => Math.round((1 - ratio) * 100));
  return `${[...new Set([Math.min(...saved), Math.max(...saved)])].join(' to ')} %`;
}
