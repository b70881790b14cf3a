import type { AnswerTo, GuestRequest, RequestOf, Stage } from '../model/wire/wire.ts';
import { describePayload } from './describe/describe-payload.ts';
import { branchBytes, dimensions, findLosses, sampleText } from './describe/facts.ts';
import { makeSchema } from './describe/make-schema.ts';
import { measure } from './measure/measure.ts';
import { measureMemory } from './measure/memory/memory.ts';
import { profile } from './measure/profile/profile.ts';
import { open } from './payload/open.ts';
import { prove } from './prove/prove.ts';

export type Handler<K extends GuestRequest['type']> = (
  request: RequestOf<K>,
  onStage: (stage: Stage) => Promise<void>,
) => Promise<AnswerTo<K>>;

/** All requests of the host. */
export const HANDLERS: { [K in Exclude<GuestRequest['type'], 'exit'>]: Handler<K> } = {
  open,
  describe: describePayload,
  losses: findLosses,
  schema: makeSchema,
  prove,
  measure,
  dimensions,
  sample: sampleText,
  profile,
  'branch-bytes': branchBytes,
  memory: measureMemory,
};
