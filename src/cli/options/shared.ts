/** Options that several commands share, and the functions that read their words. */

import { emitFileOf } from '../../codec/files/codec-names.ts';
import type { Shard } from '../../model/documents/check.ts';
import { guessText, usage } from '../../model/errors.ts';
import { CHANNELS, IPC_CHANNELS, LIBRARIES, RUNTIME_NAMES, SENDERS } from '../../model/names.ts';
import { FORMATS, type FormatName } from '../../model/report/formats.ts';
import { DEFAULTS } from '../../model/run/runtime.ts';
import { parsePath } from '../../value/read/paths.ts';
import {
  asTyped,
  flag,
  isDataWord,
  isPayloadWord,
  type Option,
  several,
  single,
  wholeNumber,
} from './option.ts';

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, min: 60_000 };

/** A bare number is seconds. */
export function milliseconds(text: string, option: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|min)?$/.exec(text.trim());
  const value = match ? Number(match[1]) * (UNITS[match[2] ?? 's'] ?? Number.NaN) : Number.NaN;
  if (value > 0 && Number.isFinite(value)) return value;
  throw usage(`${option}: '${text}' is not a time. Write it like 500ms, 5s or 2m`);
}

const SIZE_UNITS = new Map(Object.entries({ '': 1, k: 1e3, m: 1e6, g: 1e9 }));
const SIZE_RANGE = /^(\d+(?:\.\d+)?)([kmg]?)b?\.\.(\d+(?:\.\d+)?)([kmg]?)b?$/i;

/** "10..10k": two whole sizes, with k, M or G for thousands, millions and billions. */
export function sizeRange(text: string): { from: number; to: number } {
  const [, low = '', lowUnit = '', high = '', highUnit = ''] = SIZE_RANGE.exec(text) ?? [];
  const sizeOf = (digits: string, unit: string) =>
    Math.round(Number(digits) * SIZE_UNITS.get(unit.toLowerCase())!);
  const [from, to] = [sizeOf(low, lowUnit), sizeOf(high, highUnit)];
  if (low !== '' && to >= from) return { from, to };
  throw usage(
    `--scale: '${text}' is not a range of sizes. Write it like 10..10k or 1k..1M, the smaller first`,
  );
}

function transferPath(text: string, option: string): string {
  if (parsePath(text) !== null) return text;
  throw usage(`${option}: '${text}' is not a path. Write it like $.pixels or $.tiles[*].data`);
}

export function fileName(text: string): string {
  if (text !== '-' && text !== '') return text;
  throw usage('--output: stdout belongs to the program. Name a file: -o app.cprof');
}

/** Address of a page. It may lack its scheme: "localhost:5173". */
export function pageAddress(text: string): string {
  const whole = text.includes('://') ? text : `http://${text}`;
  const address = URL.canParse(whole) ? new URL(whole) : null;
  if (address === null || !['http:', 'https:', 'file:'].includes(address.protocol))
    throw usage(`--url ${text}: not the address of a page, like http://localhost:5173`);
  return address.href;
}

export function browserSpec(spec: string): string {
  if (/^(safari|firefox|webkit|url)\b/.test(spec)) throw otherBrowser(spec);
  return spec;
}

export const otherBrowser = (spec: string) =>
  usage(`-r ${spec}: Chromium records pages. Use -r chromium, chrome, edge or brave`);

/** "2/4": the second of four parts. */
export function shardFrom(text: string, option: string): Shard {
  const [, index = 0, count = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= count) return { index, count };
  throw usage(`${option}: '${text}' is not a valid shard. Write it like 1/4`);
}

/** Names for `-c`: "ipc" stands for both channels between processes. */
const CHANNEL_WORDS = [...CHANNELS, 'ipc'] as const;

/** null if none was typed. A program uses only one channel of "ipc", depending on the way it starts the process. */
export function channelsOf(words: readonly (typeof CHANNEL_WORDS)[number][]) {
  const channels = words.flatMap((word) => (word === 'ipc' ? IPC_CHANNELS : [word]));
  return channels.length === 0 ? null : [...new Set(channels)];
}

export const FETCHING = {
  offline: flag('--offline  never fetch a runtime'),
  projectNpmrc: flag(
    '--project-npmrc  also use the .npmrc of this folder to fetch runtimes: its registry and credentials',
  ),
};

export const listenRefusal = ({ listen, runtimes }: { listen: string | null; runtimes: string[] }) =>
  listen === null || runtimes.includes('url')
    ? null
    : `--listen ${listen} says where the link of -r url is served`;

export const sitesOptions = (preset: string) => ({
  top: single(
    `--top <n>  for a recording: the n most expensive call sites (default: ${preset})`,
    wholeNumber(1, 99_999, 'a number of sites,'),
  ),
  site: single(
    '--site <text>  for a recording: the call site of this name in a report, or those whose file:line or library contains it',
    asTyped,
  ),
});

export const DETAILS = flag(
  '--details  terminal format: also the distribution, memory, all rewrites, causes and conditions',
);

export const KEYS = flag(
  '--keys  reports to share keep keys that look like data, such as addresses and numbers (default: .*)',
);

export const VIEW = flag(
  '--view  add viewMessage to the codec: it reads lists of records by column, without building them',
);

export const EMIT = single(
  '--emit <file>  write the advised codec as a module, with a test next to it: orders.codec.ts ({id}: one for each payload)',
  (file) => emitFileOf(file),
);

export const runtimesOption = (help: string, values: readonly string[] = RUNTIME_NAMES) =>
  several(`-r, --runtime <spec...>  ${help}`, asTyped, { values });

export const budgetOption = (
  help = 'measuring time per payload and runtime, like 500ms, 5s or 2m',
  preset: number = DEFAULTS.budgetMs,
) => single(`-b, --budget <time>  ${help}`, milliseconds, { preset: `${preset / 1000}s` });

export const TOTAL_BUDGET = single(
  '--total <time>  one budget for the whole run, like 2m; --budget is then the initial maximum for each payload and runtime',
  milliseconds,
);

const TERMINAL_OR_JSON_FORMATS = ['terminal', 'json'] as const;

export const TERMINAL_OR_JSON = single('-f, --format <format>  how to print', TERMINAL_OR_JSON_FORMATS, {
  choices: TERMINAL_OR_JSON_FORMATS,
  preset: 'terminal',
});

export const timeoutOption = (beyond = '') =>
  single(`--timeout <time>  how long to wait for a guest process${beyond}`, milliseconds, {
    preset: `${DEFAULTS.timeoutMs / 1000}s`,
  });

/** Options for the place of a measurement. @param channels the default, for the help */
export const placeOptions = (channels: string) => ({
  runtimes: runtimesOption(
    'node, bun@1.4, deno, workerd, chromium, firefox, webkit, electron (of the project), url (any browser that opens a link), a path to a binary (default: node, and bun and deno if installed)',
    [...RUNTIME_NAMES, 'url'],
  ),
  channels: several(
    `-c, --channel <name...>  how the value travels: ${CHANNELS.join(', ')}, ipc for both of ipc-json and ipc-advanced (default: ${channels})`,
    CHANNEL_WORDS,
  ),
  sender: single(
    '--sender <thread>  the thread of a browser page that posts: its main one, or a worker (default: main)',
    SENDERS,
    { choices: SENDERS },
  ),
});

const NAMES = several('-e, --export <name...>  only these exports of a module', asTyped);

export const EXPORTS: Option<string[] | null> = {
  ...NAMES,
  parse: (given) => (given === undefined ? null : NAMES.parse(given)),
};

const KINDS = ['text', 'bytes', 'json'] as const;

export const AS = single('--as <kind>  read files as text, bytes or json, whatever their extension', KINDS);

export const SEED = single('--seed <n>  seed of every random choice', wholeNumber(0, 0xffffffff), {
  preset: `${DEFAULTS.seed}`,
});

/** Options for reading and measuring. */
export const MEASURING = {
  as: AS,
  seed: SEED,
  timeoutMs: timeoutOption(' beyond its budget'),
  listen: single(
    '--listen <address>  bind the server of -r url to this address of this machine (default: 127.0.0.1)',
    asTyped,
  ),
  ...FETCHING,
};

export const TRANSFER = several(
  '-t, --transfer <path...>  paths of the buffers in the transfer list (moved, not copied), such as $.pixels',
  transferPath,
  { takes: (word) => word.startsWith('$') || !isPayloadWord(word) },
);

const VIA_HELP = 'post as a worker library does, in its envelope';

export const VIA_ONE = single(`--via <library>  ${VIA_HELP}`, LIBRARIES, { choices: LIBRARIES });

export const VIA = several(`--via <library...>  ${VIA_HELP}`, LIBRARIES, { choices: LIBRARIES });

export interface Output<Format extends string> {
  format: Format;
  /** null: stdout. */
  file: string | null;
}

/** Formats of files for `-o` without `-f`, the longest extension first: `.sarif.json` is not `.json`. */
const ENDINGS = (Object.keys(FORMATS) as FormatName[])
  .flatMap((format) => FORMATS[format].endings.map((ending): [string, FormatName] => [ending, format]))
  .sort(([one], [other]) => other.length - one.length);

/** True for formats that can share stdout. */
const isLines = (format: FormatName): boolean => 'isLines' in FORMATS[format];

/** A word of `-f`: "json", or "json=report.json". */
export interface FormatWord<Format> {
  format: Format;
  /** undefined: the word does not name a file. "-": stdout. */
  file: string | undefined;
}

export interface OutputSettings<Format> {
  formats: FormatWord<Format>[];
  output: string[];
}

const partsOf = (word: string) => /^([a-z]+)=(.+)$/s.exec(word) ?? [];

export const formatsOption = <Format extends FormatName>(known: readonly Format[]) =>
  several(
    `-f, --format <format...>  how to print: ${known.join(', ')}; with a file: json=report.json (default: terminal)`,
    (word): FormatWord<Format> => {
      const [, name = word, file] = partsOf(word);
      const format = known.find((one) => one === name);
      if (format !== undefined) return { format, file };
      throw usage(
        `--format: '${name}' is unknown.${guessText(name, known)} Known: ${known.join(', ')}; each may have a file: json=report.json`,
      );
    },
    {
      values: known,
      takes: (word) => partsOf(word).length > 0 || !(isDataWord(word) || /[./*\\]/.test(word)),
    },
  );

/** Repeatable, but not variadic: a variadic option would take the payload behind it and overwrite that file. */
export const OUTPUT = several(
  '-o, --output <file>  write the result to a file; its extension sets the format (repeatable; - is stdout)',
  asTyped,
  { repeatable: true },
);

/** Outputs of `-f terminal github sarif=out.sarif -o out.json`. @throws ToolError 'usage' */
export function outputsOf<Format extends FormatName>(
  known: readonly Format[],
  { formats, output }: OutputSettings<Format>,
): Output<Format>[] {
  const bare = formats.flatMap(({ format, file }) => (file === undefined ? format : []));
  const complete = formats.flatMap(({ format, file }) =>
    file === undefined ? [] : { format, file: file === '-' ? null : file },
  );
  const outputs = [...complete, ...paired(bare, output, known)];
  if (outputs.length === 0) outputs.push(...paired([], ['-'], known));
  refuseSharing(outputs);
  return outputs;
}

/** Outputs of a measurement. It is printed on stdout too, unless `-f` is given: then `-f` names all outputs. */
export function measuredOutputs<Format extends FormatName>(
  known: readonly Format[],
  settings: OutputSettings<Format>,
): readonly Output<Format | 'terminal'>[] {
  const outputs = outputsOf(known, settings);
  const isPrinted = outputs.some(({ format, file }) => format === 'terminal' || file === null);
  return isPrinted || settings.formats.length > 0
    ? outputs
    : [...outputs, { format: 'terminal', file: null }];
}

/**
 * The extension of a file decides its format, unless a single document and a single file are named: `-f json -o
 * report.log`. Formats without a file go to stdout, and so does the file `-`.
 */
function paired<Format extends FormatName>(
  bare: readonly Format[],
  files: readonly string[],
  known: readonly Format[],
): Output<Format>[] {
  const left = new Set(bare);
  const take = (format: Format | undefined) => {
    if (format !== undefined) left.delete(format);
    return format;
  };
  const [only] = bare.length === 1 && files.length === 1 ? bare : [];
  const document = only !== undefined && !isLines(only) ? only : undefined;
  // Known extensions choose first. The remaining formats go to the other files in the order of the command line.
  const formats = files.map((file) => take(document ?? formatOfFile(file, known)));
  const written = files.map((file, i) => {
    const format = formats[i] ?? take([...left][0]);
    if (format !== undefined) return { format, file: file === '-' ? null : file };
    if (file === '-') return { format: known[0]!, file: null };
    throw unknownEnding(file, known);
  });
  return [...written, ...[...left].map((format) => ({ format, file: null }))];
}

function formatOfFile<Format extends FormatName>(file: string, known: readonly Format[]): Format | undefined {
  const [, format] = ENDINGS.find(([ending]) => file.toLowerCase().endsWith(ending)) ?? [];
  return known.find((one) => one === format);
}

function unknownEnding(file: string, known: readonly FormatName[]) {
  if (file === '') return usage('--output: the name of the file is empty');
  const endings = known.flatMap((format) => FORMATS[format].endings);
  return usage(
    `--output: the extension of '${file}' is not known. Known: ${endings.join(', ')}; or name the format: -f json`,
  );
}

function refuseSharing(outputs: readonly Output<FormatName>[]): void {
  const onStdout = outputs.filter(({ file }) => file === null);
  const document = onStdout.find(({ format }) => !isLines(format));
  if (document === undefined || onStdout.length === 1) return;
  const { format } = document;
  throw usage(`--format: ${format} cannot share stdout with another format. Give it a file: ${format}=FILE`);
}
