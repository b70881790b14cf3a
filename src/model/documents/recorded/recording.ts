/**
 * A recording: what a program posted, grouped by site and shape. On disk NDJSON: the header, then one line for each group.
 * No value, no text and no map-like key of the program's is in it, unless it was recorded with values.
 */
import * as z from 'zod';
import { RECORDING_SCHEMA } from '../../document-ids.ts';
import { LIBRARIES, SERIALIZATIONS } from '../../names.ts';
import { POSTING_APIS } from '../../recording/recording.ts';
import { runtimeIdSchema } from '../names.ts';
import { shapeSchema } from '../shape.ts';
import { amount, frameSchema, name, siteSchema, whole } from './call-site.ts';
import { valueTreeSchema } from './value-tree.ts';

export type Gap = z.infer<typeof gapSchema>;
export const gapSchema = z
  .object({ what: name.describe('One sentence: "a worker with an environment of its own".'), count: whole })
  .meta({ id: 'Gap', description: 'What could not be seen, or is not sure.' });

export const refusedSchema = z.object({
  path: name.describe('Without keys that are data.'),
  what: name.describe('In words: "a function", "a Promise".'),
});

export type RefusedValue = z.infer<typeof refusedSchema>;

/** In the program: with its path as it is there, keys that are data too. */
export type FoundValue = RefusedValue & { whole: string };

export type ThrownPosts = z.infer<typeof thrownPostsSchema>;
export const thrownPostsSchema = z
  .object({
    site: siteSchema,
    api: z.enum(POSTING_APIS),
    from: name,
    to: name.nullable(),
    count: whole,
    posts: whole.describe('All of this site, those that threw too.'),
    error: name.describe('Name of the error, or its code: "DataCloneError", "ERR_IPC_CHANNEL_CLOSED".'),
    refused: refusedSchema
      .nullable()
      .describe('The first value that cannot be cloned; null where none was found.'),
    stack: z.array(frameSchema).describe('Of the first of them, innermost first.'),
  })
  .meta({ id: 'ThrownPosts', description: 'Posts of one site that threw the same error: nobody got them.' });

export type UnreadMessages = z.infer<typeof unreadMessagesSchema>;
export const unreadMessagesSchema = z.object({ thread: name, count: whole }).meta({
  id: 'UnreadMessages',
  description: 'Messages that arrived in a thread and could not be read there: events `messageerror`.',
});

export type RecordingHeader = z.infer<typeof recordingHeaderSchema>;
export const recordingHeaderSchema = z
  .object({
    schema: z.literal(RECORDING_SCHEMA),
    tool: z.object({ version: name }),
    runtime: runtimeIdSchema
      .nullable()
      .describe('Of the first process; null when nothing of it was reached.'),
    command: z.array(z.string()).describe('Program and arguments, or the address of a page.'),
    processes: whole,
    threads: whole.describe('In all processes, main threads included.'),
    elapsedMs: amount,
    overheadMs: amount.describe('What recording itself took in all threads.'),
    exit: z
      .object({ code: z.int().nullable(), signal: name.nullable() })
      .nullable()
      .describe('How the program ended; null where it was not waited for.'),
    values: z.enum(['none', 'masked', 'kept']),
    gaps: z.array(gapSchema),
    thrown: z.exactOptional(z.array(thrownPostsSchema).describe('The most frequent first.')),
    unread: z.exactOptional(z.array(unreadMessagesSchema)),
  })
  .meta({ id: 'RecordingHeader', description: 'The first line of a recording.' });

export type Total = z.infer<typeof totalSchema>;
export const totalSchema = z
  .object({ total: amount, ci: z.tuple([amount, amount]), max: amount })
  .meta({ id: 'Total', description: 'A sum that is known, or an estimate with its 95 % interval.' });

export type TransferLint = z.infer<typeof transferSchema>;
export const transferSchema = z
  .object({
    listed: whole.describe('Entries of the transfer lists of the messages that were looked at.'),
    possible: whole.describe('Buffers that could have been listed and were copied.'),
    possibleBytes: amount,
    useless: whole.describe('Listed, but nowhere in the message.'),
    hiddenBytes: amount.describe('Copied bytes that no view of the message shows.'),
    pooled: whole.describe("Views on Node's buffer pool."),
  })
  .meta({ id: 'TransferLint' });

export const timesSchema = z
  .object({ stepMs: amount, counts: z.array(whole) })
  .meta({ id: 'Times', description: 'Counts for equal steps from the start of the recording on.' });

export type Changes = z.infer<typeof changesSchema>;
export const changesSchema = z
  .object({
    compared: whole.describe('Messages that were compared with the one posted just before.'),
    equal: z.number().min(0).max(1).describe('Share of their bytes that was equal, about.'),
    paths: z
      .array(z.object({ path: name, count: whole }))
      .max(8)
      .describe('Patterns of what differed most often, without keys that are data.'),
  })
  .meta({ id: 'Changes', description: 'How much of a message was in the one before.' });

export type RecordedMessages = z.infer<typeof recordedMessagesSchema>;
export const recordedMessagesSchema = z
  .object({
    site: siteSchema,
    api: z.enum(POSTING_APIS),
    runtime: z.exactOptional(
      runtimeIdSchema.describe("Of the process that posts, where it is not the header's."),
    ),
    from: name.describe(
      '"main", "worker src/resize.js", "child build.js": the same for all threads of one file.',
    ),
    to: name.nullable(),
    serialization: z.exactOptional(
      z
        .enum(SERIALIZATIONS)
        .nullable()
        .describe('Between processes: how they are written; null where it is not known. Absent elsewhere.'),
    ),
    threads: whole.describe('That posted.'),
    count: whole,
    received: whole.nullable().describe('null where the receiver is not known.'),
    estimated: z
      .boolean()
      .describe('The counts may be too low: a process was killed, or ended between two writes.'),
    bytes: totalSchema.nullable().describe('Serialized size; null where no message could be sized.'),
    send: z
      .object({ timed: whole, median: amount, max: amount, total: amount, long: whole })
      .nullable()
      .describe('How long the call took, ns. `long`: calls of more than a frame of 60 Hz, of those timed.'),
    queue: z
      .object({ max: whole, last: whole })
      .nullable()
      .describe('Messages sent and not yet received, over time; null where the receiver is not known.'),
    shape: shapeSchema.nullable().describe('Of a typical message that was looked at.'),
    typicalBytes: z.exactOptional(
      whole
        .nullable()
        .describe('Serialized size of the message whose shape it is; null where it was not sized.'),
    ),
    looked: whole.describe('How many messages were described, sized or timed.'),
    envelope: z
      .object({ library: z.enum(LIBRARIES), direction: z.enum(['request', 'reply']) })
      .nullable()
      .describe('The worker library whose envelope the messages are, and the direction.'),
    transfer: transferSchema,
    repeats: z
      .object({ sameObject: whole, sameContent: whole })
      .describe('The same object as the one before at this site; of those looked at: with the same content.'),
    changes: z.exactOptional(changesSchema),
    times: timesSchema,
    sample: valueTreeSchema.nullable().describe('A message as it was, where values were kept.'),
  })
  .meta({ id: 'RecordedMessages', description: 'The messages of one site with one shape.' });

export interface Recording {
  header: RecordingHeader;
  messages: RecordedMessages[];
}
