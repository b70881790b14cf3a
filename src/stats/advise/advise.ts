import type { Verdict } from '../../model/documents/classification.ts';
import type { Measurement, RatioEstimate } from '../../model/documents/measurement.ts';
import type { Shape } from '../../model/documents/shape.ts';
import type { Advice, Available, Obstacle, Plan, Trial, Untried } from '../../model/documents/trial.ts';
import type { EngineName } from '../../model/names.ts';
import { has, textUnits } from '../../value/shape/shape-facts.ts';
import * as evidence from '../evidence.ts';

/** Maximum lines of code that are little effort. More lines, or other costs, need a gain of more than 15 %. */
const FEW_LINES = 20;
const WORTH_AN_EFFORT = 0.85;

/** Maximum ratio of times that is worth the effort. @param costs other costs: "the sender loses what is transferred" */
export const worthFrom = ({ lines, costs }: { lines: number; costs: readonly string[] }): number =>
  lines > FEW_LINES || costs.length > 0 ? WORTH_AN_EFFORT : evidence.NO_DIFFERENCE.from;

/** Maximum lines of small code. More lines need a separate file: advised only for a gain of at least a quarter. */
const MANY_LINES = 60;
const WORTH_A_FILE = 0.75;

/** Maximum ratio of advised rewrites. Races use `worthFrom` instead, because available gains are reported too. */
const advisedFrom = (effort: { lines: number; costs: readonly string[] }): number =>
  effort.lines > MANY_LINES ? WORTH_A_FILE : worthFrom(effort);

export function countLines(code: { sender: string; receiver: string } | null): number {
  return code === null ? 0 : countedLines(`${code.sender}\n${code.receiver}`);
}

export const countedLines = (text: string) => text.split('\n').filter((line) => line.trim() !== '').length;

type Planned = { remedy: string | null; plan: Plan | null };

/** Orders by change of a program, least first; the user's rewrites last. For one remedy, the outer path is first. */
export function bySimplicity(simplestFirst: readonly string[]) {
  const rankOf = ({ remedy }: Planned): number => {
    const rank = simplestFirst.indexOf(remedy ?? '');
    return rank < 0 ? simplestFirst.length : rank;
  };
  return (a: Planned, b: Planned): number =>
    rankOf(a) - rankOf(b) || (a.plan?.path.length ?? 0) - (b.plan?.path.length ?? 0);
}

export interface AdviceFacts {
  measurement: Measurement | null;
  trials: readonly Trial[];
  untried: readonly Untried[];
  spentMs: number;
  verdict: Verdict | null;
  /** Values that JSON text would lose, as far as they are known; otherwise null. */
  obstacle: Obstacle | null;
  /** Remedies in the order of the changes that a program needs, smallest first. The user's rewrites come last. */
  simplestFirst: readonly string[];
  codeOf: (remedy: string, plan: Plan) => { sender: string; receiver: string } | null;
  costsOf: (remedy: string) => readonly string[];
}

/**
 * Decides from the trials alone. A rewrite is advised only if it is proven equal and proven faster with its conversion
 * on both ends. Null without a measurement, and if only fixing the causes of a refusal helps.
 */
export function advise(facts: AdviceFacts): Advice | null {
  const upgrade = facts.verdict?.upgrade ?? null;
  const advice = facts.verdict?.path === 'rejected' ? ofRejected(facts) : ofMeasured(facts);
  if (advice === null) return null;
  return {
    ...advice,
    ...(facts.untried.length === 0 ? {} : { untried: [...facts.untried] }),
    ...(upgrade === null ? {} : { upgrade: { since: upgrade.since, path: upgrade.path } }),
  };
}

/** A rejected payload has no time to compare with: any rewrite that can be sent and restored is an improvement. */
function ofRejected(facts: AdviceFacts): Advice | null {
  const sendable = facts.trials.filter((trial) => isEqual(trial) && trial.outcome !== 'refused');
  const best = [...sendable].sort(bySimplicity(facts.simplestFirst))[0];
  if (best) return applied(facts, best, null);
  return facts.untried.length > 0 ? { ...NONE, action: 'not-tried' } : null;
}

function ofMeasured(facts: AdviceFacts): Advice | null {
  const { measurement, trials } = facts;
  if (measurement === null) return null;
  const equal = trials.filter((trial) => isEqual(trial) && trial.outcome !== 'refused');
  const faster = equal.filter(({ withConversion }) => evidence.decide(withConversion) === 'faster');
  const preferred = (some: readonly Trial[]) => pickBest(facts, some, 'withConversion');
  // A dropped trial has few samples, and a better rewrite was known: it comes after all other trials.
  const bestIn = (some: readonly Trial[]) =>
    preferred(some.filter(({ outcome }) => outcome !== 'dropped')) ?? preferred(some);
  // Maximum ratio of times that saves enough for a rewrite; 0 if the whole round trip is shorter than that saving.
  const most = Math.max(0, 1 - evidence.LEAST_SAVED_NS / measurement.roundTrip.median);
  const worth = faster.filter(
    (trial) => (trial.withConversion?.ratio ?? 1) <= Math.min(most, advisedFrom(effortOf(facts, trial))),
  );
  const best = bestIn(worth);
  if (best) return { ...applied(facts, best.trial, best.gain), ...alternatives(facts, best, faster) };
  const fastest = bestIn(faster);
  const gain = fastest === null ? {} : { available: available(facts, fastest) };
  const known = { ...gain, ...obstacleIn(trials, facts.obstacle) };
  if (evidence.isNearFloor(measurement.overFloor ?? null))
    return { ...NONE, action: 'not-the-clone', ...known };
  // If a rewrite is proven faster, the dropped ones are not considered. Otherwise their own intervals count.
  const isJudged = ({ outcome }: Trial) => outcome !== 'dropped' || faster.length === 0;
  const judged = equal.filter((trial) => !faster.includes(trial) && isJudged(trial));
  const open = judged
    .map((trial) => {
      const outAbove = Math.min(most, worthFrom(effortOf(facts, trial)));
      return { trial, estimate: trial.withConversion, outAbove };
    })
    .filter(({ trial, estimate, outAbove }) => {
      const isOut = trial.outcome === 'dropped' ? evidence.gainsLittle : evidence.cannotBeFaster;
      return !isOut(estimate, outAbove);
    });
  const action = facts.untried.length > 0 ? 'not-tried' : open.length > 0 ? 'unsure' : 'nothing';
  return {
    ...NONE,
    action,
    ...known,
    ...(action === 'not-tried' ? {} : gainBound(equal)),
    ...(action === 'unsure' ? { needs: budgetToDecide(open, facts.spentMs) } : {}),
    ...ifOwned(facts, equal),
  };
}

const effortOf = ({ codeOf, costsOf }: AdviceFacts, { remedy, plan }: Trial) => ({
  lines: countLines(codeOf(remedy, plan)),
  costs: costsOf(remedy),
});

function available(facts: AdviceFacts, { trial, gain }: Gain): Available {
  const { lines, costs: own } = effortOf(facts, trial);
  return { remedy: trial.remedy, path: trial.path, gain, lines, ...costs(own) };
}

/** Other rewrites faster than the original: the next simpler one, and the fastest of the less simple rewrites. */
function alternatives(facts: AdviceFacts, best: Gain, faster: readonly Trial[]): Partial<Advice> {
  const simpler = bySimplicity(facts.simplestFirst);
  const others = faster
    .filter(({ remedy }) => remedy !== best.trial.remedy)
    .flatMap((trial): Gain[] => (trial.withConversion ? [{ trial, gain: trial.withConversion }] : []));
  const below = others.filter(({ trial }) => simpler(trial, best.trial) < 0);
  const above = others.filter((one) => !below.includes(one) && one.gain.ratio < best.gain.ratio);
  const next = below.sort((a, b) => simpler(b.trial, a.trial)).slice(0, 1);
  const fastest = above.sort((a, b) => a.gain.ratio - b.gain.ratio).slice(0, 1);
  const shown = [...next, ...fastest].map((one) => available(facts, one));
  return shown.length === 0 ? {} : { alternatives: shown };
}

const NONE: Advice = { action: 'nothing', remedy: null, path: null, gain: null, code: null };

const isEqual = (trial: Trial): boolean =>
  trial.equality === 'equal' && trial.losses.length === 0 && !trial.plan.isView;

/** A rewrite that is faster only if both ends keep the new form is reported, but not advised. */
function ifOwned(facts: AdviceFacts, trials: readonly Trial[]): Partial<Advice> {
  const faster = trials.filter((trial) => trial.outcomeInPlace === 'faster');
  const best = pickBest(facts, faster, 'inPlace');
  if (!best) return {};
  const { remedy, path } = best.trial;
  return { remedy, path, gain: best.gain, ownsBothForms: true, ...costs(facts.costsOf(remedy)) };
}

const costs = (of: readonly string[]): { costs?: string[] } => (of.length === 0 ? {} : { costs: [...of] });

function applied(facts: AdviceFacts, trial: Trial, gain: RatioEstimate | null): Advice {
  const code = facts.codeOf(trial.remedy, trial.plan);
  const text = code && `// sender\n${code.sender}\n\n// receiver\n${code.receiver}\n`;
  const { remedy, path } = trial;
  return {
    ...{ action: 'apply', remedy, path, gain, code: text },
    ...costs(facts.costsOf(remedy)),
    ...saving(facts.measurement, gain),
  };
}

function saving(measurement: Measurement | null, gain: RatioEstimate | null): Pick<Advice, 'saves'> {
  if (measurement === null || !evidence.carries(gain, 'size')) return {};
  const ns = (1 - gain.ratio) * measurement.roundTrip.median;
  return { saves: { ns, mattersFromPerSecond: evidence.rateThatMatters(ns) } };
}

type Gain = { trial: Trial; gain: RatioEstimate };
type Timed = 'withConversion' | 'inPlace';

/** The simplest trial, unless a different one is faster by enough to be worth more. */
function pickBest(facts: AdviceFacts, trials: readonly Trial[], timed: Timed): Gain | null {
  const gains = trials.flatMap((trial): Gain[] => {
    const gain = trial[timed];
    return gain ? [{ trial, gain }] : [];
  });
  const simpler = bySimplicity(facts.simplestFirst);
  const sorted = gains.sort((a, b) => simpler(a.trial, b.trial) || a.gain.ratio - b.gain.ratio);
  return sorted.find((one) => sorted.every((other) => !isWorthMore(facts, other, one))) ?? null;
}

/** True if `other` is faster than `one` by at least the factor (and the time) that its less simple code requires. */
function isWorthMore({ measurement }: AdviceFacts, other: Gain, one: Gain): boolean {
  const isAlike = other.trial.remedy === one.trial.remedy;
  const mayCost = isAlike ? evidence.OUTER_MAY_COST : evidence.SIMPLER_MAY_COST;
  if (one.gain.ratio <= mayCost * other.gain.ratio) return false;
  const savesMoreNs = (one.gain.ratio - other.gain.ratio) * (measurement?.roundTrip.median ?? 0);
  return isAlike || savesMoreNs >= evidence.MUST_SAVE_MORE_NS;
}

/**
 * Lower bound of the time of any equal rewrite, at most 1: the lowest end of the intervals, which hold simultaneously.
 * Null if one is too uncertain; rewrites that were never timed are ignored.
 */
function gainBound(equal: readonly Trial[]): { bound?: number } {
  const timed = equal.flatMap(({ withConversion }) => withConversion ?? []);
  const isKnown = timed.every(
    (one) => evidence.carries(one, 'size') || (evidence.carries(one, 'side') && one.ci[0] >= 1),
  );
  if (timed.length === 0 || !isKnown) return {};
  return { bound: Math.min(1, ...timed.map(({ ci }) => ci[0])) };
}

/**
 * The first loss of a tried rewrite, the reason of its refusal, or else what JSON text, which fits most, would lose.
 */
function obstacleIn(trials: readonly Trial[], ofJson: Obstacle | null): { obstacle?: Obstacle } {
  if (trials.some(({ equality, losses }) => equality === 'equal' && losses.length === 0)) return {};
  const [lost] = trials.flatMap(({ remedy, losses }) =>
    losses.slice(0, 1).map(({ path, what }) => ({ remedy, path, what })),
  );
  // A text that is no JSON lacks nothing.
  const [refused] = trials.flatMap(({ remedy, path, reason }) =>
    reason === undefined || remedy === 'parse-text' ? [] : [{ remedy, path, what: reason }],
  );
  const found = lost ?? refused ?? ofJson;
  return found === null ? {} : { obstacle: found };
}

export interface OpenTrial {
  estimate: RatioEstimate | null;
  /** The rewrite is ruled out as soon as its whole interval lies above this ratio. */
  outAbove: number;
}

const PROBABLY = 2 / 3;

/** Intervals that hold simultaneously for several comparisons are about three standard errors wide on each side. */
const ERRORS_A_SIDE = 3;

/**
 * The smallest usual budget (ms) that would probably decide, or null. Assumptions: intervals of logarithms shrink with
 * 1/sqrt(time); the next estimate scatters around this one as its interval says; the rewrites are independent; a
 * rewrite without a time needs as much of it as the others. An interval of too few samples shows no future width, so
 * the budget is what enough samples need. Of 600 simulated sessions, this budget decided 88 %.
 */
export function budgetToDecide(open: readonly OpenTrial[], spentMs: number): number | null {
  const starved = open.flatMap(({ estimate }) =>
    estimate !== null && evidence.lackOf(estimate, 'size') === 'samples' ? (estimate.samples ?? []) : [],
  );
  if (starved.length > 0) return evidence.budgetForSamples(Math.min(...starved), spentMs);
  const estimates = open.flatMap(({ estimate, outAbove }): LogEstimate[] => {
    if (!evidence.carries(estimate, 'side')) return [];
    const [low, high] = estimate.ci;
    return [
      { middle: Math.log(estimate.ratio), half: Math.log(high / low) / 2, outAbove: Math.log(outAbove) },
    ];
  });
  const neededMs = (spentMs * open.length) / Math.max(1, estimates.length);
  return evidence.usualBudget((budgetMs) => {
    const longer = budgetMs / neededMs;
    return budgetMs > spentMs && longer >= 1 && probabilityOfDecision(estimates, longer) >= PROBABLY;
  });
}

/** `half` is half the width of the interval. */
type LogEstimate = Record<'middle' | 'half' | 'outAbove', number>;

/** Probability that a rewrite is found faster, or that none can be, after `longer` times the time. */
function probabilityOfDecision(estimates: readonly LogEstimate[], longer: number): number {
  let noneFaster = 1;
  let allOut = 1;
  for (const { middle, half, outAbove } of estimates) {
    const then = half / Math.sqrt(longer);
    const error = (half / ERRORS_A_SIDE) * Math.sqrt(1 - 1 / longer);
    const faster = below(Math.min(-then, Math.log(evidence.NO_DIFFERENCE.from)), middle, error);
    noneFaster *= 1 - faster;
    allOut *= Math.min(1 - faster, 1 - below(outAbove + then, middle, error));
  }
  return 1 - noneFaster + allOut;
}

/** P(X < limit) of a normal X, by the logistic curve: within 0.01. */
function below(limit: number, middle: number, deviation: number): number {
  if (deviation === 0) return middle < limit ? 1 : 0;
  return 1 / (1 + Math.exp((-1.702 * (limit - middle)) / deviation));
}

/** V8 copies parts of a text that are shorter than this; longer parts refer to the whole text. */
const SHORTEST_SLICE = 13;
/** Minimum size of the texts, UTF-16 units. Below this, the memory that a receiver retains does not matter. */
const MATTERS_FROM = 100_000;

/**
 * A cost of compiled codecs: all texts arrive as one text, and V8 cuts slices from it, so a receiver that keeps one
 * slice keeps all of them. It matters for large texts, some of them long enough to be slices.
 */
export function withKeptTexts(
  advice: Advice | null,
  trials: readonly Trial[],
  shape: Shape | null,
  engine: EngineName,
): Advice | null {
  if (advice?.action !== 'apply' || advice.remedy !== 'compiled' || engine !== 'v8') return advice;
  const advised = trials.find(
    ({ remedy, withConversion }) => remedy === 'compiled' && withConversion?.ratio === advice.gain?.ratio,
  );
  if (advised?.plan.form === 'listed') return advice;
  const texts = (shape?.patterns ?? []).filter((row) => row.kind === 'string' && !has(row, 'repeated'));
  const units = textUnits(texts);
  if (units < MATTERS_FROM || !texts.some(({ size }) => (size?.max ?? 0) >= SHORTEST_SLICE)) return advice;
  const cost = `a kept text of 13+ characters keeps all ${amount(units)} characters`;
  return { ...advice, costs: [...(advice.costs ?? []), cost] };
}

/** "217 thousand", "2.1 million" */
const amount = (units: number): string =>
  units < 999_500 ? `${Math.round(units / 1e3)} thousand` : `${(units / 1e6).toPrecision(2)} million`;
