import type { Plan } from '../../model/remedy.ts';
import type { Advice, Measurement, RatioEstimate, Trial } from '../../model/report.ts';
import type { Verdict } from '../../model/rule.ts';
import { cannotBeFaster } from '../stats/decision.ts';

/** What one run found out, and where ready-to-paste code comes from. */
export interface AdviceFacts {
  measurement: Measurement | null;
  trials: readonly Trial[];
  verdict: Verdict | null;
  /** Null when nobody knows a remedy of that name. */
  codeOf: (remedy: string, plan: Plan) => { sender: string; receiver: string } | null;
}

/** A trip this close to that of an empty message is not made of the clone: no rewrite can gain a third. */
const NEAR_THE_FLOOR = 1.5;

/** Being simpler is not worth more than this much time. */
const SIMPLER_MAY_COST = 1.25;

/**
 * From the least to the most that a program has to change: the value stays what it is, its message becomes one text
 * or one buffer, its keys change, its whole form changes, its memory is shared. A user's own remedy comes last.
 */
const BY_SIMPLICITY: readonly string[] = [
  'own-string',
  'transfer',
  'slice-view',
  'repack',
  'rebuild',
  'json-text',
  'parse-text',
  'unwrap-string',
  'typed-array',
  'flatten',
  'flat-rows',
  'columns',
  'plain',
  'dedupe',
  'share',
];

/**
 * What to do, resting on the trials alone. Only a proven equal rewrite that is proven faster with its conversion on
 * both ends is told to be applied. Null when there is nothing to rest on.
 */
export function advise(facts: AdviceFacts): Advice | null {
  const upgrade = facts.verdict?.upgrade ?? null;
  const said = facts.verdict?.path === 'rejected' ? ofRejected(facts) : ofMeasured(facts);
  if (said === null || upgrade === null) return said;
  return { ...said, upgrade: { since: upgrade.since, path: upgrade.path } };
}

/** It cannot be sent at all, so there is no time to compare with: a rewrite that restores it is the gain. */
function ofRejected(facts: AdviceFacts): Advice {
  const able = facts.trials.filter((trial) => isEqual(trial) && trial.outcome !== 'refused');
  const best = [...able].sort(bySimplicity)[0];
  return best ? applied(facts, best, null) : { ...NONE, action: 'unsure' };
}

function ofMeasured(facts: AdviceFacts): Advice | null {
  const { measurement, trials } = facts;
  if (measurement === null) return null;
  if (measurement.roundTrip.median <= NEAR_THE_FLOOR * measurement.floor.roundTrip) {
    return { ...NONE, action: 'not-the-clone' };
  }
  const equal = trials.filter((trial) => isEqual(trial) && trial.outcome !== 'refused');
  const best = bestOf(
    equal.filter((trial) => trial.outcome === 'faster'),
    (trial) => trial.withConversion,
  );
  if (best) return applied(facts, best.trial, best.gain);
  const decided = equal.every((trial) => cannotBeFaster(trial.withConversion));
  return { ...NONE, action: decided ? 'nothing' : 'unsure', ...ifOwned(equal) };
}

const NONE: Advice = { action: 'nothing', remedy: null, path: null, gain: null, code: null };

const isEqual = (trial: Trial): boolean => trial.equality === 'equal' && trial.losses.length === 0;

/**
 * Faster only when both ends keep the new form anyway. It is told, but not as something to apply: whoever pastes the
 * conversion gets the other, slower trip.
 */
function ifOwned(trials: readonly Trial[]): Partial<Advice> {
  const best = bestOf(
    trials.filter((trial) => trial.outcomeInPlace === 'faster'),
    (trial) => trial.inPlace,
  );
  if (!best) return {};
  return { remedy: best.trial.remedy, path: best.trial.path, gain: best.gain, ownsBothForms: true };
}

function applied(facts: AdviceFacts, trial: Trial, gain: RatioEstimate | null): Advice {
  const code = facts.codeOf(trial.remedy, trial.plan);
  return {
    action: 'apply',
    remedy: trial.remedy,
    path: trial.path,
    gain,
    code: code && `// sender\n${code.sender}\n\n// receiver\n${code.receiver}\n`,
  };
}

interface Gain {
  trial: Trial;
  gain: RatioEstimate;
}

/** The fastest; among those whose difference from it the intervals do not tell, the simplest. */
function bestOf(trials: readonly Trial[], gainOf: (trial: Trial) => RatioEstimate | null): Gain | null {
  const gains = trials.flatMap((trial): Gain[] => {
    const gain = gainOf(trial);
    return gain ? [{ trial, gain }] : [];
  });
  const fastest = [...gains].sort((a, b) => a.gain.ratio - b.gain.ratio)[0];
  if (fastest === undefined) return null;
  const alike = gains.filter(
    ({ gain }) => gain.ci[0] <= fastest.gain.ci[1] && gain.ratio <= SIMPLER_MAY_COST * fastest.gain.ratio,
  );
  return alike.sort((a, b) => bySimplicity(a.trial, b.trial))[0] ?? fastest;
}

/** Between two plans of one remedy, the one that proposes it for the outer path comes first. */
function bySimplicity(a: Trial, b: Trial): number {
  return rankOf(a.remedy) - rankOf(b.remedy) || a.path.length - b.path.length;
}

function rankOf(remedy: string): number {
  const at = BY_SIMPLICITY.indexOf(remedy);
  return at < 0 ? BY_SIMPLICITY.length : at;
}
