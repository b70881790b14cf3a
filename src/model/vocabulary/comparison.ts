/** What can change from one report to another. Never times: those are of two runs. */
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

/** How two shares of the original's time differ, each from one run; `unsure`: their intervals overlap. */
export const SHARE_CHANGES = ['lower', 'higher', 'unsure'] as const;
export type ShareChange = (typeof SHARE_CHANGES)[number];

/** Why two times cannot be compared: nothing but the payload may differ between times that are. */
export const UNLIKE = ['other-machine', 'other-run'] as const;
export type Unlike = (typeof UNLIKE)[number];
