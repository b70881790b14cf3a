/** The facts that a check compares with. */
import * as z from 'zod';
import { BASELINE_SCHEMA } from '../document-ids.ts';
import { LIMIT_LEVELS, LIMITS, NEW_POLICIES, UNDECIDED_POLICIES } from '../gate/limits.ts';
import { CHANNELS, COST_CLASSES, LIBRARIES, SENDERS } from '../names.ts';
import { pathNameSchema } from './names.ts';

const placesSchema = z.array(z.object({ rule: z.string(), path: z.string() }));

export type BaselineFacts = z.infer<typeof factsSchema>;
export const factsSchema = z
  .object({
    path: pathNameSchema,
    class: z.enum(COST_CLASSES),
    blockers: placesSchema,
    bytes: z.number().nullable().describe('On the wire where the engine tells, else of the JSON text.'),
    nodes: z.number(),
    depth: z.number(),
    losses: placesSchema,
    heaviest: z
      .record(z.string(), z.number())
      .describe('Bytes at the patterns that hold most: where a payload grew.'),
  })
  .describe('Of one payload on one runtime, the same on every machine. Never milliseconds.');

export type BaselineSample = z.infer<typeof sampleSchema>;
export const sampleSchema = z.object({
  json: z.unknown(),
  masked: z.exactOptional(z.literal(true).describe('Its texts were replaced by others of the same sizes.')),
  notFor: z.exactOptional(
    z
      .array(z.string())
      .describe(
        'Runtimes (keys) where a value parsed from it takes another path than the payload: JSON keeps no hidden state.',
      ),
  ),
});

export type BaselinePayload = z.infer<typeof payloadSchema>;
export const payloadSchema = z.object({
  runtimes: z
    .record(z.string(), factsSchema)
    .describe(
      'By spec as in the config ("bun@1.4"), the channel added where it is not a worker ("node ipc-json").',
    ),
  sample: z.exactOptional(
    sampleSchema
      .nullable()
      .describe(
        'With --samples: the payload itself, which limits on time and memory need. Not where JSON cannot hold it.',
      ),
  ),
});

export const limitSchema = z.object({
  level: z.enum(LIMIT_LEVELS),
  value: z.union([z.enum(COST_CLASSES), z.number(), z.literal(true)]),
  against: z.exactOptional(z.literal('baseline')),
  text: z.string(),
});

export type Demand = z.infer<typeof demandSchema>;
export const demandSchema = z
  .object({
    name: z.string().describe('Id of the entry, or name of its file.'),
    file: z.string().describe('File or glob, from the folder of the config.'),
    export: z.string().nullable(),
    as: z.enum(['text', 'bytes', 'json']).nullable(),
    runtimes: z.array(z.string()),
    channels: z.array(z.enum(CHANNELS)),
    sender: z.exactOptional(z.enum(SENDERS)),
    via: z.enum(LIBRARIES).nullable(),
    transfer: z.array(z.string()),
    remedies: z.array(z.string()),
    codec: z.exactOptional(z.string()),
    limits: z.partialRecord(z.enum(LIMITS), limitSchema),
  })
  .describe('What an entry of the config demands, presets resolved.');

export type Demands = z.infer<typeof demandsSchema>;
export const demandsSchema = z
  .object({
    new: z.enum(NEW_POLICIES),
    undecided: z.enum(UNDECIDED_POLICIES),
    payloads: z.array(demandSchema),
  })
  .describe('What was checked when the facts were accepted: a config that demands less fails.');

export type Baseline = z.infer<typeof baselineSchema>;
export const baselineSchema = z.object({
  schema: z.literal(BASELINE_SCHEMA),
  payloads: z.record(z.string(), payloadSchema),
  demands: z.exactOptional(demandsSchema),
});
