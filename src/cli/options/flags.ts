import { CHANNELS, RUNTIME_NAMES, SENDERS } from '../../model/names.ts';
import { DEFAULTS } from '../../model/presets.ts';

/** `flags` as commander reads them: "-r, --runtime <spec...>". */
export type OptionSpec = readonly [flags: string, help: string, more?: OptionTerms];

interface OptionTerms {
  choices?: readonly string[];
  /** Words that a shell completes, besides others that the command takes. */
  values?: readonly string[];
  /** Printed in the help and used when the option is absent. */
  preset?: string;
  /** May be given several times, with one value each. */
  repeatable?: true;
}

/** What can be typed after the name of a command: its help and its options as data. */
export interface CommandFlags {
  name: string;
  help: string;
  argument: {
    /** As commander reads it: "<payload...>" or "[runtime]". */
    form: string;
    help: string;
    /** An option before it may swallow it and give it back, so that only the command can say that it is missing. */
    checkedByCommand?: true;
    /** A command line of another program: what follows its first word is not ours. The command checks that it is there. */
    isCommand?: true;
    /** Words that a shell completes; files without them. */
    values?: readonly string[];
  };
  options: readonly OptionSpec[];
  /** Shown below the help. */
  example: string;
}

/** How runtimes that are not here are fetched. */
export const FETCHING: readonly OptionSpec[] = [
  ['--offline', 'never fetch a runtime'],
  ['--project-npmrc', 'also use the .npmrc of this folder to fetch runtimes: its registry and credentials'],
  ['--weak-integrity', 'also fetch runtimes for which the registry publishes no sha512'],
];

/** Where `-r url` waits for browsers. */
export const LISTEN: OptionSpec = [
  '--listen <address>',
  'bind the server of -r url to this address of this machine (default: 127.0.0.1)',
];

/** Options that choose sites of recordings. @param preset which sites are taken without them */
export const sitesOptions = (preset: string): readonly OptionSpec[] => [
  ['--top <n>', `for a recording: the n most expensive call sites (default: ${preset})`],
  ['--site <text>', 'for a recording: only call sites whose file:line or library contains it'],
];

export const SEED: OptionSpec = ['--seed <n>', 'seed of every random choice', { preset: `${DEFAULTS.seed}` }];

export const VIEW: OptionSpec = [
  '--view',
  'add viewMessage to the codec: it reads lists of records by column, without building them',
];

export const EMIT: OptionSpec = [
  '--emit <file>',
  'write the advised codec as a module, with a test next to it: orders.codec.ts ({id}: one for each payload)',
];

/** Not variadic: it would take the payload behind it, and write over it. */
export const OUTPUT: OptionSpec = [
  '-o, --output <file>',
  'write the result to a file; its extension sets the format (repeatable; - is stdout)',
  { repeatable: true },
];

export const formatsOption = (known: readonly string[]): OptionSpec => [
  '-f, --format <format...>',
  `how to print: ${known.join(', ')}; with a file: json=report.json (default: terminal)`,
  { values: known },
];

/** Where a browser is waited for. */
export const RUNTIMES_OR_URL: OptionSpec = [
  '-r, --runtime <spec...>',
  'node, bun@1.4, deno, workerd, chromium, firefox, webkit, electron (of the project), url (any browser that opens a link), a path to a binary (default: node, and bun and deno if installed)',
  { values: [...RUNTIME_NAMES, 'url'] },
];

export const RUN_BUDGET: OptionSpec = [
  '-b, --budget <time>',
  'measuring time per payload and runtime',
  { preset: `${DEFAULTS.budgetMs / 1000}s` },
];

export const TOTAL_BUDGET: OptionSpec = [
  '--total <time>',
  'one budget for the whole run; --budget is then the initial maximum for each payload and runtime',
];

export const TERMINAL_OR_JSON: OptionSpec = [
  '-f, --format <format>',
  'how to print',
  { choices: ['terminal', 'json'], preset: 'terminal' },
];

/** `beyond`: what the guest may take longer than, where it has a budget. */
export const timeoutOption = (beyond = ''): OptionSpec => [
  '--timeout <time>',
  `how long to wait for a guest process${beyond}`,
  { preset: `${DEFAULTS.timeoutMs / 1000}s` },
];

export const EXPORTS: OptionSpec = ['-e, --export <name...>', 'only these exports of a module'];

const KINDS = { values: ['text', 'bytes', 'json'] };

export const AS: OptionSpec = [
  '--as <kind>',
  'read files as text, bytes or json, whatever their extension',
  KINDS,
];

export const SENDER: OptionSpec = [
  '--sender <thread>',
  'the thread of a browser page that posts: its main one, or a worker (default: main)',
  { choices: SENDERS },
];

export const channelsOption = (preset: string): OptionSpec => [
  '-c, --channel <name...>',
  `how the value travels: ${CHANNELS.join(', ')} (default: ${preset})`,
  { values: [...CHANNELS, 'ipc'] },
];
