/** The lines that recorded threads write, as zod schemas. A test compares their types with model/recording/thread-file. */
import { z } from 'zod';
import { PROCESS_RUNTIMES } from '../../model/names.ts';
import { POSTING_APIS } from '../../model/recording/recording.ts';
import { PAGE_KINDS } from '../../model/recording/thread-file.ts';
import { amount, name, siteSchema, transferSchema, valueTreeSchema, whole } from './recording.ts';
import { shapeSchema } from './shape.ts';

const text = z.string();

export const threadRecordSchema = z.discriminatedUnion('record', [
  z.object({
    record: z.literal('thread'),
    pid: whole,
    thread: whole,
    parent: z.object({ pid: whole, thread: whole }).nullable(),
    kind: z.exactOptional(z.enum(PAGE_KINDS)),
    runtime: z.object({ name: z.enum([...PROCESS_RUNTIMES, 'chromium']), version: name }),
    file: name.nullable(),
    at: amount,
  }),
  z.object({ record: z.literal('site'), id: whole, api: z.enum(POSTING_APIS), site: siteSchema }),
  z.object({
    record: z.literal('group'),
    id: whole,
    site: whole,
    class: text,
    to: name.nullable(),
    counter: whole,
  }),
  z.object({
    record: z.literal('message'),
    group: whole,
    nth: whole,
    hint: amount,
    bytes: whole.nullable(),
    error: z.exactOptional(amount),
    shape: z.exactOptional(shapeSchema),
    transfer: z.exactOptional(transferSchema),
    content: z.exactOptional(text),
    value: z.exactOptional(valueTreeSchema),
  }),
  z.object({ record: z.literal('child'), pid: whole, thread: whole, program: text }),
  z.object({ record: z.literal('gap'), what: text }),
  z.object({ record: z.literal('end') }),
]);
