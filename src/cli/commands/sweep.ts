import { CHANNELS, LIBRARIES, SENDERS } from '../../model/names.ts';
import { SWEEP_FORMATS } from '../../model/vocabulary/sweep.ts';
import {
  type CommandSpec,
  FETCHING,
  formatsOption,
  LISTEN,
  OUTPUT,
  RUNTIMES_OR_URL,
  SEED,
  TOTAL_BUDGET,
  timeoutOption,
} from './command-spec.ts';

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
    { flags: '--steps <n>', help: 'how many sizes; a few more follow near crossovers', preset: '8' },
    {
      flags: '--by <what>',
      help: 'what grows: items, chars, keys or bytes (default: the largest part of the payload)',
    },
    RUNTIMES_OR_URL,
    {
      flags: '-c, --channel <name...>',
      help: `how the value travels: ${CHANNELS.join(', ')} (default: worker, or as published)`,
    },
    {
      flags: '--sender <thread>',
      help: 'the thread of a browser page that posts: its main one, or a worker (default: main)',
      choices: SENDERS,
    },
    { flags: '-e, --export <name...>', help: 'only this export of a module' },
    { flags: '--via <library>', help: 'post as a worker library does, in its envelope', choices: LIBRARIES },
    formatsOption(SWEEP_FORMATS),
    OUTPUT,
    { flags: '-b, --budget <time>', help: 'measuring time for all sizes on one runtime', preset: '25s' },
    TOTAL_BUDGET,
    { flags: '--as <kind>', help: 'read the file as text, bytes or json whatever its ending' },
    SEED,
    timeoutOption(' beyond its budget'),
    LISTEN,
    ...FETCHING,
  ],
  example: 'clone-prof sweep payload.json --scale 10..10k -r node bun',
  run: async (typed, services, world) => {
    // The presets are data of some size.
    const { runSweep } = await import('../actions/sweep.ts');
    const { sweepOptions } = await import('../options/sweep.ts');
    return runSweep(sweepOptions(typed), services, world);
  },
};
