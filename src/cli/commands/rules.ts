import { type CommandSpec, textOf } from '../command.ts';

export const rulesCommand: CommandSpec = {
  name: 'rules',
  help: 'print the rule book: what is fast, what breaks it, since which version',
  argument: { form: '[runtime]', help: 'bun, node@24, deno, ... (default: all)' },
  options: [
    {
      flags: '-f, --format <format>',
      help: 'how to print',
      choices: ['terminal', 'json'],
      preset: 'terminal',
    },
  ],
  example: 'clone-prof rules bun@1.3.9',
  run: async ({ args, flags }, _services, world) => {
    const { runRules } = await import('./rules-run.ts');
    return runRules({ spec: args[0], format: textOf(flags.format) === 'json' ? 'json' : 'terminal' }, world);
  },
};
