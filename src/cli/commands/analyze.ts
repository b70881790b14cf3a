import { CHANNELS, LIBRARIES, SENDERS, SERIALIZER_NAMES } from '../../model/names.ts';
import { REPORT_FORMATS } from '../../model/report/render-options.ts';
import { analyzeOptions } from '../options/analyze.ts';
import {
  type CommandSpec,
  EMIT,
  FETCHING,
  formatsOption,
  LISTEN,
  OUTPUT,
  RUN_BUDGET,
  RUNTIMES_OR_URL,
  SEED,
  sitesOptions,
  TOTAL_BUDGET,
  timeoutOption,
  VIEW,
} from './command-spec.ts';

export const analyzeCommand: CommandSpec = {
  name: 'analyze',
  help: 'classify, measure and recommend (the main job)',
  argument: {
    form: '<payload...>',
    help: 'files, recordings (.cprof), globs, or - for JSON on stdin',
    checkedByCommand: true,
  },
  options: [
    RUNTIMES_OR_URL,
    {
      flags: '-c, --channel <name...>',
      help: `how the value travels: ${CHANNELS.join(', ')} (default: worker)`,
    },
    {
      flags: '--sender <thread>',
      help: 'the thread of a browser page that posts: its main one, or a worker (default: main)',
      choices: SENDERS,
    },
    ...sitesOptions('those that make 95 %'),
    { flags: '-e, --export <name...>', help: 'only these exports of a module' },
    {
      flags: '-t, --transfer <path...>',
      help: 'what is in the transfer list, such as $.pixels: moved, not copied',
    },
    {
      flags: '--via <library...>',
      help: 'post as a worker library does, in its envelope',
      choices: LIBRARIES,
    },
    {
      flags: '--try <file|package...>',
      help: `also prove and time this rewrite: a module with apply and restore, or ${SERIALIZER_NAMES.join(', ')}`,
    },
    formatsOption(REPORT_FORMATS),
    OUTPUT,
    { flags: '-q, --quiet', help: 'terminal format: only the summary, a row for each payload and runtime' },
    RUN_BUDGET,
    TOTAL_BUDGET,
    { flags: '--no-measure', help: 'classify only' },
    { flags: '--by-path', help: 'what each branch of the payload costs, measured by leaving it out' },
    {
      flags: '--profile [dir]',
      help: 'CPU and heap profiles of both threads, for DevTools (default dir: profiles)',
    },
    {
      flags: '--load [window|rate]',
      help: 'also under load: 16 always in flight, or 5000/s (default: both, as the payload allows)',
    },
    EMIT,
    {
      flags: '--assume-integers',
      help: 'send numbers that are 32-bit integers in the sample as such; others are sent as they are',
    },
    VIEW,
    {
      flags: '--one',
      help: 'all inputs are samples of one payload: the first is measured, codecs are compiled from all',
    },
    { flags: '--as <kind>', help: 'read files as text, bytes or json whatever their ending' },
    SEED,
    timeoutOption(' beyond its budget'),
    LISTEN,
    ...FETCHING,
  ],
  example: 'clone-prof analyze payload.json -r node bun@1.4 deno',
  run: async (typed, services, world) => {
    const { runAnalyze } = await import('../actions/analyze.ts');
    return runAnalyze(analyzeOptions(typed), services, world);
  },
};
