/** The sentences that all formats share. Words of rules, paths and remedies come from their tables (see model/look.ts). */

import type { CostClass, Level } from '../model/names.ts';
import type { Run, Trial, TrialOutcome } from '../model/report.ts';
import type { Wording } from '../model/wording.ts';

/** What the class means for the message as a whole. */
export const CLASS_WORDS = {
  shared: 'shared with the receiver, nothing is copied',
  moved: 'moved to the receiver, nothing is copied',
  'in-memory': 'copied in memory, without the serializer',
  bulk: 'bytes copied in one go',
  serialized: 'written out and read back, value by value',
  degraded: 'serialized, by a slower way than such data needs',
  rejected: 'cannot be cloned: postMessage throws',
} as const satisfies Record<CostClass, string>;

const UNKNOWN_WORDS: Readonly<Record<string, string>> = {
  'share-or-copy': 'whether the string is shared or copied',
  'delete-history': 'whether a property was ever deleted from it, which costs the fast path',
  'getter-result': 'what the getter returns or throws: it is not run here',
  'elements-kind': 'how the engine stores the array (packed or with holes)',
  'property-storage': 'how the engine stores the properties',
  'string-width': 'whether the string takes one or two bytes a character',
  'patterns-left-out': 'values of too many kinds at one place: some were counted with others like them',
  'items-left-out': 'items beyond the first: they were not looked at one by one',
};

/** What could not be found out about a place; the id itself where this version has no words for it. */
export const unknownWords = (what: string): string => UNKNOWN_WORDS[what] ?? what;

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
} as const satisfies Record<TrialOutcome, Grade>;

export const remedyTitle = (remedy: string, words: Wording): string =>
  words.remedies[remedy]?.title ?? remedy;

/** "json-text (send one JSON text)" */
export function remedyWords(remedy: string, words: Wording): string {
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
