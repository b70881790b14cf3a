/** All commands as data: their help, which is also the source of completion and the manual page. */
import { RUNTIME_NAMES } from '../../model/names.ts';
import { REPORT_FORMATS } from '../../model/report/render-options.ts';
import { emitFileOf } from '../../services/codec-names.ts';
import { ANALYZE } from './analyze.ts';
import { BASELINE, CHECK } from './check.ts';
import { asTyped, type CommandSpec, commandSpec, flag, type SettingsOf, single } from './option.ts';
import { formatsOption, OUTPUT } from './outputs.ts';
import { RECORD } from './record.ts';
import * as shared from './shared.ts';
import { SWEEP } from './sweep.ts';

export const CODEC = commandSpec({
  name: 'codec',
  help: 'write a codec compiled from the schema of samples, without measuring',
  argument: {
    name: 'samples',
    form: '<sample...>',
    help: 'files, globs, or - for JSON on stdin: one schema is made from all',
  },
  options: {
    /** null: stdout. */
    output: single(
      '-o, --output <file>',
      'write the module, with a test next to it; the extension sets the language: .ts .mts .js .mjs .cjs (default: TypeScript on stdout)',
      (file, option) => (file === '-' ? null : emitFileOf(file, option)),
    ),
    exports: shared.exportsOption(),
    type: single('--type <file#name>', 'the type of the payload: src/types.ts#Page', asTyped),
    runtime: single('-r, --runtime <spec>', 'runtime that reads samples', asTyped, {
      preset: 'node',
      values: RUNTIME_NAMES,
    }),
    as: shared.asOption(),
    withView: {
      ...shared.VIEW,
      conflicts: { with: ['isPatch'], why: ': a patch has nothing to read by column' },
    },
    isPatch: flag('--patch', 'a codec for a state that is posted repeatedly: it sends only what has changed'),
    timeoutMs: shared.timeoutOption(),
    ...shared.FETCHING,
  },
  example: 'clone-prof codec samples/*.json -o src/orders.codec.ts',
});

export type CodecSettings = SettingsOf<typeof CODEC>;

export const REPORT = commandSpec({
  name: 'report',
  help: 'print stored reports and sweeps in any format, join or compare them, or write a codec',
  argument: {
    name: 'files',
    form: '<report...>',
    help: 'files that clone-prof analyze or sweep wrote with -f json or html; - for stdin',
    missing: 'report: name a file that clone-prof analyze -f json wrote',
  },
  options: {
    formats: formatsOption(REPORT_FORMATS),
    output: OUTPUT,
    join: flag(
      '--join',
      'show one payload on several versions of a runtime side by side, instead of comparing them',
    ),
    details: shared.DETAILS,
    keys: shared.KEYS,
    emit: shared.EMIT,
  },
  example: 'clone-prof report before.json now.json',
});

export type ReportSettings = SettingsOf<typeof REPORT>;

export const VERIFY = commandSpec({
  name: 'verify',
  help: 'test the rule book on the installed runtimes',
  argument: {
    name: 'runtimes',
    form: '[runtime...]',
    help: 'node, bun@1.4, deno, a path to a binary (default: node, and bun and deno if installed)',
    values: RUNTIME_NAMES,
  },
  options: { format: shared.TERMINAL_OR_JSON, timeoutMs: shared.timeoutOption(), ...shared.FETCHING },
  example: 'clone-prof verify node bun@1.4 deno',
});

export type VerifySettings = SettingsOf<typeof VERIFY>;

export const RULES = commandSpec({
  name: 'rules',
  help: 'print the rule book: what is fast, what breaks it, since which version',
  argument: {
    name: 'specs',
    form: '[runtime]',
    help: 'bun, node@24, deno, ... (default: all)',
    values: RUNTIME_NAMES,
  },
  options: { format: shared.TERMINAL_OR_JSON },
  example: 'clone-prof rules bun@1.3.9',
});

export type RulesSettings = SettingsOf<typeof RULES>;

export const EXPLAIN = commandSpec({
  name: 'explain',
  help: 'explain a word of a report: a rule, path, class, rewrite, limit or error code',
  argument: {
    name: 'words',
    form: '<word...>',
    help: 'nested-value, degraded, packed-array, guest-timeout, ...',
  },
  options: {},
  example: 'clone-prof explain holey-array',
});

export const RUNTIMES = commandSpec({
  name: 'runtimes',
  help: 'list installed runtimes; `add` fetches more through npm, `remove` takes them out of the cache',
  argument: {
    name: 'words',
    form: '[words...]',
    help: 'none (list them), add <spec...> or remove <spec...>',
    values: ['add', 'remove'],
  },
  options: { format: shared.TERMINAL_OR_JSON, ...shared.FETCHING },
  example: 'clone-prof runtimes add bun@1.3.14 node@24 deno@latest',
});

export type RuntimesSettings = SettingsOf<typeof RUNTIMES>;

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const COMPLETION = commandSpec({
  name: 'completion',
  help: 'print what completes commands, options and their values in a shell',
  argument: { name: 'shells', form: '<shell>', help: SHELLS.join(', '), values: SHELLS },
  options: {},
  example: 'eval "$(clone-prof completion bash)"',
});

/** All commands, in the order of the help. */
export const ALL_COMMANDS: readonly CommandSpec[] = [
  ...[ANALYZE, CODEC, RECORD, CHECK, BASELINE, SWEEP, REPORT],
  ...[VERIFY, RULES, EXPLAIN, RUNTIMES, COMPLETION],
];
