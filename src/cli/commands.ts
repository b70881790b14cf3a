import type { Services } from '../services/services.ts';
import { COMPLETION, EXPLAIN, RULES, RUNTIMES, SHELLS, VERIFY } from './options/all.ts';
import { ANALYZE, analyzeOptions } from './options/analyze.ts';
import { BASELINE, CHECK, checkOptions, gateOptions } from './options/check.ts';
import { CODEC, codecOptions } from './options/codec.ts';
import type { CommandFlags } from './options/flags.ts';
import { RECORD, recordOptions } from './options/record.ts';
import { REPORT, reportOptions } from './options/report.ts';
import { SWEEP, sweepOptions } from './options/sweep.ts';
import { fetchingOf, parseOneOf, type Typed, terminalOrJson, timeoutOf } from './options/values.ts';
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

export const COMMANDS: readonly Command[] = [
  command(ANALYZE, analyzeOptions, async ({ watch }) => {
    const { runAnalyze } = await import('./actions/analyze.ts');
    return watch ? (await import('./session/watch.ts')).watching(runAnalyze) : runAnalyze;
  }),
  command(CODEC, codecOptions, async () => (await import('./actions/codec.ts')).runCodec),
  command(RECORD, recordOptions, async () => (await import('./actions/record.ts')).runRecord),
  command(CHECK, checkOptions, async ({ init, accept, merge, watch }) => {
    if (init) {
      const { runInit } = await import('./actions/init/init.ts');
      return (options, _services, world) => runInit(options, world);
    }
    if (accept) return (await import('./actions/gate/baseline.ts')).runBaseline;
    const { runCheck, runMerge } = await import('./actions/gate/run-check.ts');
    if (watch) return (await import('./session/watch.ts')).watching(runCheck);
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
    ...VERIFY,
    run: async (typed, services, world) => {
      const timeoutMs = timeoutOf(typed.flags);
      const format = terminalOrJson(typed);
      const options = { runtimes: typed.args, format, timeoutMs, ...fetchingOf(typed.flags) };
      return (await import('./actions/verify.ts')).runVerify(options, services, world);
    },
  },
  {
    ...RULES,
    run: async (typed, _services, world) => {
      const options = { spec: typed.args[0], format: terminalOrJson(typed) };
      return (await import('./actions/rules.ts')).runRules(options, world);
    },
  },
  {
    ...EXPLAIN,
    run: async ({ args }, _services, world) =>
      (await import('./actions/explain.ts')).runExplain({ words: args }, world),
  },
  {
    ...RUNTIMES,
    run: async (typed, services, world) => {
      const options = { words: typed.args, format: terminalOrJson(typed), ...fetchingOf(typed.flags) };
      return (await import('./actions/runtimes.ts')).runRuntimes(options, services, world);
    },
  },
  {
    ...COMPLETION,
    run: async ({ args }, _services, world) => {
      const shell = parseOneOf(SHELLS, 'completion')(String(args[0]));
      return (await import('./actions/completion.ts')).runCompletion(shell, world);
    },
  },
];
