/**
 * Files that a recorded thread writes: `<pid>-<thread>.ndjson`, a record per line, appended when things are first seen,
 * and `<pid>-<thread>.cnt`, counters that are overwritten in place. A killed program leaves everything up to its last
 * write of each. The host reads them as untrusted input.
 */

import { RUNTIME_NAMES, SERIALIZATIONS } from '../../names.ts';
import { PAGE_KINDS, POSTING_APIS } from '../../recording/recording.ts';
import * as s from '../../schema.ts';
import { frameSchema, name, refusedSchema, siteSchema, transferSchema } from './recording.ts';
import { valueTreeSchema } from './value-tree.ts';

const text = s.string();

/** Share of a message that equals the previous message of the same counter and group. */
export type ChangesSeen = s.TypeOf<typeof changesSeenSchema>;
export const changesSeenSchema = s.object({
  equal: s.share('Share of its bytes, about.'),
  paths: s.described(
    s.list(text.check(s.maxLength(1000))).check(s.maxLength(8)),
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
      text,
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
    program: s.described(text, 'Name of the program, without its folder; "worker".'),
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
  gap: s.object({ record: s.literal('gap'), what: text }),
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
