import { fetchingOf, terminalOrJson } from '../options/typed.ts';
import { milliseconds } from '../options/values.ts';
import { type CommandSpec, FETCHING, TERMINAL_OR_JSON, timeoutOption } from './command-spec.ts';

export const verifyCommand: CommandSpec = {
  name: 'verify',
  help: 'prove the rule book on the runtimes that are here',
  argument: {
    form: '[runtime...]',
    help: 'node, bun@1.4, deno, a path to a binary (default: node, and bun and deno if installed)',
  },
  options: [TERMINAL_OR_JSON, timeoutOption(), ...FETCHING],
  example: 'clone-prof verify node bun@1.4 deno',
  run: async (typed, services, world) => {
    const { runVerify } = await import('../actions/verify.ts');
    const { args, flags } = typed;
    const timeoutMs = milliseconds(String(flags.timeout), '--timeout');
    const format = terminalOrJson(typed);
    return runVerify({ runtimes: args, format, timeoutMs, ...fetchingOf(flags) }, services, world);
  },
};
