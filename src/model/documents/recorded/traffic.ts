/** What a recording adds to a report: the program that was recorded, and how the messages of each site were posted. */
import * as z from 'zod';
import { TRAFFIC_RULES } from '../../vocabulary/traffic.ts';
import { recordedMessagesSchema, recordingHeaderSchema, timesSchema, totalSchema } from './recording.ts';

export type TrafficCost = z.infer<typeof costSchema>;
export const costSchema = z
  .object({
    perMessageNs: z.number().describe('What one message costs both threads.'),
    totalMs: z.number(),
    share: z
      .number()
      .describe(
        'Of the costs of the same kind: of all sites measured here, or of the time that all recorded calls took.',
      ),
    of: z
      .enum(['measured', 'send'])
      .describe('Measured here, or how long the recorded calls took, which leaves the receiver out.'),
  })
  .meta({ id: 'TrafficCost' });

export type TrafficFinding = z.infer<typeof findingSchema>;
export const findingSchema = z
  .object({
    rule: z.enum(TRAFFIC_RULES),
    count: z.number().describe('Messages, buffers or calls, by the rule.'),
    of: z.number().nullable(),
    bytes: z.number().nullable().describe('Of all messages of the site, scaled from those looked at.'),
    ns: z.number().nullable().describe('The longest call; of slow-calls all calls together.'),
    hereNs: z.exactOptional(z.number().describe('Of slow-calls: what as many calls take here.')),
    equal: z.exactOptional(
      z.number().describe('Of mostly-same: share of a message that is in the one before.'),
    ),
    share: z.exactOptional(
      z
        .number()
        .describe('Of advanced-faster and json-faster: time with the other serialization over that now.'),
    ),
    paths: z.exactOptional(z.array(z.string()).describe('Of mostly-same: what differed most often.')),
    savesMs: z.number().nullable().describe('What following the advice would save.'),
  })
  .meta({ id: 'TrafficFinding' });

export type TrafficValues = z.infer<typeof valuesSchema>;
export const valuesSchema = z
  .object({
    from: z.enum(['shape', 'sample', 'masked-sample']),
    seed: z.number().describe('Of synthesised values.'),
    differences: z
      .array(z.string())
      .describe('What the payload has other than the messages had, a sentence each.'),
  })
  .describe('Where the payload comes from that stands for the messages.');

export type Traffic = z.infer<typeof trafficSchema>;
export const trafficSchema = recordedMessagesSchema
  .omit({ shape: true, sample: true })
  .extend({
    cost: costSchema.nullable().describe('Null where nothing was timed.'),
    lint: z.array(findingSchema),
    values: valuesSchema.nullable().describe('Null where no message could be looked at.'),
  })
  .meta({ id: 'Traffic', description: 'How the messages of a recorded site were posted.' });

export type AnalyzedRecording = z.infer<typeof analyzedRecordingSchema>;
export const analyzedRecordingSchema = recordingHeaderSchema
  .extend({
    file: z.string().describe('As the user named it; its payloads have it as source.file.'),
    messages: z.number(),
    bytes: totalSchema.nullable().describe('Of the sites with a known size.'),
    sized: z.number().describe('Messages of those sites.'),
    times: z.exactOptional(timesSchema.describe('When they were posted, all sites together.')),
    left: z
      .object({
        groups: z.number(),
        messages: z.number(),
        share: z.number().describe('Of the time that all recorded calls took.'),
      })
      .describe('Sites that are not among the payloads: too cheap, or not asked for.'),
  })
  .meta({ id: 'AnalyzedRecording', description: 'A recording among the inputs.' });
