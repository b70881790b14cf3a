/** Fields that a recording adds to a report: the recorded program, and how the messages of each site were posted. */
import * as s from '../../schema.ts';
import { TRAFFIC_RULES } from '../../vocabulary/traffic.ts';
import { recordedMessagesSchema, recordingHeaderSchema, timesSchema, totalSchema } from './recording.ts';

export type TrafficCost = s.TypeOf<typeof costSchema>;
export const costSchema = s.named('TrafficCost', {
  perMessageNs: s.number('What one message costs both threads.'),
  totalMs: s.number(),
  share: s.number(
    'Of the costs of the same kind: of all sites measured here, or of the time that all recorded calls took.',
  ),
  of: s.oneOf(
    ['measured', 'send'],
    'Measured here, or how long the recorded calls took, which leaves the receiver out.',
  ),
});

export type TrafficFinding = s.TypeOf<typeof findingSchema>;
export const findingSchema = s.named('TrafficFinding', {
  rule: s.oneOf(TRAFFIC_RULES),
  count: s.number('Messages, buffers or calls, by the rule.'),
  of: s.nullable(s.number()),
  bytes: s.nullable(s.number(), 'Of all messages of the site, scaled from those looked at.'),
  ns: s.nullable(s.number(), 'The longest call; of slow-calls all calls together.'),
  hereNs: s.optional(s.number('Of slow-calls: what as many calls take here.')),
  equal: s.optional(s.number('Of mostly-same: share of a message that is in the one before.')),
  share: s.optional(
    s.number('Of advanced-faster and json-faster: time with the other serialization over that now.'),
  ),
  paths: s.optional(s.list(s.string(), 'Of mostly-same: what differed most often.')),
  savesMs: s.nullable(s.number(), 'What following the advice would save.'),
});

export type TrafficValues = s.TypeOf<typeof valuesSchema>;
export const valuesSchema = s.object('Where the payload comes from that stands for the messages.', {
  from: s.oneOf(
    ['made-up', 'sample', 'masked-sample'],
    'A message whose values are all made up, as it was, or with other texts.',
  ),
  seed: s.number('Of texts that are made up.'),
  differences: s.list(s.string(), 'What the payload has other than the messages had, a sentence each.'),
});

export type Traffic = s.TypeOf<typeof trafficSchema>;
export const trafficSchema = s.named('Traffic', 'How the messages of a recorded site were posted.', {
  ...s.omit(recordedMessagesSchema, { sample: true }).shape,
  cost: s.nullable(costSchema, 'Null if nothing was timed.'),
  lint: s.list(findingSchema),
  values: s.nullable(valuesSchema, 'Null if no message could be looked at.'),
});

export type AnalyzedRecording = s.TypeOf<typeof analyzedRecordingSchema>;
export const analyzedRecordingSchema = s.named('AnalyzedRecording', 'A recording among the inputs.', {
  ...recordingHeaderSchema.shape,
  schema: s.string('Of the recording: older reports have older ones.'),
  file: s.string('As the user named it; its payloads have it as source.file.'),
  messages: s.number(),
  bytes: s.nullable(totalSchema, 'Of the sites with a known size.'),
  sized: s.number('Messages of those sites.'),
  times: s.optional(s.described(timesSchema, 'When they were posted, all sites together.')),
  left: s.object('Sites that are not among the payloads: too cheap, or not asked for.', {
    groups: s.number(),
    messages: s.number(),
    share: s.number('Of the time that all recorded calls took.'),
  }),
});
