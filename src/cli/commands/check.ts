import { CHECK_FORMATS } from '../../model/check.ts';
import { type CommandSpec, listOf, type OptionSpec, type Typed, textOf } from '../command.ts';
import { outputsOf } from '../formats.ts';
import { milliseconds, seedOf } from '../options.ts';
import type { CheckOptions } from './check-run.ts';

/** What `check` and `baseline` share. */
export const GATE_OPTIONS: readonly OptionSpec[] = [
  {
    flags: '--config <file>',
    help: 'the config (default: clone-prof.config.{json,mjs,js,ts} or package.json)',
  },
  { flags: '--timeout <time>', help: 'how long a guest may take to answer', preset: '30s' },
  { flags: '--offline', help: 'never fetch a runtime' },
];

export const checkCommand: CommandSpec = {
  name: 'check',
  help: 'the CI gate',
  argument: { form: '[payload...]', help: 'names or files of payloads (default: all of the config)' },
  options: [
    {
      flags: '-f, --format <format...>',
      help: `how to print: ${CHECK_FORMATS.join(', ')}; with a file: junit=report.xml (default: terminal)`,
    },
    { flags: '-o, --output <file>', help: 'write the result to a file' },
    { flags: '-b, --budget <time>', help: 'measuring time per payload and runtime', preset: '5s' },
    { flags: '--accept', help: 'move the baseline to what is there now, and print what changed' },
    { flags: '--init', help: 'write a commented config and a CI workflow; nothing is overwritten' },
    { flags: '--shard <i/n>', help: 'only this part of the payloads and runtimes: 1/4' },
    { flags: '--merge <report...>', help: 'one report out of the JSON reports of shards' },
    { flags: '--seed <n>', help: 'seed of every random choice', preset: '1' },
    ...GATE_OPTIONS,
  ],
  example: 'clone-prof check -f terminal junit=report.xml',
  run: async (typed, services, world) => {
    const { runCheck } = await import('./check-run.ts');
    return runCheck(checkOptions(typed), services, world);
  },
};

function checkOptions({ args, flags }: Typed): CheckOptions {
  const { outputs, payloads } = outputsOf(listOf(flags.format), textOf(flags.output));
  return {
    ...gateOptions({ args: [...args, ...payloads], flags }),
    outputs,
    budgetMs: milliseconds(String(flags.budget), '--budget'),
    accept: flags.accept === true,
    init: flags.init === true,
    shard: textOf(flags.shard),
    merge: flags.merge === undefined ? null : listOf(flags.merge),
    seed: seedOf(String(flags.seed)),
  };
}

export function gateOptions({ args, flags }: Typed) {
  return {
    payloads: args,
    config: textOf(flags.config),
    timeoutMs: milliseconds(String(flags.timeout), '--timeout'),
    offline: flags.offline === true,
  };
}
