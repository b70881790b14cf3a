/** Schema of the gate's config as the user writes it. Editors complete with it, and error messages quote it. */
import * as z from 'zod/mini';
import {
  LIMIT_LEVELS,
  LIMIT_ROWS,
  type LimitName,
  NEW_POLICIES,
  UNDECIDED_POLICIES,
} from '../gate/limits.ts';
import { CHANNELS, COST_CLASSES, LIBRARIES, SENDERS } from '../names.ts';
import type * as s from '../schema.ts';
import { described, type Schema } from '../schema.ts';
import { growthOf, OVER, SIZE } from '../units.ts';

/** A setting that may be absent. */
export const optional = <S extends Schema>(schema: S, text?: string) =>
  text === undefined ? z.optional(schema) : described(z.optional(schema), text);

export const expecting = (what: string) => ({ error: () => `expected ${what}` });

/** An object that allows only these keys. The error for an unknown key lists the known keys. */
export function knownObject<Shape extends z.core.$ZodShape>(shape: Shape, what: string) {
  const known = Object.keys(shape).filter((key) => !key.startsWith('$'));
  return z.strictObject(shape, {
    error: (issue: { code?: string | undefined; keys?: readonly string[] }) =>
      issue.code === 'unrecognized_keys'
        ? `unknown key ${(issue.keys ?? []).map((key) => JSON.stringify(key)).join(', ')}. Known: ${known.join(', ')}`
        : `expected ${what}`,
  });
}

const LEVEL = z.enum(LIMIT_LEVELS);

type Expected = ReturnType<typeof expecting>;

/** A limit is a value (breaking it is an error), [level, value], or "off". */
function limit<T extends Schema>(
  name: LimitName,
  what: string,
  example: string,
  valueSchema: (expected: Expected) => T,
) {
  const expected = expecting(`${what}, for example ${example} or ["warn", ${example}], or "off"`);
  const value = valueSchema(expected);
  const written = z.union([value, z.literal('off'), z.tuple([LEVEL, value])], expected);
  return optional(written, LIMIT_ROWS[name].words);
}

const levelOnly = (name: LimitName) =>
  optional(z.enum(LIMIT_LEVELS, expecting('"error", "warn" or "off"')), LIMIT_ROWS[name].words);

/** Effects under 5 % are ignored, so a smaller limit would compare noise. */
const MIN_GROWTH = 0.05;
const growth = (expected: Expected) => z.string(expected).check(z.regex(OVER, expected));
const measured = (name: LimitName, example: string) =>
  limit(name, 'a growth of at least 5 % (less is noise)', example, (expected) =>
    growth(expected).check(z.refine((text) => (growthOf(text) ?? 0) >= MIN_GROWTH, expected)),
  );
const whole = (name: LimitName, example: string) =>
  limit(name, 'a whole number or a growth ("+10%")', example, (expected) =>
    z.union([z.int(expected).check(z.nonnegative(expected)), growth(expected)], expected),
  );
const CLASS_WORDS = `one of ${COST_CLASSES.join(', ')}, or baseline (no worse than it was)`;
const SIZE_WORDS =
  'a size with its unit (B, kB, MB, GB, KiB, MiB, GiB) or a growth over the baseline ("+10%")';

export type LimitsConfig = s.TypeOf<typeof limitsSchema>;
export const limitsSchema = knownObject(
  {
    class: limit('class', CLASS_WORDS, '"in-memory"', (expected) =>
      z.enum([...COST_CLASSES, 'baseline'], expected),
    ),
    maxBytes: limit('maxBytes', SIZE_WORDS, '"64 kB"', (expected) =>
      z.union([z.string(expected).check(z.regex(SIZE, expected)), growth(expected)], expected),
    ),
    maxNodes: whole('maxNodes', '1000'),
    maxDepth: whole('maxDepth', '4'),
    maxAmplification: limit('maxAmplification', 'a number from 1 on', '1.5', (expected) =>
      z.number(expected).check(z.minimum(1, expected)),
    ),
    lossy: levelOnly('lossy'),
    rejected: levelOnly('rejected'),
    transfer: limit('transfer', '"all"', '"all"', (expected) => z.literal('all', expected)),
    time: measured('time', '"+10%"'),
    memory: measured('memory', '"+20%"'),
  } satisfies Record<LimitName, Schema>,
  'an object of limits, for example { "class": "in-memory" }',
);

export const text = (what: string) => z.string(expecting(what)).check(z.minLength(1, expecting(what)));
export const list = <S extends Schema>(item: S, what: string) => z.array(item, expecting(what));
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

export const channelSchema = z.enum(CHANNELS, expecting(`one of ${CHANNELS.join(', ')}`));
const channelsSchema = described(
  fullList(
    channelSchema,
    'a list of channels, for example ["worker"]',
    'one channel, for example ["worker"]',
  ),
  'How the payload travels.',
);

export const senderSchema = described(
  z.enum(SENDERS, expecting('"main" or "worker"')),
  'The thread of a browser page that posts while time and memory are measured.',
);

const REWRITE = 'a module with apply and restore, or a serializer, for example "./codec.mjs"';

const remediesSchema = described(
  list(text(REWRITE), 'a list of rewrites, for example ["./codec.mjs"]'),
  'Rewrites that must give back an equal payload: modules, or names of serializers.',
);

const PAYLOAD = 'a file, or an object such as { "input": "fixtures/rows.json" }';

export type PayloadConfig = s.TypeOf<typeof payloadSchema>;
export const payloadSchema = described(
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
      gain: optional(
        z.literal('any', expecting('"any"')),
        'The rewrites and the codec of the payload may post it as it is.',
      ),
      limits: optional(limitsSchema),
    },
    PAYLOAD,
  ),
  { id: 'PayloadConfig' },
);

export type Config = s.TypeOf<typeof configSchema>;
export const configSchema = described(
  knownObject(
    {
      $schema: optional(z.string()),
      extends: optional(z.enum(['recommended', 'strict'], expecting('"recommended" or "strict"'))),
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
      removed: optional(
        list(
          text('a name, for example "orders" or "orders on bun"'),
          'a list of names, for example ["orders"]',
        ),
        'Payloads, runtimes ("orders on bun") and channels ("orders over ipc-json") that are gone since the other commit. Counts with `check --base main --allow-removed`.',
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
        'Files, globs, or objects with more about each.',
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
