import { type CommandSpec, textOf } from '../command.ts';

export const runtimesCommand: CommandSpec = {
  name: 'runtimes',
  help: 'what is here; `add` fetches more through npm, `remove` takes them out of the cache',
  argument: { form: '[words...]', help: 'nothing, or: add <spec...>, remove <spec...>' },
  options: [
    {
      flags: '-f, --format <format>',
      help: 'how to print',
      choices: ['terminal', 'json'],
      preset: 'terminal',
    },
    { flags: '--offline', help: 'never fetch a runtime' },
  ],
  example: 'clone-prof runtimes add bun@1.3.14 node@24 deno@latest',
  run: async ({ args, flags }, services, world) => {
    const { runRuntimes } = await import('./runtimes-run.ts');
    const format = textOf(flags.format) === 'json' ? 'json' : 'terminal';
    return runRuntimes({ words: args, format, offline: flags.offline === true }, services, world);
  },
};
