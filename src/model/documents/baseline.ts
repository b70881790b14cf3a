/** Schema of the facts that a check compares with. */

import { LIMIT_LEVELS, LIMITS, NEW_POLICIES, UNDECIDED_POLICIES } from '../gate/limits.ts';
import { BASELINE_SCHEMA, CHANNELS, COST_CLASSES, LIBRARIES, SENDERS } from '../names.ts';
import * as s from '../schema.ts';
import { pathNameSchema } from './names.ts';

const placesSchema = s.list(s.object({ rule: s.string(), path: s.string() }));

export type BaselineFacts = s.TypeOf<typeof factsSchema>;
export const factsSchema = s.object(
  'Of one payload on one runtime, the same on every machine. Never milliseconds.',
  {
    path: pathNameSchema,
    class: s.oneOf(COST_CLASSES),
    blockers: placesSchema,
    bytes: s.nullable(s.number(), 'On the wire where the engine tells, else of the JSON text.'),
    nodes: s.number(),
    depth: s.number(),
    losses: placesSchema,
    heaviest: s.record(s.number(), 'Bytes at the patterns that hold most: where a payload grew.'),
  },
);

export type BaselineSample = s.TypeOf<typeof sampleSchema>;
export const sampleSchema = s.object({
  json: s.string('Text of the payload, in one line: spread over many it would hide the facts.'),
  masked: s.optional(s.literal(true, 'Its texts were replaced by others of the same sizes.')),
});

export type BaselinePayload = s.TypeOf<typeof payloadSchema>;
export const payloadSchema = s.object({
  entry: s.string('Name of its entry in the config: what the entry no longer gives is missed.'),
  runtimes: s.record(
    factsSchema,
    'By spec as in the config ("bun@1.4"), the channel added where it is not a worker ("node ipc-json").',
  ),
  sample: s.optional(
    s.nullable(
      sampleSchema,
      'With --samples: the payload itself, which limits on time and memory need. Not where JSON cannot hold it.',
    ),
  ),
});

export const limitSchema = s.object({
  level: s.oneOf(LIMIT_LEVELS),
  value: s.union([s.oneOf(COST_CLASSES), s.number(), s.literal(true)]),
  against: s.optional(s.literal('baseline')),
  text: s.string(),
});

/**
 * A limit after reading the config: units are resolved, presets merged. Value by limit. class: a CostClass, or true for
 * "no worse than the baseline". maxBytes: bytes. lossy, rejected, transfer: true. If `against` is set, and always for
 * time and memory: a fraction over the baseline (0.1 = +10 %). `text`: the limit in the config: "64 kB".
 */
export interface Limit extends s.TypeOf<typeof limitSchema> {
  /** Set if a preset and not the user wrote the limit. A missing baseline is not a failure then. */
  preset?: true;
}

export type Demand = s.TypeOf<typeof demandSchema>;
export const demandSchema = s.object('What an entry of the config demands, presets resolved.', {
  id: s.nullable(s.string(), 'null: it is named after its file.'),
  input: s.string('File or glob, from the folder of the config.'),
  export: s.nullable(s.string()),
  as: s.nullable(s.oneOf(['text', 'bytes', 'json'])),
  runtimes: s.list(s.string()),
  channels: s.list(s.oneOf(CHANNELS)),
  sender: s.optional(s.oneOf(SENDERS)),
  via: s.nullable(s.oneOf(LIBRARIES)),
  transfer: s.list(s.string()),
  remedies: s.list(s.string()),
  codec: s.optional(s.string()),
  gain: s.optional(s.literal('any')),
  limits: s.partialRecord(s.oneOf(LIMITS), limitSchema),
});

export type Demands = s.TypeOf<typeof demandsSchema>;
export const demandsSchema = s.object(
  'What was checked when the facts were accepted. It holds where the config demands less.',
  {
    new: s.oneOf(NEW_POLICIES),
    undecided: s.oneOf(UNDECIDED_POLICIES),
    payloads: s.list(demandSchema),
  },
);

export type Baseline = s.TypeOf<typeof baselineSchema>;
export const baselineSchema = s.object({
  schema: s.literal(BASELINE_SCHEMA),
  payloads: s.record(payloadSchema),
  demands: demandsSchema,
  written: s.record(
    s.string(),
    'A hash of each part, as clone-prof baseline wrote it: an edit by hand is told.',
  ),
});
