/** Options of the functions of the library. An unknown one, or one of another type, is refused, not passed over. */

import { LIBRARIES } from '../names.ts';
import type * as s from '../schema.ts';
import { boolean, list, number, object, oneOf, unknown } from '../schema.ts';
import { DIMENSIONS } from '../vocabulary/words.ts';
import { shardSchema } from './check.ts';
import { knownObject, optional, readAsSchema, senderSchema, text } from './config.ts';
import { channelSchema } from './names.ts';

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
