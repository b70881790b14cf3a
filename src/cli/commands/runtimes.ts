import { fetchingOf, terminalOrJson } from '../options/typed.ts';
import { type CommandSpec, FETCHING, TERMINAL_OR_JSON } from './command-spec.ts';

export const runtimesCommand: CommandSpec = {
  name: 'runtimes',
  help: 'list installed runtimes; `add` fetches more through npm, `remove` takes them out of the cache',
  argument: { form: '[words...]', help: 'nothing, or: add <spec...>, remove <spec...>' },
  options: [TERMINAL_OR_JSON, ...FETCHING],
  example: 'clone-prof runtimes add bun@1.3.14 node@24 deno@latest',
  run: async (typed, services, world) => {
    const { runRuntimes } = await import('../actions/runtimes.ts');
    const { args, flags } = typed;
    const options = { words: args, format: terminalOrJson(typed), ...fetchingOf(flags) };
    return runRuntimes(options, services, world);
  },
};
