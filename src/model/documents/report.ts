/** What `analyze` finds: everything before the Report produces it, everything after it only reads it. */
import * as z from 'zod';
import { REPORT_SCHEMA } from '../document-ids.ts';
import { LIBRARIES } from '../names.ts';
import { channelChangeSchema, findingSchema, postBytesSchema, verdictSchema } from './classification.ts';
import { measurementSchema, ratioSchema, runNoiseSchema } from './measurement.ts';
import { channelSchema, costClassSchema, pathNameSchema, runtimeIdSchema } from './names.ts';
import { payloadSchemaSchema } from './payload-schema.ts';
import { branchCostSchema, profileSchema } from './profile.ts';
import { analyzedRecordingSchema, trafficSchema } from './recorded/traffic.ts';
import { shapeSchema } from './shape.ts';
import { adviceSchema, lossSchema, outcomeSchema, trialSchema } from './trial.ts';

export type Machine = z.infer<typeof machineSchema>;
export const machineSchema = z.object({
  os: z.string(),
  arch: z.string(),
  cpu: z.string(),
  cores: z.number(),
  memoryBytes: z.number(),
});

export type RunError = z.infer<typeof runErrorSchema>;
export const runErrorSchema = z
  .object({ code: z.string(), message: z.string(), path: z.exactOptional(z.string()) })
  .meta({ id: 'RunError' });

export type Via = z.infer<typeof viaSchema>;
export const viaSchema = z
  .object({
    library: z.enum(LIBRARIES),
    path: z.string().describe('Where the payload is in the message.'),
    transfers: z.boolean().describe('False where the library takes no transfer list.'),
    shape: shapeSchema.nullable().describe('Of the payload; that of the run is of the message.'),
  })
  .describe(
    'The library in whose envelope it was posted: shape, verdict and findings are of its message; trials, advice and branches of the payload.',
  );

export type OtherChannel = z.infer<typeof otherChannelSchema>;
export const otherChannelSchema = z
  .object({
    channel: channelSchema,
    ratio: ratioSchema.nullable().describe('Time over it, of the same rounds; null where it was not timed.'),
    outcome: outcomeSchema.describe('refused: a message would be refused there.'),
    kept: z.array(channelChangeSchema).describe('What arrives there as it is, and over this one does not.'),
    lost: z
      .array(channelChangeSchema)
      .describe('What does not arrive there as it is, and over this one does.'),
  })
  .meta({
    id: 'OtherChannel',
    description: 'Between processes: the payload with the other serialization, timed in turns with it.',
  });

export type BuiltLater = z.infer<typeof builtLaterSchema>;
export const builtLaterSchema = z
  .object({
    path: z.string().describe('Where it is stored otherwise.'),
    ratio: ratioSchema
      .nullable()
      .describe(
        'Its time over that of one which was built before, of the same rounds; null where it was not timed.',
      ),
    outcome: outcomeSchema,
  })
  .meta({
    id: 'BuiltLater',
    description:
      'V8: a thread that has received such a message stores what the factory builds after it otherwise. All else is about values that were built before.',
  });

export type Run = z.infer<typeof runSchema>;
export const runSchema = z
  .object({
    runtime: runtimeIdSchema,
    channel: channelSchema,
    via: z.exactOptional(viaSchema),
    status: z.enum(['measured', 'classified', 'failed']),
    error: runErrorSchema.nullable().describe('Why it failed, or was classified only.'),
    shape: shapeSchema.nullable(),
    verdict: verdictSchema.nullable(),
    bare: z.exactOptional(
      z
        .object({ class: costClassSchema, path: pathNameSchema })
        .describe("Of a recorded message in a library's envelope: the verdict of its value alone."),
    ),
    findings: z.array(findingSchema),
    losses: z.exactOptional(
      z.array(lossSchema).describe('What a real post over the channel lost and no rule tells.'),
    ),
    bytes: z.exactOptional(postBytesSchema.describe('Absent where the post is refused, or failed.')),
    readBackNs: z.exactOptional(
      z.number().describe('Of a page: what building the payload spends in reading canvases back.'),
    ),
    wireBytes: z.number().nullable().describe('The same as `bytes.copied`, by the name of earlier versions.'),
    measurement: measurementSchema.nullable(),
    schema: z.exactOptional(
      payloadSchemaSchema
        .nullable()
        .describe('From which codecs are compiled; null where it has too many kinds of records.'),
    ),
    trials: z.array(trialSchema),
    advice: adviceSchema.nullable(),
    otherChannel: z.exactOptional(otherChannelSchema),
    builtLater: z.exactOptional(builtLaterSchema),
    noise: z.exactOptional(runNoiseSchema),
    profile: z.exactOptional(profileSchema),
    byPath: z.exactOptional(
      z.array(branchCostSchema).describe('The heaviest branches, the one that costs most first.'),
    ),
  })
  .meta({ id: 'Run', description: 'One payload on one runtime over one channel.' });

export type PayloadReport = z.infer<typeof payloadSchema>;
export const payloadSchema = z
  .object({
    id: z.string(),
    source: z.object({
      file: z.string(),
      export: z.string().nullable(),
      line: z.exactOptional(z.number().describe('Of an NDJSON file: the line that represents its group.')),
    }),
    error: runErrorSchema
      .nullable()
      .describe('Set when the payload could not be loaded; runs is empty then.'),
    stands: z.exactOptional(z.number().describe('Number of messages of the input that it represents.')),
    traffic: z.exactOptional(trafficSchema),
    runs: z.array(runSchema),
  })
  .meta({ id: 'Payload' });

export type Report = z.infer<typeof reportSchema>;
export const reportSchema = z
  .object({
    schema: z.literal(REPORT_SCHEMA),
    tool: z.object({ version: z.string() }),
    machine: machineSchema,
    seed: z.number(),
    date: z.exactOptional(z.string().describe('Day of the run, UTC: "2026-01-31".')),
    recordings: z.exactOptional(z.array(analyzedRecordingSchema)),
    payloads: z.array(payloadSchema),
  })
  .meta({ title: 'clone-prof report', description: 'What clone-prof analyze --format json prints.' });
