/**
 * What a recorded thread writes, into files of its own: `<pid>-<thread>.ndjson`, a record a line, appended as things are first
 * seen, and `<pid>-<thread>.cnt`, counters that are overwritten in place. Both are complete after each write, so that a
 * program that is killed leaves what was written before. The host reads them as untrusted input.
 */
import * as z from 'zod';
import { RUNTIME_NAMES, SERIALIZATIONS } from '../../names.ts';
import { PAGE_KINDS, POSTING_APIS } from '../../recording/recording.ts';
import { shapeSchema } from '../shape.ts';
import { amount, frameSchema, name, siteSchema, whole } from './call-site.ts';
import { refusedSchema, transferSchema } from './recording.ts';
import { valueTreeSchema } from './value-tree.ts';

const text = z.string();

/** First line of each file. */
export type ThreadStarted = z.infer<typeof startedSchema>;
export const startedSchema = z.object({
  record: z.literal('thread'),
  pid: whole,
  thread: whole.describe('0 for the main thread.'),
  parent: z
    .object({ pid: whole, thread: whole })
    .nullable()
    .describe('Thread of the same process that started it; for a child the process that did.'),
  kind: z.exactOptional(
    z.enum(PAGE_KINDS).describe('What it is in a page, where it is no dedicated worker; absent elsewhere.'),
  ),
  runtime: z.object({ name: z.enum(RUNTIME_NAMES), version: name }),
  file: name.nullable().describe('Entry file; null for code given as text.'),
  at: amount.describe('Milliseconds since 1970.'),
});

/** Where messages are posted, when it is first seen. Ids count from 0 in each file. */
export type SiteSeen = z.infer<typeof siteSeenSchema>;
export const siteSeenSchema = z.object({
  record: z.literal('site'),
  id: whole,
  api: z.enum(POSTING_APIS),
  site: siteSchema,
});

/** A site with a cheap class of messages, their order of magnitude and a receiver: what counters are kept of. */
export type GroupSeen = z.infer<typeof groupSeenSchema>;
export const groupSeenSchema = z.object({
  record: z.literal('group'),
  id: whole,
  site: whole,
  class: text.describe(
    'Kind, number of keys, first and last key, hashed: equal for messages that are taken to be of one shape.',
  ),
  sizeClass: z.exactOptional(
    whole.describe('Order of magnitude of the hints of these messages: each is eight times the one before.'),
  ),
  to: name
    .nullable()
    .describe(
      '"worker" and its file (nothing for text), "process 812", "parent"; null where it is not known.',
    ),
  serialization: z.exactOptional(
    z.enum(SERIALIZATIONS).describe('Between processes: how it is written, where this end knows it.'),
  ),
  counter: whole.describe(
    'Groups of one class and receiver have the same: which site a message came from is known of those that were looked at.',
  ),
});

/** How much of a message equals the one before, of the same counter and group. */
export type ChangesSeen = z.infer<typeof changesSeenSchema>;
export const changesSeenSchema = z.object({
  equal: z.number().min(0).max(1).describe('Share of its bytes, about.'),
  paths: z.array(text.max(1000)).max(8).describe('Patterns of what differs, without keys that are data.'),
});

/** A message that was looked at. */
export type MessageSeen = z.infer<typeof messageSeenSchema>;
export const messageSeenSchema = z.object({
  record: z.literal('message'),
  group: whole,
  nth: whole.describe('Which message of its counter, from 0.'),
  hint: amount.describe('Cheap size that every message has: what the counters sum.'),
  bytes: whole.nullable().describe('Serialized; null where it was not sized.'),
  error: z.exactOptional(
    amount.describe(
      'Half width of a 95 % interval, as a share: only parts of it were counted, as it was too large to be serialized once more.',
    ),
  ),
  text: z.exactOptional(
    z
      .object({ bytes: whole, error: z.exactOptional(amount) })
      .describe('The same as JSON text, where this end does not know how it is written.'),
  ),
  shape: z.exactOptional(
    shapeSchema.describe("Missing where it was not described, or is that of the group's message before."),
  ),
  transfer: z.exactOptional(transferSchema),
  content: z.exactOptional(
    text.describe('Hash of the serialized bytes, salted for each recording: equal for equal content.'),
  ),
  changes: z.exactOptional(changesSeenSchema),
  value: z.exactOptional(valueTreeSchema),
});

/** The last message of the group that was written: its post threw. */
const cancelledSchema = z.object({ record: z.literal('cancelled'), group: whole });

/** Posts of one site that threw the same error. */
export type ThrownSeen = z.infer<typeof thrownSeenSchema>;
export const thrownSeenSchema = z.object({
  record: z.literal('thrown'),
  id: whole,
  site: whole,
  to: name.nullable(),
  error: name,
  refused: refusedSchema.nullable(),
  stack: z.array(frameSchema).max(100),
});

/** How often, since the thread started. */
export type ThrowsCounted = z.infer<typeof throwsCountedSchema>;
export const throwsCountedSchema = z.object({ record: z.literal('throws'), id: whole, count: whole });

/** A worker or child that this thread has started: where it wrote no file of its own, it was not reached. */
export type ChildStarted = z.infer<typeof childStartedSchema>;
export const childStartedSchema = z.object({
  record: z.literal('child'),
  pid: whole,
  thread: whole.describe('0 for a process.'),
  program: text.describe('Name of the program, without its folder; "worker".'),
  serialization: z.exactOptional(
    z.enum(SERIALIZATIONS).describe('How messages to and from it are written, where there is a channel.'),
  ),
});

/** What could not be seen, or a failure of the recorder itself. */
export type GapSeen = z.infer<typeof gapSeenSchema>;
export const gapSeenSchema = z.object({ record: z.literal('gap'), what: text });

/** The thread ended as it should; missing after a crash. */
const endedSchema = z.object({ record: z.literal('end') });

export type ThreadRecord = z.infer<typeof threadRecordSchema>;
export const threadRecordSchema = z.discriminatedUnion('record', [
  startedSchema,
  siteSeenSchema,
  groupSeenSchema,
  messageSeenSchema,
  cancelledSchema,
  thrownSeenSchema,
  throwsCountedSchema,
  childStartedSchema,
  gapSeenSchema,
  endedSchema,
]);
