/** Kinds of changes between two reports. Times are excluded, because they come from two separate runs. */
export const CHANGES = [
  'runtime',
  'status',
  'class',
  'path',
  'findings',
  'values',
  'depth',
  'json-bytes',
  'wire-bytes',
  'advice',
  'rewrites',
] as const;
export type Change = (typeof CHANGES)[number];

/** Relations between two shares of the original's time, each from one run; `unsure`: their intervals overlap. */
export const SHARE_CHANGES = ['lower', 'higher', 'unsure'] as const;
export type ShareChange = (typeof SHARE_CHANGES)[number];

/** Reasons why two times cannot be compared. Comparable times differ in the payload alone. */
export const UNLIKE = ['other-machine', 'other-run'] as const;
export type Unlike = (typeof UNLIKE)[number];
