import { CHECK_FORMATS } from '../../model/gate/check.ts';
import { checkOptions } from '../options/check.ts';
import {
  type CommandSpec,
  FETCHING,
  formatsOption,
  type OptionSpec,
  OUTPUT,
  RUN_BUDGET,
  RUNTIMES,
  SEED,
  TOTAL_BUDGET,
  timeoutOption,
} from './command-spec.ts';

/** What `check` and `baseline` share. */
export const GATE_OPTIONS: readonly OptionSpec[] = [
  {
    flags: '--config <file>',
    help: 'the config (default: clone-prof.config.{json,mjs,js,ts} or package.json)',
  },
  {
    flags: '--samples',
    help: 'keep a copy of each payload in the baseline, for limits on time and memory (up to 64 kB)',
  },
  { flags: '--mask', help: 'with --samples: other texts of the same lengths' },
  timeoutOption(),
  ...FETCHING,
];

export const checkCommand: CommandSpec = {
  name: 'check',
  help: 'compare payloads with limits, a baseline or a commit; exit 1 on a regression',
  argument: { form: '[payload...]', help: 'names or files of payloads (default: all of the config)' },
  options: [
    formatsOption(CHECK_FORMATS),
    { ...RUNTIMES, help: 'instead of those of the config: node, bun@1.4, deno, a path to a binary' },
    OUTPUT,
    RUN_BUDGET,
    TOTAL_BUDGET,
    { flags: '--accept', help: 'write the current facts to the baseline, and print what changed' },
    { flags: '--fix-codec', help: 'write the codecs of the config anew that do not fit their payloads' },
    {
      flags: '--base <commit>',
      help: 'compare with this commit, branch or tag: facts, and time in the same run; no baseline is used',
    },
    {
      flags: '--accept-config <hash>',
      help: 'with --base: let a looser config pass, by the hash that was printed',
    },
    { flags: '--init', help: 'write a commented config and a CI workflow; nothing is overwritten' },
    { flags: '--shards <n>', help: 'with --init: runners that share the payloads' },
    { flags: '--shard <i/n>', help: 'only this part of the payloads and runtimes: 1/4' },
    { flags: '--merge <report...>', help: 'merge the JSON reports of shards into one' },
    SEED,
    ...GATE_OPTIONS,
  ],
  example: 'clone-prof check -f terminal junit=report.xml',
  run: async (typed, services, world) => {
    const { runCheck } = await import('../actions/gate/check.ts');
    return runCheck(checkOptions(typed), services, world);
  },
};
