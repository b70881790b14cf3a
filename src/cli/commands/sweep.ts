import { CHANNELS, LIBRARIES } from '../../model/names.ts';
import { type CommandSpec, listOf, type Typed, textOf } from '../command.ts';
import { channelOf, inputKindOf, libraryOf, milliseconds, seedOf, splitRuntimes } from '../options.ts';
import type { SweepOptions } from '../sweep-options.ts';

export const sweepCommand: CommandSpec = {
  name: 'sweep',
  help: 'cost against size for each strategy; where they cross',
  argument: { form: '[payload...]', help: 'one file, or - for JSON on stdin' },
  options: [
    {
      flags: '--preset <name>',
      help: 'redo a published benchmark: bun-strings, bun-flat-object, bun-arrays, bun-objects, blog-keys',
    },
    {
      flags: '--scale <from..to>',
      help: 'sizes, like 10..10k (default: a hundredth to ten times the payload)',
    },
    { flags: '--steps <n>', help: 'how many sizes', preset: '8' },
    {
      flags: '--by <what>',
      help: 'what grows: items, chars, keys or bytes (default: the largest place of the payload)',
    },
    {
      flags: '-r, --runtime <spec...>',
      help: 'node, bun@1.4, deno, a path to a binary (default: what is here)',
    },
    {
      flags: '-c, --channel <name...>',
      help: `how the value travels: ${CHANNELS.join(', ')} (default: worker, or as published)`,
    },
    { flags: '-e, --export <name...>', help: 'only this export of a module' },
    { flags: '--via <library>', help: 'wrap in the envelope of a library first', choices: LIBRARIES },
    {
      flags: '-f, --format <format>',
      help: 'how to print',
      choices: ['terminal', 'json'],
      preset: 'terminal',
    },
    { flags: '-o, --output <file>', help: 'write the result to a file' },
    { flags: '-b, --budget <time>', help: 'measuring time for all sizes on one runtime', preset: '25s' },
    { flags: '--as <kind>', help: 'read the file as text, bytes or json whatever its ending' },
    { flags: '--seed <n>', help: 'seed of every random choice', preset: '1' },
    {
      flags: '--timeout <time>',
      help: 'how long a guest may take to answer beyond its budget',
      preset: '30s',
    },
    { flags: '--offline', help: 'never fetch a runtime' },
  ],
  example: 'clone-prof sweep payload.json --scale 10..10k -r node bun',
  run: async (typed, services, world) => {
    const { runSweep } = await import('./sweep-run.ts');
    return runSweep(await sweepOptions(typed), services, world);
  },
};

/** The presets are data of some size: loaded when the command runs, not for every help. */
async function sweepOptions({ args, flags }: Typed): Promise<SweepOptions> {
  const { dimensionOf, presetOf, refuseMixture, scaleOf, stepsOf } = await import('../sweep-options.ts');
  const { runtimes, payloads } = splitRuntimes(listOf(flags.runtime));
  const channels = listOf(flags.channel).map(channelOf);
  const options: SweepOptions = {
    payloads: [...args, ...payloads],
    preset: flags.preset === undefined ? null : presetOf(String(flags.preset)),
    runtimes,
    channels: channels.length === 0 ? null : [...new Set(channels)],
    exports: flags.export === undefined ? null : listOf(flags.export),
    via: flags.via === undefined ? [] : [libraryOf(String(flags.via))],
    by: flags.by === undefined ? null : dimensionOf(String(flags.by)),
    scale: flags.scale === undefined ? null : scaleOf(String(flags.scale)),
    steps: stepsOf(String(flags.steps)),
    format: textOf(flags.format) === 'json' ? 'json' : 'terminal',
    output: textOf(flags.output),
    budgetMs: milliseconds(String(flags.budget), '--budget'),
    timeoutMs: milliseconds(String(flags.timeout), '--timeout'),
    seed: seedOf(String(flags.seed)),
    as: flags.as === undefined ? null : inputKindOf(String(flags.as)),
    offline: flags.offline === true,
  };
  refuseMixture(options);
  return options;
}
