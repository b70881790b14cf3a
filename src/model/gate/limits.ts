/** Limits on facts: the same input gives the same result on every machine. */
export const FACT_LIMITS = [
  'class',
  'maxBytes',
  'maxNodes',
  'maxDepth',
  'maxAmplification',
  'lossy',
  'rejected',
  'transfer',
] as const;
/** Limits on measurements, as a ratio to the baseline's payload in the same run. */
export const MEASURED_LIMITS = ['time', 'memory'] as const;
export const LIMITS = [...FACT_LIMITS, ...MEASURED_LIMITS] as const;
export type LimitName = (typeof LIMITS)[number];

/** Subject of a result: a limit, a rewrite, a codec, a mismatch of payload and baseline, or a config that lacks something. */
export const CHECKED = [...LIMITS, 'remedies', 'codec', 'baseline', 'config'] as const;
export type Checked = (typeof CHECKED)[number];

interface LimitRow {
  /** Of its numbers: bytes, a ratio, a change, or the name of what is counted. */
  unit: string;
  /** Of a limit that counts what breaks it: the word for 0. */
  none?: string;
  words: string;
  /** Advice if the result does not come from a rule. */
  fix?: string;
  /** A payload may need more of it: the limit is raised then. */
  rises?: true;
}

export const LIMIT_ROWS: Readonly<Record<Checked, LimitRow>> = {
  class: { unit: 'name', words: 'The engine takes a path of this class or a better one.' },
  maxBytes: {
    unit: 'bytes',
    words:
      'A post copies at most this many bytes: bytes.copied of the report, without what is moved or shared.',
    fix: 'Post less data.',
    rises: true,
  },
  maxNodes: {
    unit: 'value',
    words: 'The payload holds at most this many values.',
    fix: 'Post fewer values.',
    rises: true,
  },
  maxDepth: {
    unit: 'level',
    words: 'The payload has at most this many levels below the root.',
    fix: 'Flatten it.',
    rises: true,
  },
  maxAmplification: {
    unit: 'ratio',
    words: 'At most this many bytes are copied for each byte that is needed.',
    fix: 'Post a copy of only the part that is needed: view.slice().',
  },
  lossy: { unit: 'value', none: 'none', words: 'Every value arrives unchanged.' },
  rejected: { unit: 'value', none: 'none', words: 'Every value can be cloned.' },
  transfer: {
    ...{ unit: 'unlisted buffer', none: 'all' },
    words: 'Every buffer that can be transferred is on the transfer list.',
    fix: 'List the buffer when posting, and its path under "transfer" in the config.',
  },
  time: {
    unit: 'change',
    words: 'The round trip takes at most this much longer than that of the payload in the baseline.',
    fix: 'Find the part that costs most: npx clone-prof analyze FILE --by-path.',
  },
  memory: {
    unit: 'change',
    words: 'Peak memory grows at most this much over that of the payload in the baseline.',
    fix: 'Post less at once.',
    rises: true,
  },
  remedies: {
    ...{ unit: 'difference', none: 'equal' },
    words: 'Every rewrite of the config gives back an equal payload.',
    fix: 'Change the rewrite, or name it under "remedies" of other payloads.',
  },
  codec: {
    ...{ unit: 'difference', none: 'fits' },
    words: 'The codec of the config fits the payload, gives it back equal, and is made of its schema.',
    fix: 'If the payload is right: npx clone-prof check --fix-codec writes the codec anew.',
  },
  baseline: {
    unit: 'name',
    words: 'Every payload is in the baseline, and everything in the baseline is checked.',
  },
  config: { unit: 'name', words: 'What the config of the other commit names is still there.' },
};

/** Outcome for a payload that an existing baseline does not hold. */
export const NEW_POLICIES = ['error', 'ok'] as const;
export type NewPolicy = (typeof NEW_POLICIES)[number];

/** Outcome for a measured limit that is within the interval when the time is up. */
export const UNDECIDED_POLICIES = ['error', 'warn'] as const;
export type UndecidedPolicy = (typeof UNDECIDED_POLICIES)[number];

export const LIMIT_LEVELS = ['error', 'warn', 'off'] as const;
export type LimitLevel = (typeof LIMIT_LEVELS)[number];

/** unmatched: the payload is missing in the baseline, or in the check. */
export const LIMIT_OUTCOMES = ['failed', 'passed', 'unsure', 'not-measured', 'unmatched'] as const;
export type LimitOutcome = (typeof LIMIT_OUTCOMES)[number];
