import * as z from 'zod';
import { NEW_POLICIES, UNDECIDED_POLICIES } from '../../model/gate/limits.ts';
import { CHANNELS, LIBRARIES, SENDERS } from '../../model/names.ts';
import { expecting, knownObject } from './issues.ts';
import { limitsSchema, PRESET_NAMES } from './limits.ts';

const text = (what: string) => z.string(expecting(what)).min(1, expecting(what));

const runtimesSchema = z
  .array(
    text('a runtime, for example "bun@1.4"'),
    expecting('a list of runtimes, for example ["node", "bun@1.4"]'),
  )
  .min(1, expecting('at least one runtime, for example ["node"]'))
  .meta({ description: 'Runtimes to check on: node, bun@1.4, deno, a path to a binary.' });

const channelsSchema = z
  .array(
    // Earlier versions had one channel between processes.
    z
      .enum([...CHANNELS, 'ipc'], expecting(`one of ${CHANNELS.join(', ')}`))
      .transform((name) => (name === 'ipc' ? 'ipc-advanced' : name)),
    expecting('a list of channels, for example ["worker"]'),
  )
  .min(1, expecting('at least one channel, for example ["worker"]'))
  .meta({ description: 'How the payload travels.' });

const senderSchema = z.enum(SENDERS, expecting('"main" or "worker"')).meta({
  description: 'The thread of a browser page that posts while time and memory are measured.',
});

const REWRITE = 'a module with apply and restore, or a serializer, for example "./codec.mjs"';

const remediesSchema = z
  .array(text(REWRITE), expecting('a list of rewrites, for example ["./codec.mjs"]'))
  .meta({ description: 'Rewrites that must give back an equal payload: modules, or names of serializers.' });

const PAYLOAD = 'a file, or an object such as { "input": "fixtures/rows.json" }';

const payloadSchema = knownObject(
  {
    id: text('a name, for example "rows"').optional().meta({ description: 'Name in reports and baseline.' }),
    input: text('a file or a glob, for example "fixtures/rows.json"').meta({
      description: 'File or glob, from the folder of the config.',
    }),
    export: text('the name of an export, for example "rows"').optional(),
    as: z.enum(['text', 'bytes', 'json'], expecting('"text", "bytes" or "json"')).optional(),
    runtimes: runtimesSchema.optional(),
    channels: channelsSchema.optional(),
    sender: senderSchema.optional(),
    via: z
      .enum(LIBRARIES, expecting(`null or one of ${LIBRARIES.join(', ')}`))
      .nullish()
      .meta({ description: 'Library whose envelope goes around the payload.' }),
    transfer: z
      .array(
        text('a path, for example "$.tile.pixels"').regex(/^\$/, expecting('a path that begins with $')),
        expecting('a list of paths, for example ["$.tile.pixels"]'),
      )
      .optional()
      .meta({ description: 'Paths of the buffers that the program puts on the transfer list.' }),
    remedies: remediesSchema.optional(),
    codec: text('the file of a codec, for example "src/rows.codec.ts"').optional().meta({
      description: 'Compiled codec that must fit the payload: a module that `clone-prof codec` wrote.',
    }),
    limits: limitsSchema.optional(),
  },
  PAYLOAD,
).meta({ id: 'Payload' });

export const configSchema = knownObject(
  {
    $schema: z.string().optional(),
    extends: z.enum(PRESET_NAMES, expecting('"recommended" or "strict"')).optional(),
    baseline: text('a file, for example "clone-prof.baseline.json"').optional(),
    fixtures: text('a folder, for example "fixtures/recorded"').optional().meta({
      description: 'Folder of the payloads that `baseline` makes from recordings.',
    }),
    new: z.enum(NEW_POLICIES, expecting('"error" or "ok"')).optional().meta({
      description: 'Payloads that the baseline does not hold: an error (the default), or a warning.',
    }),
    undecided: z.enum(UNDECIDED_POLICIES, expecting('"error" or "warn"')).optional().meta({
      description: 'Measured limits that stay undecided: exit code 3 (the default), or a warning.',
    }),
    runtimes: runtimesSchema.optional(),
    channels: channelsSchema.optional(),
    sender: senderSchema.optional(),
    limits: limitsSchema.optional().meta({ description: 'Limits of all payloads.' }),
    payloads: z
      .array(
        z.union([z.string().min(1), payloadSchema], expecting(PAYLOAD)),
        expecting('a list of payloads, for example ["fixtures/rows.json"]'),
      )
      .optional(),
    remedies: remediesSchema.optional(),
  },
  'an object, for example { "payloads": ["fixtures/rows.json"] }',
).meta({
  title: 'clone-prof config',
  description: 'clone-prof.config.{js,mjs,ts,json}, or the "clone-prof" key of package.json.',
});
