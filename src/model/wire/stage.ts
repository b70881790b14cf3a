/** What a guest is doing within a request. When a deadline passes, the error says at what. */
export const STAGES = ['build', 'describe', 'confirm', 'peer', 'measure'] as const;
export type Stage = (typeof STAGES)[number];

/** Sent when a stage begins, before the answer to the request. */
export interface Progress {
  type: 'progress';
  stage: Stage;
}
