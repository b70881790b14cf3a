/** What to do about a rule that fired: never what this run refused, found lossy or found slower. */

import type { Run } from '../../../model/documents/report.ts';
import type { Trial } from '../../../model/documents/trial.ts';
import { COPYING_CHANNELS } from '../../../model/names.ts';
import type { RuleWording, Wording } from '../../../model/report/wording.ts';
import { rewriteName } from './trial-rows.ts';

/**
 * What became of the rewrites that a rule names; its own advice only where the run has nothing better, and where
 * the advice of the run is not to rewrite anything. Null where there is nothing true to say.
 */
export function hintOf(rule: RuleWording, run: Run, words: Wording): string | null {
  const { remedies = [] } = rule;
  const { advice, trials, channel, via } = run;
  const fix = (via && rule.fixIn?.[via.library]) ?? rule.fix ?? null;
  if (remedies.length === 0) return fix;
  const isCopied = COPYING_CHANNELS.includes(channel) || via?.transfers === false;
  if (remedies[0] === 'transfer' && isCopied) return null;
  if (advice?.action === 'apply' && remedies.includes(advice.remedy ?? '')) {
    return `The rewrite ${advice.remedy} answers it.`;
  }
  const tried = trials.filter(({ remedy }) => remedies.includes(remedy));
  const isByHand = rule.level !== 'slow' && rule.level !== 'note';
  if (tried.length === 0) return advice === null || isByHand ? fix : null;
  const outcomes = tried.map((trial) => `${rewriteName(trial, trials, words)} (${outcomeText(trial)})`);
  const text = `Tried for it: ${outcomes.join(', ')}.`;
  return isByHand && fix !== null ? `${fix} ${text}` : text;
}

function outcomeText({ equality, outcome, withConversion }: Trial): string {
  if (equality === 'failed' || outcome === 'refused') return 'refused';
  const time = withConversion === null ? 'not timed' : outcome;
  return equality === 'lossy' ? `lossy, ${time}` : time;
}
