import type { Stage } from '../model/wire/stage.ts';
import type { AnswerTo, GuestRequest, RequestOf } from '../model/wire/wire.ts';

export type Handler<K extends GuestRequest['type']> = (
  request: RequestOf<K>,
  onStage: (stage: Stage) => Promise<void>,
) => Promise<AnswerTo<K>>;

/** Evaluated at the first request of each type, so that the modules do not delay the hello. */
export const HANDLERS: { [K in Exclude<GuestRequest['type'], 'exit'>]: () => Promise<Handler<K>> } = {
  open: async () => (await import('./payload/open.ts')).open,
  describe: async () => (await import('./describe/describe-payload.ts')).describePayload,
  losses: async () => (await import('./describe/facts.ts')).findLosses,
  schema: async () => (await import('./describe/make-schema.ts')).makeSchema,
  prove: async () => (await import('./prove/prove.ts')).prove,
  measure: async () => (await import('./measure/measure.ts')).measure,
  dimensions: async () => (await import('./describe/facts.ts')).dimensions,
  sample: async () => (await import('./describe/facts.ts')).sampleText,
  profile: async () => (await import('./measure/profile/profile.ts')).profile,
  'branch-bytes': async () => (await import('./describe/facts.ts')).branchBytes,
  memory: async () => (await import('./measure/memory/memory.ts')).measureMemory,
};
