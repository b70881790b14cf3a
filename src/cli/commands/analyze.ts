import { ToolError } from '../../model/errors.ts';
import { CHANNELS, LIBRARIES } from '../../model/names.ts';
import { type CommandSpec, listOf, type Typed, textOf } from '../command.ts';
import { splitLoad } from '../load-option.ts';
import {
  ANALYZE_FORMATS,
  type AnalyzeOptions,
  channelOf,
  formatOf,
  inputKindOf,
  libraryOf,
  milliseconds,
  seedOf,
  splitProfile,
  splitRuntimes,
} from '../options.ts';

export const analyzeCommand: CommandSpec = {
  name: 'analyze',
  help: 'classify, measure and recommend (the main job)',
  argument: {
    form: '<payload...>',
    help: 'files, globs, or - for JSON on stdin',
    checkedByCommand: true,
  },
  options: [
    {
      flags: '-r, --runtime <spec...>',
      help: 'node, bun@1.4, deno, a path to a binary (default: what is here)',
    },
    {
      flags: '-c, --channel <name...>',
      help: `how the value travels: ${CHANNELS.join(', ')} (default: worker)`,
    },
    { flags: '-e, --export <name...>', help: 'only these exports of a module' },
    { flags: '--via <library...>', help: 'wrap in the envelope of a library first', choices: LIBRARIES },
    { flags: '-f, --format <format>', help: 'how to print', choices: ANALYZE_FORMATS, preset: 'terminal' },
    { flags: '-o, --output <file>', help: 'write the result to a file' },
    { flags: '-b, --budget <time>', help: 'measuring time per payload and runtime', preset: '5s' },
    { flags: '--no-measure', help: 'classify only' },
    { flags: '--by-path', help: 'what each branch of the payload costs, measured by leaving it out' },
    {
      flags: '--profile [dir]',
      help: 'CPU and heap profiles of both threads, for DevTools (default dir: profiles)',
    },
    {
      flags: '--load [window|rate]',
      help: 'also under load: 16 always on the way, or 5000/s (default: both, as the payload allows)',
    },
    { flags: '--as <kind>', help: 'read files as text, bytes or json whatever their ending' },
    { flags: '--seed <n>', help: 'seed of every random choice', preset: '1' },
    {
      flags: '--timeout <time>',
      help: 'how long a guest may take to answer beyond its budget',
      preset: '30s',
    },
    { flags: '--offline', help: 'never fetch a runtime' },
  ],
  example: 'clone-prof analyze payload.json -r node bun@1.4 deno',
  run: async (typed, services, world) => {
    const { runAnalyze } = await import('./analyze-run.ts');
    return runAnalyze(checked(analyzeOptions(typed)), services, world);
  },
};

/** All of them look into messages that are really sent. */
function checked(options: AnalyzeOptions): AnalyzeOptions {
  const asked = [
    options.profile === null ? [] : '--profile',
    options.byPath ? '--by-path' : [],
    options.load === null ? [] : '--load',
  ].flat();
  if (options.measure || asked.length === 0) return options;
  throw new ToolError('usage', {
    detail: `${asked.join(' and ')}: cannot be had with --no-measure, which sends nothing`,
  });
}

function analyzeOptions({ args, flags }: Typed): AnalyzeOptions {
  const { runtimes, payloads } = splitRuntimes(listOf(flags.runtime));
  const channels = listOf(flags.channel).map(channelOf);
  const { profile, payloads: afterProfile } = splitProfile(flags.profile);
  const { load, payloads: afterLoad } = splitLoad(flags.load);
  return {
    payloads: [...args, ...payloads, ...afterProfile, ...afterLoad],
    runtimes,
    channels: channels.length === 0 ? ['worker'] : [...new Set(channels)],
    exports: flags.export === undefined ? null : listOf(flags.export),
    via: listOf(flags.via).map(libraryOf),
    format: formatOf(String(flags.format)),
    output: textOf(flags.output),
    budgetMs: milliseconds(String(flags.budget), '--budget'),
    measure: flags.measure !== false,
    profile,
    byPath: flags.byPath === true,
    load,
    timeoutMs: milliseconds(String(flags.timeout), '--timeout'),
    seed: seedOf(String(flags.seed)),
    as: flags.as === undefined ? null : inputKindOf(String(flags.as)),
    offline: flags.offline === true,
  };
}
