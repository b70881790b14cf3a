/**
 * A recording as zod schemas: they check the lines of a .cprof and make the published JSON Schema. A test compares their
 * types with model/recording.
 */
import { z } from 'zod';
import { LIBRARIES } from '../../model/names.ts';
import { POSTING_APIS, RECORDING_SCHEMA } from '../../model/recording/recording.ts';
import type { ValueTree } from '../../model/recording/value-tree.ts';
import { runtimeIdSchema } from './names.ts';
import { shapeSchema } from './shape.ts';

/** Names of files, functions, packages, threads. */
const name = z.string().max(4096);
const whole = z.int().min(0);
const amount = z.number().min(0);

const gapSchema = z
  .object({ what: name, count: whole })
  .meta({ id: 'Gap', description: 'What could not be seen, or is not sure.' });

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
    exit: z.object({ code: z.int().nullable(), signal: name.nullable() }).nullable(),
    values: z.enum(['none', 'masked', 'kept']),
    gaps: z.array(gapSchema),
  })
  .meta({ id: 'RecordingHeader', description: 'The first line of a recording.' });

const frameSchema = z
  .object({ file: name, line: whole, column: whole, name: name.nullable() })
  .meta({ id: 'Frame', description: 'A place in the source of a program, from line 1 on.' });

const siteSchema = z
  .object({
    user: frameSchema.nullable().describe("First frame of the program's own."),
    library: z
      .object({ name, version: name.nullable(), frame: frameSchema })
      .nullable()
      .describe('The package that posts.'),
  })
  .meta({ id: 'Site' });

export const totalSchema = z
  .object({ total: amount, ci: z.tuple([amount, amount]), max: amount })
  .meta({ id: 'Total', description: 'A sum that is known, or an estimate with its 95 % interval.' });

const transferSchema = z
  .object({
    listed: whole,
    possible: whole,
    possibleBytes: amount,
    useless: whole,
    hiddenBytes: amount,
    pooled: whole,
  })
  .meta({ id: 'TransferLint' });

const pair = <T extends z.ZodType>(one: T) => z.tuple([one, one]);

/** Recursive: lines are refused before when they are nested too deeply. */
const valueTreeSchema: z.ZodType<ValueTree> = z
  .lazy(() => {
    const tree = valueTreeSchema;
    return z.union([
      z.null(),
      z.boolean(),
      z.number(),
      z.string(),
      z.object({ undefined: z.literal(true) }),
      z.object({ number: z.string() }),
      z.object({ bigint: z.string() }),
      z.object({
        object: z.array(z.tuple([z.string(), tree])),
        prototype: z.exactOptional(z.enum(['null', 'other'])),
      }),
      z.object({ array: z.array(tree), holes: z.exactOptional(z.array(whole)) }),
      z.object({ date: z.number().nullable() }),
      z.object({ regexp: pair(z.string()) }),
      z.object({ map: z.array(pair(tree)) }),
      z.object({ set: z.array(tree) }),
      z.object({ error: pair(z.string()) }),
      z.object({ boxed: tree }),
      z.object({ buffer: z.string(), shared: z.exactOptional(z.boolean()) }),
      z.object({ view: z.string(), type: z.string(), backing: whole, offset: whole }),
      z.object({ same: whole }),
      z.object({ left: z.string() }),
    ]);
  })
  .meta({ id: 'ValueTree', description: 'A value as data.' });

export const timesSchema = z
  .object({ stepMs: amount, counts: z.array(whole) })
  .meta({ id: 'Times', description: 'Counts for equal steps from the start of the recording on.' });

export const recordedMessagesSchema = z
  .object({
    site: siteSchema,
    api: z.enum(POSTING_APIS),
    runtime: z.exactOptional(runtimeIdSchema),
    from: name,
    to: name.nullable(),
    threads: whole,
    count: whole,
    received: whole.nullable(),
    estimated: z.boolean(),
    bytes: totalSchema.nullable().describe('Serialized size.'),
    send: z
      .object({ timed: whole, median: amount, max: amount, total: amount, long: whole })
      .nullable()
      .describe('How long the call took, ns.'),
    queue: z.object({ max: whole, last: whole }).nullable(),
    shape: shapeSchema.nullable(),
    looked: whole,
    envelope: z.object({ library: z.enum(LIBRARIES), direction: z.enum(['request', 'reply']) }).nullable(),
    transfer: transferSchema,
    repeats: z.object({ sameObject: whole, sameContent: whole }),
    times: timesSchema,
    sample: valueTreeSchema.nullable(),
  })
  .meta({ id: 'RecordedMessages', description: 'The messages of one site with one shape.' });

/** JSON Schema (draft 2020-12) of one line of a recording. */
export function recordingJsonSchema(): Record<string, unknown> {
  const line = z
    .union([recordingHeaderSchema, recordedMessagesSchema])
    .meta({ title: 'clone-prof recording', description: 'One line of what clone-prof record writes.' });
  return { ...z.toJSONSchema(line, { io: 'input' }) };
}
