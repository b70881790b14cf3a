import { terminalOrJson } from '../options/typed.ts';
import { type CommandSpec, TERMINAL_OR_JSON } from './command-spec.ts';

export const rulesCommand: CommandSpec = {
  name: 'rules',
  help: 'print the rule book: what is fast, what breaks it, since which version',
  argument: { form: '[runtime]', help: 'bun, node@24, deno, ... (default: all)' },
  options: [TERMINAL_OR_JSON],
  example: 'clone-prof rules bun@1.3.9',
  run: async (typed, _services, world) => {
    const { runRules } = await import('../actions/rules.ts');
    return runRules({ spec: typed.args[0], format: terminalOrJson(typed) }, world);
  },
};
