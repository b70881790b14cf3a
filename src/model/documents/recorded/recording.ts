/**
 * A recording: messages that a program posted, grouped by site, class and order of magnitude. On disk NDJSON: the
 * header, then one line for each group. Unless recorded with values, it holds no text, number or map-like key. At the
 * end: the files of threads that it is made of.
 */

import { LIBRARIES, RECORDING_SCHEMA, RUNTIME_NAMES, SERIALIZATIONS } from '../../names.ts';
import { KEPT_VALUES, PAGE_KINDS, POSTING_APIS } from '../../recording/recording.ts';
import * as s from '../../schema.ts';
import { runtimeIdSchema } from '../names.ts';
import { valueTreeSchema } from './value-tree.ts';

const name = s.string().check(s.maxLength(4096));

export type Frame = s.TypeOf<typeof frameSchema>;
export const frameSchema = s.named(
  'Frame',
  'A place in the source of a program, from line 1 on, by its source map.',
  {
    file: s.described(name, 'Relative to the folder of the command where it is below it.'),
    line: s.whole(),
    column: s.whole(),
    name: s.nullable(name, 'Of the function, where it has one.'),
  },
);

export type Site = s.TypeOf<typeof siteSchema>;
export const siteSchema = s.named('Site', {
  user: s.nullable(
    frameSchema,
    "First frame of the program's own; null where a library posts from its queue.",
  ),
  library: s.nullable(
    s.object({ name, version: s.nullable(name), frame: frameSchema }),
    'The package that posts: first frame below node_modules.',
  ),
});

export type Gap = s.TypeOf<typeof gapSchema>;
export const gapSchema = s.named('Gap', 'What could not be seen, or is not sure.', {
  what: s.described(name, 'One sentence: "a worker with an environment of its own".'),
  count: s.whole(),
});

const refusedSchema = s.object({
  path: s.described(name, 'Without keys that are data.'),
  what: s.described(name, 'In words: "a function", "a Promise".'),
});

/** A refused value while the program runs: `whole` is its full path, including keys that are data. */
export type FoundValue = s.TypeOf<typeof refusedSchema> & { whole: string };

export type ThrownPosts = s.TypeOf<typeof thrownPostsSchema>;
export const thrownPostsSchema = s.named(
  'ThrownPosts',
  'Posts of one site that threw the same error: nobody got them.',
  {
    site: siteSchema,
    api: s.oneOf(POSTING_APIS),
    from: name,
    to: s.nullable(name),
    count: s.whole(),
    posts: s.whole('All of this site, those that threw too.'),
    error: s.described(name, 'Name of the error, or its code: "DataCloneError", "ERR_IPC_CHANNEL_CLOSED".'),
    refused: s.nullable(refusedSchema, 'The first value that cannot be cloned; null if none was found.'),
    stack: s.list(frameSchema, 'Of the first of them, innermost first.'),
  },
);

export const unreadMessagesSchema = s.named(
  'UnreadMessages',
  'Messages that arrived in a thread and could not be read there: events `messageerror`.',
  { thread: name, count: s.whole() },
);

export type RecordingHeader = s.TypeOf<typeof recordingHeaderSchema>;
export const recordingHeaderSchema = s.named('RecordingHeader', 'The first line of a recording.', {
  schema: s.literal(RECORDING_SCHEMA),
  tool: s.object({ version: name }),
  runtime: s.nullable(runtimeIdSchema, 'Of the first process; null when nothing of it was reached.'),
  command: s.list(s.string(), 'Program and arguments, or the address of a page.'),
  processes: s.whole(),
  threads: s.whole('In all processes, main threads included.'),
  elapsedMs: s.amount(),
  overheadMs: s.amount('What recording itself took in all threads.'),
  exit: s.nullable(
    s.object({ code: s.nullable(s.integer()), signal: s.nullable(name) }),
    'How the program ended; null if it was not waited for.',
  ),
  values: s.oneOf(KEPT_VALUES),
  gaps: s.list(gapSchema),
  thrown: s.optional(s.list(thrownPostsSchema, 'The most frequent first.')),
  unread: s.optional(s.list(unreadMessagesSchema)),
});

export type Total = s.TypeOf<typeof totalSchema>;
export const totalSchema = s.named('Total', 'A sum that is known, or an estimate with its 95 % interval.', {
  total: s.amount(),
  ci: s.tuple([s.amount(), s.amount()]),
  max: s.amount(),
});

export type TransferLint = s.TypeOf<typeof transferSchema>;
export const transferSchema = s.named('TransferLint', {
  messages: s.whole('That were looked into: what follows is of them.'),
  listed: s.whole('Entries of their transfer lists.'),
  possible: s.whole('Buffers that could have been listed and were copied.'),
  possibleBytes: s.amount(),
  useless: s.whole('Listed, but nowhere in the message.'),
  hiddenBytes: s.amount('Copied bytes that no view of the message shows.'),
  pooled: s.whole("Views on Node's buffer pool."),
});

export const timesSchema = s.named('Times', 'Counts for equal steps from the start of the recording on.', {
  stepMs: s.amount(),
  counts: s.list(s.whole()),
});

export type Changes = s.TypeOf<typeof changesSchema>;
export const changesSchema = s.named('Changes', 'How much of a message was in the one before.', {
  compared: s.whole('Messages that were compared with the one posted just before.'),
  same: s.whole('Of these, those in which nothing had changed.'),
  equal: s.share('Share of their bytes that was equal, about.'),
  paths: s.described(
    s.list(s.object({ path: name, count: s.whole() })).check(s.maxLength(8)),
    'Patterns of what differed most often, without keys that are data.',
  ),
});

export type RecordedMessages = s.TypeOf<typeof recordedMessagesSchema>;
export const recordedMessagesSchema = s.named(
  'RecordedMessages',
  'Messages of one site and class, and of sizes that are not far apart.',
  {
    site: siteSchema,
    api: s.oneOf(POSTING_APIS),
    runtime: s.optional(
      s.described(runtimeIdSchema, "Of the process that posts, where it is not the header's."),
    ),
    from: s.described(
      name,
      '"main", "worker src/resize.js", "child build.js": the same for all threads of one file.',
    ),
    to: s.nullable(name),
    serialization: s.optional(
      s.nullable(
        s.oneOf(SERIALIZATIONS),
        'Between processes: how they are written; null if it is not known. Absent elsewhere.',
      ),
    ),
    threads: s.whole('That posted.'),
    receivers: s.optional(s.whole('Threads of the name `to`; absent where none was recorded.')),
    count: s.whole(),
    received: s.nullable(s.whole(), 'null if the receiver is not known.'),
    estimated: s.boolean('The counts may be too low: a process was killed, or ended between two writes.'),
    bytes: s.nullable(totalSchema, 'Serialized size; null if no message could be sized.'),
    send: s.nullable(
      s.object({ timed: s.whole(), median: s.amount(), max: s.amount(), total: s.amount(), long: s.whole() }),
      'How long the call took, ns. `long`: calls of more than a frame of 60 Hz, of those timed.',
    ),
    queue: s.nullable(
      s.object({ max: s.whole(), last: s.whole() }),
      'Messages sent and not yet received, over time; null if the receiver is not known.',
    ),
    typicalBytes: s.optional(
      s.nullable(s.whole(), 'Serialized size of the sample; null if that is not known, or only about.'),
    ),
    looked: s.whole('How many messages were described, sized or timed.'),
    envelope: s.nullable(
      s.object({ library: s.oneOf(LIBRARIES), direction: s.oneOf(['request', 'reply']) }),
      'The worker library whose envelope the messages are, and the direction.',
    ),
    transfer: transferSchema,
    sameObject: s.whole('Messages that were the same object as the one before at this site.'),
    changes: s.optional(changesSchema),
    times: timesSchema,
    sample: s.nullable(
      valueTreeSchema,
      'A typical message; with others of the same size in the place of its values, unless they were kept.',
    ),
  },
);

export interface Recording {
  header: RecordingHeader;
  messages: RecordedMessages[];
}

// Files that a recorded thread writes: `<pid>-<thread>.ndjson`, a record per line, appended when things are first seen, and
// `<pid>-<thread>.cnt`, counters that are overwritten in place. A killed program leaves everything up to its last write of
// each. The host reads them as untrusted input.

/** Share of a message that equals the previous message of the same counter and group. */
export type ChangesSeen = s.TypeOf<typeof changesSeenSchema>;
export const changesSeenSchema = s.object({
  equal: s.share('Share of its bytes, about.'),
  paths: s.described(
    s.list(s.string().check(s.maxLength(1000))).check(s.maxLength(8)),
    'Patterns of what differs, without keys that are data.',
  ),
});

const RECORDS = {
  thread: s.object({
    record: s.literal('thread'),
    pid: s.whole(),
    thread: s.whole('0 for the main thread.'),
    parent: s.nullable(
      s.object({ pid: s.whole(), thread: s.whole() }),
      'Thread of the same process that started it; for a child the process that did.',
    ),
    kind: s.optional(
      s.oneOf(PAGE_KINDS, 'What it is in a page, where it is no dedicated worker; absent elsewhere.'),
    ),
    runtime: s.object({ name: s.oneOf(RUNTIME_NAMES), version: name }),
    file: s.nullable(name, 'Entry file; null for code given as text.'),
    at: s.amount('Milliseconds since 1970.'),
  }),
  /** A site with a cheap class of messages, their order of magnitude and a receiver, written at its first message. */
  group: s.object({
    record: s.literal('group'),
    id: s.whole('Counts from 0 in each file.'),
    api: s.oneOf(POSTING_APIS),
    site: siteSchema,
    class: s.described(
      s.string(),
      'Kind, number of keys, first and last key, hashed: equal for messages that are taken to be alike.',
    ),
    sizeClass: s.optional(
      s.whole('Order of magnitude of the extents of these messages: each is eight times the one before.'),
    ),
    to: s.nullable(
      name,
      '"worker" and its file (nothing for text), "process 812", "parent"; null if it is not known.',
    ),
    serialization: s.optional(
      s.oneOf(SERIALIZATIONS, 'Between processes: how it is written, where this end knows it.'),
    ),
    counter: s.whole(
      'Groups of one class and receiver have the same: which site a message came from is known of those that were looked at.',
    ),
  }),
  message: s.object({
    record: s.literal('message'),
    group: s.whole(),
    nth: s.whole('Which message of its counter, from 0.'),
    extent: s.amount('Cheap size that every message has: what the counters sum.'),
    bytes: s.optional(s.whole('Serialized, where the engine was asked at once.')),
    tree: s.optional(s.described(valueTreeSchema, 'Missing if it was not looked into.')),
    transfer: s.optional(transferSchema),
    changes: s.optional(changesSeenSchema),
  }),
  /** Cancels the last written message of the group, because its post threw. */
  cancelled: s.object({ record: s.literal('cancelled'), group: s.whole() }),
  thrown: s.object({
    record: s.literal('thrown'),
    id: s.whole(),
    api: s.oneOf(POSTING_APIS),
    site: siteSchema,
    to: s.nullable(name),
    error: name,
    refused: s.nullable(refusedSchema),
    stack: s.list(frameSchema).check(s.maxLength(100)),
  }),
  throws: s.object({ record: s.literal('throws'), id: s.whole(), count: s.whole() }),
  /** A worker or child that this thread has started. If it did not write files, the recorder did not reach it. */
  child: s.object({
    record: s.literal('child'),
    pid: s.whole(),
    thread: s.whole('0 for a process.'),
    program: s.described(s.string(), 'Name of the program, without its folder; "worker".'),
    serialization: s.optional(
      s.oneOf(SERIALIZATIONS, 'How messages to and from it are written, where there is a channel.'),
    ),
  }),
  /** Messages from a different process that this process received since its start. */
  arrived: s.object({
    record: s.literal('arrived'),
    pid: s.whole('Child that sent them; 0 for the process that started this one.'),
    count: s.whole(),
  }),
  gap: s.object({ record: s.literal('gap'), what: s.string() }),
  /** The thread ended normally; missing after a crash. */
  end: s.object({ record: s.literal('end') }),
};

export type ThreadRecordOf<K extends keyof typeof RECORDS> = s.TypeOf<(typeof RECORDS)[K]>;
export type ThreadRecord = ThreadRecordOf<keyof typeof RECORDS>;
export const threadRecordSchema: s.Schema<ThreadRecord> = s.discriminatedUnion(
  'record',
  Object.values(RECORDS) as unknown as [(typeof RECORDS)['thread']],
);

const tally = s.number().check(s.minimum(-1), s.maximum(Number.MAX_SAFE_INTEGER));

/** Messages of a document or worker of a page to the host: where it is, and all that it has counted. */
export type PageState = s.TypeOf<typeof pageStateSchema>;
export const pageStateSchema = s.object({
  kind: s.optional(s.oneOf(['page', 'iframe'], 'Absent in a worker.')),
  file: s.nullable(name, 'Address of a document or worker, in the form that `addressOf` returns.'),
  at: s.amount('Milliseconds since 1970.'),
  counters: s.list(s.tuple([s.whole(), tally]), 'Those that are not 0: where they stand, and their values.'),
  workers: s.list(
    s.tuple([name, tally, tally]),
    'Workers that it started from one address: the address, messages sent and received.',
  ),
});
