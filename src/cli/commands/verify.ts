import { type CommandSpec, textOf } from '../command.ts';
import { milliseconds } from '../options.ts';

export const verifyCommand: CommandSpec = {
  name: 'verify',
  help: 'prove the rule book on the runtimes that are here',
  argument: { form: '[runtime...]', help: 'node, bun@1.4, deno, a path to a binary (default: what is here)' },
  options: [
    {
      flags: '-f, --format <format>',
      help: 'how to print',
      choices: ['terminal', 'json'],
      preset: 'terminal',
    },
    { flags: '--timeout <time>', help: 'how long a guest may take to answer', preset: '30s' },
    { flags: '--offline', help: 'never fetch a runtime' },
  ],
  example: 'clone-prof verify node bun@1.4 deno',
  run: async ({ args, flags }, services, world) => {
    const { runVerify } = await import('./verify-run.ts');
    return runVerify(
      {
        runtimes: args,
        format: textOf(flags.format) === 'json' ? 'json' : 'terminal',
        timeoutMs: milliseconds(String(flags.timeout), '--timeout'),
        offline: flags.offline === true,
      },
      services,
      world,
    );
  },
};
