/** Settings of a user: in the gate's config, which editors complete and error messages quote, and in the library's options. */

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
import { boolean, described, list, number, object, oneOf, type Schema, unknown } from '../schema.ts';
import { growthOf, OVER, SIZE } from '../units.ts';
import { DIMENSIONS } from '../vocabulary/words.ts';
import { shardSchema } from './check.ts';
import { channelSchema } from './names.ts';

/** A setting that may be absent, or undefined in a config that is code. */
const optional = <S extends Schema>(schema: S, text?: string) =>
  text === undefined ? z.optional(schema) : described(z.optional(schema), text);

/** An object that allows only these keys. The error for an unknown key lists the known keys. */
function knownObject<Shape extends z.core.$ZodShape>(shape: Shape) {
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

const text = () => z.string().check(z.minLength(1));
const fullList = <S extends Schema>(item: S, words: string) =>
  described(list(item).check(z.minLength(1)), words);

const runtimesSchema = fullList(text(), 'Runtimes to check on: node, bun@1.4, deno, a path to a binary.');
const channelsSchema = fullList(oneOf(CHANNELS), 'How the payload travels.');
const senderSchema = oneOf(
  SENDERS,
  'The thread of a browser page that posts while time and memory are measured.',
);
const readAsSchema = oneOf(['text', 'bytes', 'json']);
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

// Options of the functions of the library. An unknown one, or one of another type, is refused, not passed over.

const flag = (words: string) => optional(boolean(), words);
const amount = (words: string) => optional(number(), words);
const name = (words: string) => optional(text(), words);
const names = (words: string) => optional(list(text()), words);

const run = {
  timeoutMs: amount('Deadline of a guest beyond its budget, ms; default 30000.'),
  offline: flag('If true, runtimes are never fetched.'),
  projectNpmrc: flag(
    'If true, runtimes are also fetched with the `.npmrc` of the working directory: its registry, its credentials.',
  ),
  cwd: name('Folder that relative paths start from; default: the working directory.'),
  signal: optional(unknown()),
  onEvent: optional(unknown()),
};

const seed = amount('Seed of every random choice; default 1.');

const ofPayloads = {
  runtimes: names(
    '"node", "bun@1.4", "deno", a path to a binary; default: the running one, plus installed bun and deno.',
  ),
  as: optional(readAsSchema, 'Format of the files, instead of the format that their extension says.'),
  seed,
};

export const LIBRARY_OPTIONS = {
  run: knownObject(run),
  analyze: knownObject({
    ...run,
    ...ofPayloads,
    channels: optional(list(channelSchema), 'Default: ["worker"].'),
    exports: names('Exports of a module to analyze; default: all.'),
    via: optional(list(oneOf(LIBRARIES)), 'Libraries whose envelope is put around the payload first.'),
    try: names(
      'Further rewrites to prove and time: modules with `apply` and `restore`, or "msgpackr", "cbor-x", "devalue", ...',
    ),
    top: amount(
      'Number of call sites of a recording to analyze, costliest first; default: the sites that make 95 % of the cost.',
    ),
    site: name('Analyze only sites of a recording whose file and line, or library, contain this text.'),
    transfer: names('Paths of the objects in the transfer list: "$.tiles[*].pixels".'),
    sender: optional(senderSchema, 'Thread of a browser page that posts; default: its main thread.'),
    budgetMs: amount('Measuring time per payload and runtime, ms; default 5000.'),
    totalMs: amount(
      "Time for all payloads and runtimes together, ms; each then measures at most `budgetMs` at first. A run that no time is left for is `classified`, with the error 'total-spent'.",
    ),
    measure: flag('false: payloads are classified, but not measured.'),
    byPath: flag('If true, the cost of each heavy branch of the payload is measured.'),
    one: flag('All inputs are samples of one payload: the first is measured, codecs are compiled from all.'),
  }),

  sweep: knownObject({
    ...run,
    ...ofPayloads,
    channels: optional(list(channelSchema), 'Default: ["worker"], or as published.'),
    export: name('Export of a module to use, if it has several.'),
    via: optional(oneOf(LIBRARIES), 'Library whose envelope is put around the payload, as in its messages.'),
    by: optional(oneOf(DIMENSIONS), 'Dimension that grows; default: the largest part of the payload.'),
    scale: optional(
      object({ from: number(), to: number() }),
      'Sizes; default: a hundredth to ten times the payload.',
    ),
    steps: amount('Number of sizes; a few more follow near crossovers. Default 8.'),
    budgetMs: amount('Measuring time for all sizes on one runtime, ms; default 25000.'),
    totalMs: amount('Time for all runtimes together, ms.'),
  }),

  check: knownObject({
    ...run,
    config: name('Path of the config; default: the nearest config, as for the command.'),
    runtimes: names('Runtimes to check; default: the runtimes of the config.'),
    base: name('Commit, branch or tag to compare with; default: the baseline.'),
    baseline: name('Path of the baseline, which must be there; default: that of the config.'),
    keys: flag(
      'Results keep keys of the payload that look like data, such as addresses; default: `.*` stands for them.',
    ),
    allowRemoved: flag('With `base`: payloads in `removed` of the config may be gone.'),
    shard: optional(shardSchema, 'Part of the payloads and runtimes to check; default: all.'),
    budgetMs: amount('Measuring time for each limit on time, ms; default 5000.'),
    totalMs: amount('Time for all measured limits together, ms.'),
    seed,
  }),
};

type Of<K extends keyof typeof LIBRARY_OPTIONS> = s.TypeOf<(typeof LIBRARY_OPTIONS)[K]>;
export interface RunSettings extends Of<'run'> {}
export interface AnalyzeSettings extends Of<'analyze'> {}
export interface SweepSettings extends Of<'sweep'> {}
export interface CheckSettings extends Of<'check'> {}
