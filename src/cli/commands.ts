import type { Services } from '../services/services.ts';
import * as specs from './options/all.ts';
import { ANALYZE } from './options/analyze.ts';
import { BASELINE, CHECK } from './options/check.ts';
import type { CommandSpec, Options, SettingsOf } from './options/option.ts';
import { RECORD } from './options/record.ts';
import { SWEEP } from './options/sweep.ts';
import type { World } from './session/world.ts';

type Action<Settings> = (settings: Settings, world: World, services: Services) => Promise<number>;

/** A command as data: its options are light, and its action is loaded when it runs. */
export interface Command extends CommandSpec {
  load(settings: Record<string, unknown>): Promise<Action<Record<string, unknown>>>;
}

const command = <Rows extends Options, Argument extends string>(
  spec: CommandSpec<Rows, Argument>,
  load: (
    settings: SettingsOf<CommandSpec<Rows, Argument>>,
  ) => Promise<Action<SettingsOf<CommandSpec<Rows, Argument>>>>,
): Command => ({ ...spec, load }) as Command;

export const COMMANDS: readonly Command[] = [
  command(ANALYZE, async ({ watch }) => {
    const { runAnalyze } = await import('./actions/analyze.ts');
    return watch ? (await import('./session/watch.ts')).watching(runAnalyze) : runAnalyze;
  }),
  command(specs.CODEC, async () => (await import('./actions/codec.ts')).runCodec),
  command(RECORD, async () => (await import('./actions/record.ts')).runRecord),
  command(CHECK, async ({ init, accept, merge, watch }) => {
    if (init) return (await import('./actions/init/init.ts')).runInit;
    if (accept) return (await import('./actions/gate/baseline.ts')).runAccept;
    const { runCheck, runMerge } = await import('./actions/gate/check.ts');
    if (watch) return (await import('./session/watch.ts')).watching(runCheck);
    return merge.length > 0 ? runMerge : runCheck;
  }),
  command(BASELINE, async () => (await import('./actions/gate/baseline.ts')).runBaseline),
  command(SWEEP, async () => (await import('./actions/sweep.ts')).runSweep),
  command(specs.REPORT, async () => (await import('./actions/report.ts')).runReport),
  command(specs.VERIFY, async () => (await import('./actions/verify.ts')).runVerify),
  command(specs.RULES, async () => (await import('./actions/rules.ts')).runRules),
  command(specs.EXPLAIN, async () => (await import('./actions/rules.ts')).runExplain),
  command(specs.RUNTIMES, async () => (await import('./actions/rules.ts')).runRuntimes),
  command(specs.COMPLETION, async () => (await import('./actions/completion.ts')).runCompletion),
];
