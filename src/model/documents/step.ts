/** Schema of the steps for a payload. */
import * as s from '../schema.ts';
import { TRAFFIC_RULES } from '../vocabulary/traffic.ts';
import { ratioSchema } from './measurement.ts';

/**
 * - rejected: the payload cannot be posted
 * - lost: a part of it arrives changed
 * - rewrite: the advised rewrite of a run
 * - traffic: a rule of recordings, about the way the payload is posted
 * - fewer: the message costs about as much as an empty one
 */
export const STEP_KINDS = ['rejected', 'lost', 'rewrite', 'traffic', 'fewer'] as const;

export type Step = s.TypeOf<typeof stepSchema>;
export const stepSchema = s.named('Step', 'One thing to know or to do about a payload.', {
  kind: s.oneOf(STEP_KINDS),
  runtimes: s.list(s.string(), 'Where it holds: "node@20.20.2".'),
  path: s.optional(s.string('Where in the payload.')),
  rule: s.optional(s.string('Of a payload, what arrives otherwise or is refused.')),
  traffic: s.optional(s.oneOf(TRAFFIC_RULES)),
  remedy: s.optional(s.string('Name of the rewrite.')),
  what: s.optional(s.string('Of lost: "Date became string", "class Customer".')),
  gain: s.optional(ratioSchema),
  savesNs: s.nullable(
    s.number(),
    'A message; of several runtimes where it saves most. Null where it is not known.',
  ),
  savesMs: s.nullable(s.number(), 'In the recorded program.'),
});
