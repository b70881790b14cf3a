/** All commands as data: their help, which is also the source of completion and the manual page. */

import { emitFileOf } from '../../codec/files/codec-names.ts';
import { ToolError } from '../../model/errors.ts';
import { RUNTIME_NAMES, SERIALIZER_NAMES } from '../../model/names.ts';
import { CHECK_FORMATS, REPORT_FORMATS, SWEEP_FORMATS } from '../../model/report/formats.ts';
import { DEFAULTS } from '../../model/run/runtime.ts';
import { DIMENSIONS, PRESET_NAMES } from '../../model/vocabulary/words.ts';
import {
  argument,
  asTyped,
  type CommandSpec,
  commandSpec,
  flag,
  isDataWord,
  type SettingsOf,
  several,
  single,
  wholeNumber,
} from './option.ts';
import * as shared from './shared.ts';
import { formatsOption, measuredOutputs, OUTPUT } from './shared.ts';

const POSTS = { conflicts: ['measure'] };

export const ANALYZE = commandSpec({
  name: 'analyze',
  help: 'classify, measure and recommend (the main job)',
  argument: argument('payloads', '<payload...>  files, recordings (.cprof), globs, or - for JSON on stdin', {
    missing: new ToolError('no-input').message,
  }),
  options: {
    ...shared.placeOptions('worker'),
    ...shared.sitesOptions('95 % of the cost, at most 10'),
    exports: shared.EXPORTS,
    transfer: shared.TRANSFER,
    via: shared.VIA,
    tries: several(
      `--try <file|package...>  also prove and time this rewrite: a module with apply and restore, or ${SERIALIZER_NAMES.join(', ')}`,
      asTyped,
      // A module behind it is a rewrite, not a payload.
      { values: SERIALIZER_NAMES, takes: (word) => !isDataWord(word), ...POSTS },
    ),
    formats: formatsOption(REPORT_FORMATS),
    output: OUTPUT,
    quiet: flag('-q, --quiet  terminal format: only the summary, a row for each payload and runtime'),
    details: { ...shared.DETAILS, conflicts: ['quiet'] },
    keys: shared.KEYS,
    budgetMs: shared.budgetOption(),
    totalMs: { ...shared.TOTAL_BUDGET, ...POSTS },
    measure: flag('--no-measure  classify only'),
    watch: flag(
      '--watch  with --no-measure: classify again when a file that was read changes, until Ctrl-C',
      { needs: 'measure' },
    ),
    byPath: flag('--by-path  measure what each branch of the payload costs, by leaving it out', POSTS),
    profile: {
      ...single(
        '--profile [dir]  write CPU and heap profiles of both threads, for DevTools (default dir: profiles)',
        asTyped,
        POSTS,
      ),
      parse: (given) => (given === undefined ? null : given === true ? 'profiles' : String(given)),
    },
    emit: { ...shared.EMIT, ...POSTS },
    assumeIntegers: flag(
      '--assume-integers  encode numbers that are 32-bit integers in the sample as integers; others are sent unchanged',
    ),
    withView: shared.VIEW,
    one: flag(
      '--one  all inputs are samples of one payload: the first is measured, codecs are compiled from all',
    ),
    ...shared.MEASURING,
  },
  example: 'clone-prof analyze payload.json -r node bun@1.4 deno',
  refuses(settings) {
    if (settings.watch && settings.payloads.includes('-')) return '--watch: stdin is read once. Name a file';
    const isTerminal = measuredOutputs(REPORT_FORMATS, settings).some(({ format }) => format === 'terminal');
    if ((settings.quiet || settings.details) && !isTerminal)
      return '--quiet and --details are for the format terminal, which was not requested';
    return shared.listenRefusal(settings);
  },
});

export type AnalyzeSettings = SettingsOf<typeof ANALYZE>;

export const CODEC = commandSpec({
  name: 'codec',
  help: 'write a codec compiled from the schema of samples, without measuring',
  argument: argument(
    'samples',
    '<sample...>  files, globs, or - for JSON on stdin: one schema is made from all',
  ),
  options: {
    /** null: stdout. */
    output: single(
      '-o, --output <file>  write the module, with a test next to it; the extension sets the language: .ts .mts .js .mjs .cjs (default: TypeScript on stdout)',
      (file, option) => (file === '-' ? null : emitFileOf(file, option)),
    ),
    exports: shared.EXPORTS,
    type: single('--type <file#name>  the type of the payload: src/types.ts#Page', asTyped),
    runtime: single('-r, --runtime <spec>  runtime that reads samples', asTyped, {
      preset: 'node',
      values: RUNTIME_NAMES,
    }),
    as: shared.AS,
    withView: { ...shared.VIEW, conflicts: ['isPatch'] },
    isPatch: flag('--patch  a codec for a state that is posted repeatedly: it sends only what has changed'),
    timeoutMs: shared.timeoutOption(),
    ...shared.FETCHING,
  },
  example: 'clone-prof codec samples/*.json -o src/orders.codec.ts',
});

export type CodecSettings = SettingsOf<typeof CODEC>;

export const RECORD = commandSpec({
  name: 'record',
  help: 'run a program, or open a page, and record what it posts',
  argument: argument('command', '<command...>  the program and its arguments, after --', { isCommand: true }),
  options: {
    output: single(
      '-o, --output <file>  the recording (default: named after the program, like app.cprof)',
      shared.fileName,
    ),
    values: flag('--values  keep messages as they are (default: with other values)'),
    mask: flag('--mask  with --values: replace texts by others of the same length', {
      needs: 'values',
    }),
    doctor: flag(
      '--doctor  extend the errors of failed posts: which value was refused, and where it was posted',
    ),
    /** null: until the program ends. */
    forMs: single(
      '--for <time>  end the program after this time, like 10s or 2m (SIGTERM, then SIGKILL), or close the page',
      shared.milliseconds,
    ),
    address: single(
      '--url <address>  record a page instead of a program, until its tab is closed',
      shared.pageAddress,
    ),
    browser: single(
      '-r, --runtime <browser>  with --url: chromium, chrome, edge, brave (default: the first of these that is installed), or a path',
      shared.browserSpec,
      { values: ['chromium', 'chrome', 'edge', 'brave'], needs: 'address' },
    ),
    headless: flag('--headless  with --url: no window (default where there is no display)', {
      needs: 'address',
    }),
  },
  example: 'clone-prof record -- node app.js',
  refuses({ address, command }) {
    if (address !== null && command.length > 0) return 'give --url (a page) or a command after --, not both';
    if (address === null && command.length === 0)
      return 'no command given. Name the program: npx clone-prof record -- node app.js';
    return null;
  },
});

export type RecordSettings = SettingsOf<typeof RECORD>;

/** At most as many as a matrix of GitHub has jobs. */
const RUNNERS = wholeNumber(1, 256, 'a number of runners');

/** Options of `check` and `baseline`. */
const GATE_OPTIONS = {
  config: single(
    '--config <file>  the config (default: clone-prof.config.{json,mjs,js,ts} or package.json)',
    asTyped,
  ),
  samples: flag(
    '--samples  keep a copy of each payload in the baseline, for limits on time and memory (up to 64 kB)',
  ),
  mask: flag('--mask  with --samples: replace texts by others of equal length', {
    needs: 'samples',
  }),
  timeoutMs: shared.timeoutOption(),
  ...shared.FETCHING,
};

export const CHECK = commandSpec({
  name: 'check',
  help: 'compare payloads with limits, a baseline or a commit; exit 1 on a regression',
  argument: argument('payloads', '[payload...]  names or files of payloads (default: all of the config)'),
  options: {
    formats: formatsOption(CHECK_FORMATS),
    runtimes: shared.runtimesOption(
      'runtimes, instead of those in the config: node, bun@1.4, chromium, a path to a binary',
    ),
    output: OUTPUT,
    keys: shared.KEYS,
    budgetMs: shared.budgetOption(),
    totalMs: shared.TOTAL_BUDGET,
    watch: flag('--watch  check again when a file that was read changes, until Ctrl-C', {
      conflicts: ['init', 'merge', 'accept', 'fixCodec'],
    }),
    accept: flag('--accept  write the current facts to the baseline, and print what changed', {
      conflicts: ['shard'],
    }),
    fixCodec: flag('--fix-codec  regenerate the codecs of the config that do not fit their payloads', {
      conflicts: ['init', 'merge', 'accept', 'base'],
    }),
    base: single(
      '--base <commit>  compare with this commit, branch or tag: facts, and time in the same run; no baseline is used',
      asTyped,
      { conflicts: ['init', 'merge', 'accept'] },
    ),
    baseline: single(
      '--baseline <file>  the baseline, which must be there, instead of that of the config',
      asTyped,
      { conflicts: ['base', 'init', 'merge'] },
    ),
    allowRemoved: flag('--allow-removed  with --base: what "removed" of the config names may be gone', {
      needs: 'base',
    }),
    init: flag('--init  write a config and a CI workflow; nothing is overwritten', {
      conflicts: ['merge', 'accept', 'shard'],
    }),
    shards: single('--shards <n>  with --init: number of CI runners for the payloads', RUNNERS, {
      needs: 'init',
    }),
    shard: single('--shard <i/n>  check only this part of payloads and runtimes, like 1/4', shared.shardFrom),
    merge: several('--merge <report...>  merge the JSON reports of shards into one', asTyped, {
      takes: () => true,
      conflicts: ['accept', 'shard'],
    }),
    expect: single(
      '--expect <config>  with --merge: refuse shards that did not check all of this config',
      asTyped,
      { needs: 'merge' },
    ),
    seed: shared.SEED,
    ...GATE_OPTIONS,
    samples: {
      ...GATE_OPTIONS.samples,
      needs: 'accept',
    },
  },
  example: 'clone-prof check -f terminal junit=report.xml',
});

export type CheckSettings = SettingsOf<typeof CHECK>;

export const BASELINE = commandSpec({
  name: 'baseline',
  help: 'write the facts that check compares with',
  argument: argument(
    'payloads',
    '[payload...]  names or files of payloads, or recordings (default: all of the config)',
  ),
  options: {
    ...GATE_OPTIONS,
    ...shared.sitesOptions('95 % of the cost, at most 20'),
    measure: flag(
      '--no-measure  accepted, but without effect: a baseline holds only facts; nothing is measured',
    ),
  },
  example: 'clone-prof baseline',
});

export type BaselineSettings = SettingsOf<typeof BASELINE>;

export const SWEEP = commandSpec({
  name: 'sweep',
  help: 'cost against size for each strategy; where they cross',
  argument: argument('payloads', '[payload...]  one file, or - for JSON on stdin'),
  options: {
    preset: single(`--preset <name>  redo a published benchmark: ${PRESET_NAMES.join(', ')}`, PRESET_NAMES, {
      conflicts: ['scale', 'by'],
    }),
    scale: single(
      '--scale <from..to>  sizes, like 10..10k (default: a hundredth to ten times the payload)',
      shared.sizeRange,
    ),
    steps: single('--steps <n>  how many sizes; a few more follow near crossovers', wholeNumber(2, 40), {
      preset: `${DEFAULTS.sweepSteps}`,
    }),
    by: single(
      '--by <what>  what grows: items, chars, keys or bytes (default: the largest part of the payload)',
      DIMENSIONS,
    ),
    ...shared.placeOptions('worker, or as published'),
    exports: shared.EXPORTS,
    via: shared.VIA_ONE,
    formats: formatsOption(SWEEP_FORMATS),
    output: OUTPUT,
    budgetMs: shared.budgetOption(
      'measuring time for all sizes on one runtime, like 30s or 2m',
      DEFAULTS.sweepMs,
    ),
    totalMs: shared.TOTAL_BUDGET,
    ...shared.MEASURING,
  },
  example: 'clone-prof sweep payload.json --scale 10..10k -r node bun',
  refuses(settings) {
    const { preset, payloads } = settings;
    if (preset === null && payloads.length === 0)
      return `no payload given. Name a file: npx clone-prof sweep payload.json, or a published benchmark: --preset ${PRESET_NAMES[0]}`;
    return preset !== null && payloads.length > 0
      ? `--preset ${preset} has its own payloads: leave out ${payloads[0]}`
      : shared.listenRefusal(settings);
  },
});

export type SweepSettings = SettingsOf<typeof SWEEP>;

export const REPORT = commandSpec({
  name: 'report',
  help: 'print stored reports and sweeps in any format, join or compare them, or write a codec',
  argument: argument(
    'files',
    '<report...>  files that clone-prof analyze or sweep wrote with -f json or html; - for stdin',
    { missing: 'report: name a file that clone-prof analyze -f json wrote' },
  ),
  options: {
    formats: formatsOption(REPORT_FORMATS),
    output: OUTPUT,
    join: flag(
      '--join  show one payload on several versions of a runtime side by side, instead of comparing them',
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
  argument: argument(
    'runtimes',
    '[runtime...]  node, bun@1.4, deno, a path to a binary (default: node, and bun and deno if installed)',
    { values: RUNTIME_NAMES },
  ),
  options: { format: shared.TERMINAL_OR_JSON, timeoutMs: shared.timeoutOption(), ...shared.FETCHING },
  example: 'clone-prof verify node bun@1.4 deno',
});

export type VerifySettings = SettingsOf<typeof VERIFY>;

export const RULES = commandSpec({
  name: 'rules',
  help: 'print the rule book: what is fast, what breaks it, since which version',
  argument: argument('specs', '[runtime]  bun, node@24, deno, ... (default: all)', { values: RUNTIME_NAMES }),
  options: { format: shared.TERMINAL_OR_JSON },
  example: 'clone-prof rules bun@1.3.9',
});

export type RulesSettings = SettingsOf<typeof RULES>;

export const EXPLAIN = commandSpec({
  name: 'explain',
  help: 'explain a word of a report: a rule, path, class, rewrite, limit or error code',
  argument: argument('words', '<word...>  nested-value, degraded, packed-array, guest-timeout, ...'),
  options: {},
  example: 'clone-prof explain holey-array',
});

export const RUNTIMES = commandSpec({
  name: 'runtimes',
  help: 'list installed runtimes; `add` fetches more through npm, `remove` takes them out of the cache',
  argument: argument('words', '[words...]  none (list them), add <spec...> or remove <spec...>', {
    values: ['add', 'remove'],
  }),
  options: { format: shared.TERMINAL_OR_JSON, ...shared.FETCHING },
  example: 'clone-prof runtimes add bun@1.3.14 node@24 deno@latest',
});

export type RuntimesSettings = SettingsOf<typeof RUNTIMES>;

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const COMPLETION = commandSpec({
  name: 'completion',
  help: 'print what completes commands, options and their values in a shell',
  argument: argument('shells', `<shell>  ${SHELLS.join(', ')}`, { values: SHELLS }),
  options: {},
  example: 'eval "$(clone-prof completion bash)"',
});

export const ALL_COMMANDS: readonly CommandSpec[] = [
  ...[ANALYZE, CODEC, RECORD, CHECK, BASELINE, SWEEP, REPORT],
  ...[VERIFY, RULES, EXPLAIN, RUNTIMES, COMPLETION],
];
