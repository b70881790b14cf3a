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
import { described, list, oneOf, type Schema } from '../schema.ts';
import { growthOf, OVER, SIZE } from '../units.ts';

/** A setting that may be absent, or undefined in a config that is code. */
export const optional = <S extends Schema>(schema: S, text?: string) =>
  text === undefined ? z.optional(schema) : described(z.optional(schema), text);

/** An object that allows only these keys. The error for an unknown key lists the known keys. */
export function knownObject<Shape extends z.core.$ZodShape>(shape: Shape) {
  const known = Object.keys(shape).filter((key) => !key.startsWith('$'));
  return z.strictObject(shape, {
    error: ({ code, keys = [] }: { code?: string | undefined; keys?: readonly string[] }) =>
      code === 'unrecognized_keys'
        ? `unknown key ${keys.map((key) => JSON.stringify(key)).join(', ')}. Known: ${known.join(', ')}`
        : undefined,
  });
}

/** A limit is a value (breaking it is an error), [level, value], or "off". */
function limit<T extends Schema>(name: LimitName, value: T, what: string, example: string) {
  const limits = z.union([value, z.literal('off'), z.tuple([oneOf(LIMIT_LEVELS), value])], {
    error: () => `expected ${what}, for example ${example} or ["warn", ${example}], or "off"`,
  });
  return optional(limits, LIMIT_ROWS[name].words);
}

const levelOnly = (name: LimitName) => optional(z.enum(LIMIT_LEVELS), LIMIT_ROWS[name].words);

/** Effects under 5 % are ignored, so a smaller limit would compare noise. */
const MIN_GROWTH = 0.05;
/** `abort`: the error of the whole limit is reported. */
const written = (pattern: RegExp) => z.string().check(z.regex(pattern, { abort: true }));
const growth = written(OVER);
const measured = (name: LimitName, example: string) =>
  limit(
    name,
    growth.check(z.refine((text) => (growthOf(text) ?? 0) >= MIN_GROWTH, { abort: true })),
    'a growth of at least 5 % (less is noise)',
    example,
  );
const whole = (name: LimitName, example: string) =>
  limit(
    name,
    z.union([z.int().check(z.nonnegative()), growth]),
    'a whole number or a growth ("+10%")',
    example,
  );

export type LimitsConfig = s.TypeOf<typeof limitsSchema>;
export const limitsSchema = knownObject({
  class: limit(
    'class',
    z.enum([...COST_CLASSES, 'baseline']),
    `one of ${COST_CLASSES.join(', ')}, or baseline (no worse than it was)`,
    '"in-memory"',
  ),
  maxBytes: limit(
    'maxBytes',
    z.union([written(SIZE), growth]),
    'a size with its unit (B, kB, MB, GB, KiB, MiB, GiB) or a growth over the baseline ("+10%")',
    '"64 kB"',
  ),
  maxNodes: whole('maxNodes', '1000'),
  maxDepth: whole('maxDepth', '4'),
  maxAmplification: limit('maxAmplification', z.number().check(z.minimum(1)), 'a number from 1 on', '1.5'),
  lossy: levelOnly('lossy'),
  rejected: levelOnly('rejected'),
  transfer: limit('transfer', z.literal('all'), '"all"', '"all"'),
  time: measured('time', '"+10%"'),
  memory: measured('memory', '"+20%"'),
} satisfies Record<LimitName, Schema>);

export const text = () => z.string().check(z.minLength(1));
const fullList = <S extends Schema>(item: S, words: string) =>
  described(list(item).check(z.minLength(1)), words);

const runtimesSchema = fullList(text(), 'Runtimes to check on: node, bun@1.4, deno, a path to a binary.');
const channelsSchema = fullList(oneOf(CHANNELS), 'How the payload travels.');
export const senderSchema = oneOf(
  SENDERS,
  'The thread of a browser page that posts while time and memory are measured.',
);
export const readAsSchema = oneOf(['text', 'bytes', 'json']);
const remediesSchema = list(
  text(),
  'Rewrites that must give back an equal payload: modules, or names of serializers.',
);

export type PayloadConfig = s.TypeOf<typeof payloadSchema>;
export const payloadSchema = described(
  knownObject({
    id: optional(text(), 'Name in reports and baseline.'),
    input: described(text(), 'File or glob, from the folder of the config.'),
    export: optional(text()),
    as: optional(readAsSchema),
    runtimes: optional(runtimesSchema),
    channels: optional(channelsSchema),
    sender: optional(senderSchema),
    via: optional(z.nullable(z.enum(LIBRARIES)), 'Library whose envelope goes around the payload.'),
    transfer: optional(
      list(text().check(z.regex(/^\$/, 'expected a path that begins with $'))),
      'Paths of the buffers that the program puts on the transfer list.',
    ),
    remedies: optional(remediesSchema),
    codec: optional(
      text(),
      'Compiled codec that must fit the payload: a module that `clone-prof codec` wrote.',
    ),
    type: optional(text(), 'Type of the payload, which `check --fix-codec` gives to the codec.'),
    gain: optional(z.literal('any'), 'The rewrites and the codec of the payload may post it as it is.'),
    limits: optional(limitsSchema),
  }),
  { id: 'PayloadConfig' },
);

export type Config = s.TypeOf<typeof configSchema>;
export const configSchema = described(
  knownObject({
    $schema: optional(z.string()),
    extends: optional(z.enum(['recommended', 'strict'])),
    baseline: optional(text()),
    fixtures: optional(text(), 'Folder of the payloads that `baseline` makes from recordings.'),
    new: optional(
      z.enum(NEW_POLICIES),
      'Payloads that the baseline does not hold: an error (the default), or a warning.',
    ),
    undecided: optional(
      z.enum(UNDECIDED_POLICIES),
      'Measured limits that stay undecided: exit code 3 (the default), or a warning.',
    ),
    removed: optional(
      list(text()),
      'Payloads, runtimes ("orders on bun") and channels ("orders over ipc-json") that are gone since the other commit. Counts with `check --base main --allow-removed`.',
    ),
    runtimes: optional(runtimesSchema),
    channels: optional(channelsSchema),
    sender: optional(senderSchema),
    limits: optional(limitsSchema, 'Limits of all payloads.'),
    payloads: optional(
      z.array(
        z.union([text(), payloadSchema], {
          error: () => 'expected a file, or an object such as { "input": "fixtures/rows.json" }',
        }),
      ),
      'Files, globs, or objects with more about each.',
    ),
    remedies: optional(remediesSchema),
  }),
  {
    title: 'clone-prof config',
    description: 'clone-prof.config.{js,mjs,ts,json}, or the "clone-prof" key of package.json.',
  },
);
