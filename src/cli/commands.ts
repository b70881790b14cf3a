import type { Services } from '../services/services.ts';
import { ANALYZE, analyzeOptions } from './options/analyze.ts';
import { BASELINE, CHECK, checkOptions, gateOptions } from './options/check.ts';
import { CODEC, codecOptions } from './options/codec.ts';
import { type CommandFlags, FETCHING, TERMINAL_OR_JSON, timeoutOption } from './options/flags.ts';
import { RECORD, recordOptions } from './options/record.ts';
import { REPORT, reportOptions } from './options/report.ts';
import { SWEEP, sweepOptions } from './options/sweep.ts';
import { fetchingOf, type Typed, terminalOrJson, timeoutOf } from './options/values.ts';
import type { World } from './session/world.ts';

/** A command as data: its help is light, and what it does is loaded when it runs. */
export interface Command extends CommandFlags {
  run(typed: Typed, services: Services, world: World): Promise<number>;
}

const command = <Options>(
  flags: CommandFlags,
  optionsOf: (typed: Typed) => Options,
  load: (
    options: Options,
  ) => Promise<(options: Options, services: Services, world: World) => Promise<number>>,
): Command => ({
  ...flags,
  run: async (typed, services, world) => {
    const options = optionsOf(typed);
    return (await load(options))(options, services, world);
  },
});

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  command(ANALYZE, analyzeOptions, async () => (await import('./actions/analyze.ts')).runAnalyze),
  command(CODEC, codecOptions, async () => (await import('./actions/codec.ts')).runCodec),
  command(RECORD, recordOptions, async () => (await import('./actions/record.ts')).runRecord),
  command(CHECK, checkOptions, async ({ init, accept, merge }) => {
    if (init) {
      const { runInit } = await import('./actions/init/init.ts');
      return (options, _services, world) => runInit(options, world);
    }
    if (accept) return (await import('./actions/gate/baseline.ts')).runBaseline;
    const { runCheck, runMerge } = await import('./actions/gate/run-check.ts');
    return merge ? runMerge : runCheck;
  }),
  command(BASELINE, gateOptions, async () => (await import('./actions/gate/baseline.ts')).runBaseline),
  command(SWEEP, sweepOptions, async () => (await import('./actions/sweep.ts')).runSweep),
  {
    ...REPORT,
    run: async (typed, _services, world) =>
      (await import('./actions/report.ts')).runReport(reportOptions(typed), world),
  },
  {
    name: 'verify',
    help: 'test the rule book on the installed runtimes',
    argument: {
      form: '[runtime...]',
      help: 'node, bun@1.4, deno, a path to a binary (default: node, and bun and deno if installed)',
    },
    options: [TERMINAL_OR_JSON, timeoutOption(), ...FETCHING],
    example: 'clone-prof verify node bun@1.4 deno',
    run: async (typed, services, world) => {
      const timeoutMs = timeoutOf(typed.flags);
      const format = terminalOrJson(typed);
      const options = { runtimes: typed.args, format, timeoutMs, ...fetchingOf(typed.flags) };
      return (await import('./actions/verify.ts')).runVerify(options, services, world);
    },
  },
  {
    name: 'rules',
    help: 'print the rule book: what is fast, what breaks it, since which version',
    argument: { form: '[runtime]', help: 'bun, node@24, deno, ... (default: all)' },
    options: [TERMINAL_OR_JSON],
    example: 'clone-prof rules bun@1.3.9',
    run: async (typed, _services, world) => {
      const options = { spec: typed.args[0], format: terminalOrJson(typed) };
      return (await import('./actions/rules.ts')).runRules(options, world);
    },
  },
  {
    name: 'explain',
    help: 'explain a word of a report: a rule, path, class, rewrite, limit or error code',
    argument: { form: '<word...>', help: 'nested-value, degraded, packed-array, guest-timeout, ...' },
    options: [],
    example: 'clone-prof explain holey-array',
    run: async ({ args }, _services, world) =>
      (await import('./actions/explain.ts')).runExplain({ words: args }, world),
  },
  {
    name: 'runtimes',
    help: 'list installed runtimes; `add` fetches more through npm, `remove` takes them out of the cache',
    argument: { form: '[words...]', help: 'none (list them), add <spec...> or remove <spec...>' },
    options: [TERMINAL_OR_JSON, ...FETCHING],
    example: 'clone-prof runtimes add bun@1.3.14 node@24 deno@latest',
    run: async (typed, services, world) => {
      const options = { words: typed.args, format: terminalOrJson(typed), ...fetchingOf(typed.flags) };
      return (await import('./actions/runtimes.ts')).runRuntimes(options, services, world);
    },
  },
];
