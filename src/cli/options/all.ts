/** All commands as data: their help, and what completion and the manual page are made of. */
import { RUNTIME_NAMES } from '../../model/names.ts';
import { ANALYZE } from './analyze.ts';
import { BASELINE, CHECK } from './check.ts';
import { CODEC } from './codec.ts';
import { type CommandFlags, FETCHING, TERMINAL_OR_JSON, timeoutOption } from './flags.ts';
import { RECORD } from './record.ts';
import { REPORT } from './report.ts';
import { SWEEP } from './sweep.ts';

export const VERIFY: CommandFlags = {
  name: 'verify',
  help: 'test the rule book on the installed runtimes',
  argument: {
    form: '[runtime...]',
    help: 'node, bun@1.4, deno, a path to a binary (default: node, and bun and deno if installed)',
    values: RUNTIME_NAMES,
  },
  options: [TERMINAL_OR_JSON, timeoutOption(), ...FETCHING],
  example: 'clone-prof verify node bun@1.4 deno',
};

export const RULES: CommandFlags = {
  name: 'rules',
  help: 'print the rule book: what is fast, what breaks it, since which version',
  argument: { form: '[runtime]', help: 'bun, node@24, deno, ... (default: all)', values: RUNTIME_NAMES },
  options: [TERMINAL_OR_JSON],
  example: 'clone-prof rules bun@1.3.9',
};

export const EXPLAIN: CommandFlags = {
  name: 'explain',
  help: 'explain a word of a report: a rule, path, class, rewrite, limit or error code',
  argument: { form: '<word...>', help: 'nested-value, degraded, packed-array, guest-timeout, ...' },
  options: [],
  example: 'clone-prof explain holey-array',
};

export const RUNTIMES: CommandFlags = {
  name: 'runtimes',
  help: 'list installed runtimes; `add` fetches more through npm, `remove` takes them out of the cache',
  argument: {
    form: '[words...]',
    help: 'none (list them), add <spec...> or remove <spec...>',
    values: ['add', 'remove'],
  },
  options: [TERMINAL_OR_JSON, ...FETCHING],
  example: 'clone-prof runtimes add bun@1.3.14 node@24 deno@latest',
};

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const COMPLETION: CommandFlags = {
  name: 'completion',
  help: 'print what completes commands, options and their values in a shell',
  argument: { form: '<shell>', help: SHELLS.join(', '), values: SHELLS },
  options: [],
  example: 'eval "$(clone-prof completion bash)"',
};

/** In the order of the help. */
export const ALL_COMMANDS: readonly CommandFlags[] = [
  ...[ANALYZE, CODEC, RECORD, CHECK, BASELINE, SWEEP, REPORT],
  ...[VERIFY, RULES, EXPLAIN, RUNTIMES, COMPLETION],
];
