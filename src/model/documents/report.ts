/** Schema of the report of `analyze`. All code before the report produces it, all code after it only reads it. */
import { LIBRARIES, REPORT_SCHEMA } from '../names.ts';
import * as s from '../schema.ts';
import { TRAFFIC_RULES } from '../vocabulary/traffic.ts';
import { channelChangeSchema, findingSchema, postBytesSchema, verdictSchema } from './classification.ts';
import { measurementSchema, ratioSchema, runNoiseSchema } from './measurement.ts';
import { channelSchema, costClassSchema, pathNameSchema, runtimeIdSchema } from './names.ts';
import { payloadSchemaSchema } from './payload-schema.ts';
import { branchCostSchema, profileSchema } from './profile.ts';
import { analyzedRecordingSchema, trafficSchema } from './recorded/traffic.ts';
import { shapeSchema } from './shape.ts';
import { adviceSchema, outcomeSchema, trialSchema } from './trial.ts';

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

export type Machine = s.TypeOf<typeof machineSchema>;
export const machineSchema = s.object({
  os: s.string(),
  arch: s.string(),
  cpu: s.string(),
  cores: s.number(),
  memoryBytes: s.number(),
});

export type RunError = s.TypeOf<typeof runErrorSchema>;
export const runErrorSchema = s.named('RunError', {
  code: s.string(),
  message: s.string(),
  path: s.optional(s.string()),
});

export const viaSchema = s.object(
  'The library in whose envelope it was posted: shape, verdict and findings are of its message; trials, advice and branches of the payload.',
  {
    library: s.oneOf(LIBRARIES),
    path: s.string('Where the payload is in the message.'),
    transfers: s.boolean('False where the library takes no transfer list.'),
    shape: s.nullable(shapeSchema, 'Of the payload; that of the run is of the message.'),
  },
);

export type OtherChannel = s.TypeOf<typeof otherChannelSchema>;
export const otherChannelSchema = s.named(
  'OtherChannel',
  'Between processes: the payload with the other serialization, timed in turns with it.',
  {
    channel: channelSchema,
    ratio: s.nullable(ratioSchema, 'Time over it, of the same rounds; null where it was not timed.'),
    outcome: s.described(outcomeSchema, 'refused: a message would be refused there.'),
    kept: s.list(channelChangeSchema, 'What arrives there as it is, and over this one does not.'),
    lost: s.list(channelChangeSchema, 'What does not arrive there as it is, and over this one does.'),
  },
);

export const builtLaterSchema = s.named(
  'BuiltLater',
  'V8: a thread that has received such a message stores what the factory builds after it otherwise. All else is about values that were built before.',
  {
    path: s.string('Where it is stored otherwise.'),
    ratio: s.nullable(
      ratioSchema,
      'Its time over that of one which was built before, of the same rounds; null where it was not timed.',
    ),
    outcome: outcomeSchema,
  },
);

export type Run = s.TypeOf<typeof runSchema>;
export const runSchema = s.named('Run', 'One payload on one runtime over one channel.', {
  runtime: runtimeIdSchema,
  spec: s.optional(s.string('What -r takes for this version, where the name alone means another one.')),
  channel: channelSchema,
  via: s.optional(viaSchema),
  status: s.oneOf(['measured', 'classified', 'failed']),
  error: s.nullable(runErrorSchema, 'Why it failed, or was classified only.'),
  shape: s.nullable(shapeSchema),
  verdict: s.nullable(verdictSchema),
  bare: s.optional(
    s.object("Of a recorded message in a library's envelope: the verdict of its value alone.", {
      class: costClassSchema,
      path: pathNameSchema,
    }),
  ),
  findings: s.list(findingSchema),
  bytes: s.optional(s.described(postBytesSchema, 'Absent where the post is refused, or failed.')),
  readBackNs: s.optional(s.number('Of a page: what building the payload spends in reading canvases back.')),
  measurement: s.nullable(measurementSchema),
  schema: s.optional(
    s.nullable(
      payloadSchemaSchema,
      'From which codecs are compiled; null where it has too many kinds of records.',
    ),
  ),
  trials: s.list(trialSchema),
  advice: s.nullable(adviceSchema),
  otherChannel: s.optional(otherChannelSchema),
  builtLater: s.optional(builtLaterSchema),
  noise: s.optional(runNoiseSchema),
  profile: s.optional(profileSchema),
  byPath: s.optional(s.list(branchCostSchema, 'The heaviest branches, the one that costs most first.')),
});

export type PayloadReport = s.TypeOf<typeof payloadSchema>;
export const payloadSchema = s.named('Payload', {
  id: s.string(),
  source: s.object({
    file: s.string(),
    export: s.nullable(s.string()),
    line: s.optional(s.number('Of an NDJSON file: the line that represents its group.')),
  }),
  error: s.nullable(runErrorSchema, 'Set when the payload could not be loaded; runs is empty then.'),
  stands: s.optional(s.number('Number of messages of the input that it represents.')),
  traffic: s.optional(trafficSchema),
  steps: s.optional(s.list(stepSchema, 'What there is to know and to do, what matters most first.')),
  runs: s.list(runSchema),
});

export type Report = s.TypeOf<typeof reportSchema>;
export const reportSchema = s.document('clone-prof report', 'What clone-prof analyze --format json prints.', {
  schema: s.literal(REPORT_SCHEMA),
  tool: s.object({ version: s.string() }),
  machine: machineSchema,
  seed: s.number(),
  date: s.optional(s.string('Day of the run, UTC: "2026-01-31".')),
  recordings: s.optional(s.list(analyzedRecordingSchema)),
  payloads: s.list(payloadSchema),
});
