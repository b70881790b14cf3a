/** The same rewrite in two reports. Its share of the time of the original is of one run, so that two of them compare. */
import type { ComparedTrial, TrialComparison } from '../../model/documents/comparison.ts';
import type { Trial } from '../../model/documents/trial.ts';
import { differenceOf } from '../evidence.ts';

/** None where one side tried no rewrite at all. */
export function trialComparisons(before: readonly Trial[], now: readonly Trial[]): TrialComparison[] {
  if (before.length === 0 || now.length === 0) return [];
  const [earlier, later] = [byPlan(before), byPlan(now)];
  return [...new Set([...later.keys(), ...earlier.keys()])].map((key) =>
    compareTrial(earlier.get(key) ?? null, later.get(key) ?? null),
  );
}

/** Two plans of one remedy and form at one path differ in what depends on the payload: counted off. */
function byPlan(trials: readonly Trial[]): Map<string, Trial> {
  const byKey = new Map<string, Trial>();
  for (const trial of trials) {
    const key = JSON.stringify([trial.remedy, trial.path, trial.plan.form ?? null]);
    let nth = 1;
    while (byKey.has(`${key} ${nth}`)) nth += 1;
    byKey.set(`${key} ${nth}`, trial);
  }
  return byKey;
}

function compareTrial(before: Trial | null, now: Trial | null): TrialComparison {
  const { remedy, path, plan } = (now ?? before) as Trial;
  return {
    remedy,
    path,
    ...(plan.form === undefined ? {} : { form: plan.form }),
    before: before && toSide(before),
    now: now && toSide(now),
    withConversion: shareChange('withConversion', before, now),
    inPlace: shareChange('inPlace', before, now),
  };
}

const toSide = ({ equality, outcome, withConversion, inPlace }: Trial): ComparedTrial => ({
  ...{ equality, outcome, withConversion, inPlace },
});

function shareChange(of: 'withConversion' | 'inPlace', before: Trial | null, now: Trial | null) {
  const [was, is] = [before?.[of], now?.[of]];
  return was && is ? differenceOf(was, is) : null;
}
