/** Texts by name. The texts of rules, paths and remedies come from the tables of the rule book. */

import type { AdviceAction, TrialOutcome } from '../../../model/documents/trial.ts';
import type { CostClass, Level } from '../../../model/names.ts';
import type { Work } from '../../../model/vocabulary/profile.ts';
import type { Tone } from './sentence.ts';

export const CLASS_TEXTS = {
  shared: 'shared with the receiver, nothing is copied',
  moved: 'moved to the receiver, nothing is copied',
  'in-memory': 'copied in memory, without the serializer',
  bulk: 'bytes copied as one block',
  serialized: 'written out and read back, value by value',
  degraded: 'serialized by a slower path than this kind of data needs',
  rejected: 'cannot be cloned',
} as const satisfies Record<CostClass, string>;

export const CLASS_TONES = {
  ...{ shared: 'good', moved: 'good', 'in-memory': 'good', bulk: 'good' },
  ...{ serialized: 'fair', degraded: 'poor', rejected: 'bad' },
} as const satisfies Record<CostClass, Tone>;

export const CONTRADICTED = 'contradicted by the engine';

/** Unknown facts that the verdict depends on, by their ids. */
export const UNKNOWN_TEXTS: Readonly<Record<string, string>> = {
  'share-or-copy': 'whether the string is shared or copied',
  'delete-history': 'whether a property was ever deleted from it, which costs the fast path',
  'getter-result': 'what the getter returns or throws: it is not run here',
  'array-storage': 'how the engine stores the array, which decides its path',
  'elements-kind': 'how the engine stores the array (packed or with holes)',
  'element-storage': 'how the engine stores the elements',
  'property-storage': 'how the engine stores the properties',
  'string-width': 'whether the string takes one or two bytes a character',
  'value-varies':
    'what the engine does with it: each build gives another value, and the engine was shown a later one',
  'storage-varies':
    'what the engine does with it: it stores builds in several ways, and was shown one that it stores otherwise',
  'patterns-left-out': 'values of too many kinds at one place: some were counted with similar ones',
};

/** Prefixes of findings that are not blockers. */
export const LEVEL_TEXTS = {
  rejected: 'cannot be cloned: ',
  slow: 'slower: ',
  lossy: 'changed on arrival: ',
  note: '',
} as const satisfies Record<Level, string>;

export const OUTCOME_TONES = {
  ...{ faster: 'good', slower: 'bad', unsure: 'fair', dropped: 'muted', refused: 'fair' },
} as const satisfies Record<TrialOutcome, Tone>;

/** Advice in few words, for tables; a table shows the name of the rewrite for `apply`. */
export const SHORT_ADVICE = {
  apply: 'a rewrite',
  nothing: 'no rewrite',
  'not-the-clone': 'fewer, larger messages',
  'not-tried': 'not tried',
  unsure: 'unsure',
} as const satisfies Record<AdviceAction, string>;

export const WORK_WORDS = {
  clone: { text: 'cloning', tone: 'fair' },
  gc: { text: 'garbage collection', tone: 'poor' },
  user: { text: 'your code', tone: 'bad' },
  other: { text: 'other', tone: 'good' },
} as const satisfies Record<Work, { text: string; tone: Tone }>;
