import * as z from 'zod/mini';
import { NEW_POLICIES, UNDECIDED_POLICIES } from '../../model/gate/limits.ts';
import { CHANNELS, LIBRARIES, SENDERS } from '../../model/names.ts';
import { described, type Schema } from '../../model/schema.ts';
import { expecting, knownObject, optional } from './issues.ts';
import { limitsSchema, PRESET_NAMES } from './limits.ts';

const text = (what: string) => z.string(expecting(what)).check(z.minLength(1, expecting(what)));
const list = <S extends Schema>(item: S, what: string) => z.array(item, expecting(what));
const fullList = <S extends Schema>(item: S, what: string, atLeast: string) =>
  list(item, what).check(z.minLength(1, expecting(`at least ${atLeast}`)));

const runtimesSchema = described(
  fullList(
    text('a runtime, for example "bun@1.4"'),
    'a list of runtimes, for example ["node", "bun@1.4"]',
    'one runtime, for example ["node"]',
  ),
  'Runtimes to check on: node, bun@1.4, deno, a path to a binary.',
);

/** Earlier versions had one channel between processes. */
const channelSchema = z.pipe(
  z.enum([...CHANNELS, 'ipc'], expecting(`one of ${CHANNELS.join(', ')}`)),
  z.transform((name) => (name === 'ipc' ? 'ipc-advanced' : name)),
);
const channelsSchema = described(
  fullList(
    channelSchema,
    'a list of channels, for example ["worker"]',
    'one channel, for example ["worker"]',
  ),
  'How the payload travels.',
);

const senderSchema = described(
  z.enum(SENDERS, expecting('"main" or "worker"')),
  'The thread of a browser page that posts while time and memory are measured.',
);

const REWRITE = 'a module with apply and restore, or a serializer, for example "./codec.mjs"';

const remediesSchema = described(
  list(text(REWRITE), 'a list of rewrites, for example ["./codec.mjs"]'),
  'Rewrites that must give back an equal payload: modules, or names of serializers.',
);

const PAYLOAD = 'a file, or an object such as { "input": "fixtures/rows.json" }';

const payloadSchema = described(
  knownObject(
    {
      id: optional(text('a name, for example "rows"'), 'Name in reports and baseline.'),
      input: described(
        text('a file or a glob, for example "fixtures/rows.json"'),
        'File or glob, from the folder of the config.',
      ),
      export: optional(text('the name of an export, for example "rows"')),
      as: optional(z.enum(['text', 'bytes', 'json'], expecting('"text", "bytes" or "json"'))),
      runtimes: optional(runtimesSchema),
      channels: optional(channelsSchema),
      sender: optional(senderSchema),
      via: optional(
        z.nullable(z.enum(LIBRARIES, expecting(`null or one of ${LIBRARIES.join(', ')}`))),
        'Library whose envelope goes around the payload.',
      ),
      transfer: optional(
        list(
          text('a path, for example "$.tile.pixels"').check(
            z.regex(/^\$/, expecting('a path that begins with $')),
          ),
          'a list of paths, for example ["$.tile.pixels"]',
        ),
        'Paths of the buffers that the program puts on the transfer list.',
      ),
      remedies: optional(remediesSchema),
      codec: optional(
        text('the file of a codec, for example "src/rows.codec.ts"'),
        'Compiled codec that must fit the payload: a module that `clone-prof codec` wrote.',
      ),
      type: optional(
        text('a type of a TypeScript file, for example "src/types.ts#Rows"'),
        'Type of the payload, which `check --fix-codec` gives to the codec.',
      ),
      limits: optional(limitsSchema),
    },
    PAYLOAD,
  ),
  { id: 'Payload' },
);

export const configSchema = described(
  knownObject(
    {
      $schema: optional(z.string()),
      extends: optional(z.enum(PRESET_NAMES, expecting('"recommended" or "strict"'))),
      baseline: optional(text('a file, for example "clone-prof.baseline.json"')),
      fixtures: optional(
        text('a folder, for example "fixtures/recorded"'),
        'Folder of the payloads that `baseline` makes from recordings.',
      ),
      new: optional(
        z.enum(NEW_POLICIES, expecting('"error" or "ok"')),
        'Payloads that the baseline does not hold: an error (the default), or a warning.',
      ),
      undecided: optional(
        z.enum(UNDECIDED_POLICIES, expecting('"error" or "warn"')),
        'Measured limits that stay undecided: exit code 3 (the default), or a warning.',
      ),
      runtimes: optional(runtimesSchema),
      channels: optional(channelsSchema),
      sender: optional(senderSchema),
      limits: optional(limitsSchema, 'Limits of all payloads.'),
      payloads: optional(
        list(
          z.union([z.string().check(z.minLength(1)), payloadSchema], expecting(PAYLOAD)),
          'a list of payloads, for example ["fixtures/rows.json"]',
        ),
      ),
      remedies: optional(remediesSchema),
    },
    'an object, for example { "payloads": ["fixtures/rows.json"] }',
  ),
  {
    title: 'clone-prof config',
    description: 'clone-prof.config.{js,mjs,ts,json}, or the "clone-prof" key of package.json.',
  },
);
