import type { CommandFlags } from './flags.ts';
import { milliseconds, parseOptional, type Typed, textOf, usage } from './values.ts';

export const RECORD: CommandFlags = {
  name: 'record',
  help: 'run a program, or open a page, and record what it posts',
  argument: { form: '<command...>', help: 'the program and its arguments, after --', isCommand: true },
  options: [
    ['-o, --output <file>', 'the recording (default: named after the program, like app.cprof)'],
    ['--values', 'also keep copies of messages (default: shapes only)'],
    ['--mask', 'with --values: replace texts by others of the same length'],
    ['--doctor', 'extend the errors of failed posts: which value was refused, and where it was posted'],
    ['--for <time>', 'end the program after this time (SIGTERM, then SIGKILL), or close the page'],
    ['--url <address>', 'record a page instead of a program, until its tab is closed'],
    [
      '-r, --runtime <browser>',
      'with --url: chromium, chrome, edge, brave (default: the first of these that is installed), or a path',
      { values: ['chromium', 'chrome', 'edge', 'brave'] },
    ],
    ['--headless', 'with --url: no window (default where there is no display)'],
  ],
  example: 'clone-prof record -- node app.js',
};

export type RecordOptions = ReturnType<typeof recordOptions>;

export type PageToRecord = NonNullable<RecordOptions['page']>;

/** What the user typed, validated. @throws ToolError 'usage' */
export function recordOptions({ args, flags }: Typed) {
  const page = pageOf(flags);
  if (page !== null && args.length > 0) throw usage('give --url (a page) or a command after --, not both');
  if (page === null && args.length === 0)
    throw usage('no command given. Name the program: clone-prof record -- node app.js');
  if (flags.mask === true && flags.values !== true)
    throw usage('--mask replaces texts of kept messages: it needs --values');
  const output = textOf(flags.output);
  if (output === '-' || output === '')
    throw usage('--output: stdout belongs to the program. Name a file: -o app.cprof');
  return {
    /** The program and its arguments; empty with a page. */
    command: args,
    page,
    file: output ?? (page === null ? recordingFileOf(args) : recordingFileOfPage(page.address)),
    values: valuesOf(flags),
    doctor: flags.doctor === true,
    /** null: until the program ends. */
    forMs: parseOptional(flags.for, (text) => milliseconds(text, '--for')),
  };
}

const valuesOf = ({ values, mask }: Typed['flags']): 'none' | 'kept' | 'masked' =>
  values === true ? (mask === true ? 'masked' : 'kept') : 'none';

/** `headless`: without a window, even where there is a display. */
function pageOf({ url, runtime, headless }: Typed['flags']) {
  if (url === undefined) {
    for (const [flag, given] of Object.entries({ '--runtime': runtime, '--headless': headless }))
      if (given !== undefined) throw usage(`${flag} is for pages: it needs --url`);
    return null;
  }
  const spec = String(runtime ?? 'chromium');
  if (/^(safari|firefox|webkit|url)\b/.test(spec)) throw otherBrowser(spec);
  return { address: addressGiven(String(url)), runtime: spec, headless: headless === true };
}

export const otherBrowser = (spec: string) =>
  usage(`-r ${spec}: Chromium records pages. Use -r chromium, chrome, edge or brave`);

/** "localhost:5173" is an address too. */
function addressGiven(text: string): string {
  const whole = text.includes('://') ? text : `http://${text}`;
  const address = URL.canParse(whole) ? new URL(whole) : null;
  if (address === null || !['http:', 'https:', 'file:'].includes(address.protocol))
    throw usage(`--url ${text}: not the address of a page, like http://localhost:5173`);
  return address.href;
}

/** "http://localhost:5173/app" -> "localhost_5173.cprof" */
function recordingFileOfPage(address: string): string {
  const { host } = new URL(address);
  return `${host.replace(/[^\w.-]+/g, '_').slice(0, 100) || 'page'}.cprof`;
}

const SCRIPT = /\.[cm]?[jt]sx?$/i;
/** What only starts another program. */
const RUNNERS = new Set([
  ...['node', 'bun', 'bunx', 'deno', 'npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'tsx', 'ts-node', 'env'],
  ...['sh', 'bash', 'run', 'exec', 'dlx', 'x'],
]);

/** Options of Node, Bun and Deno whose value is the next word. */
const WITH_VALUE =
  /^(?:-r|-C|--(?:require|import|preload|loader|experimental-loader|conditions|env-file|config))$/;

/** "node --flag src/app.mjs" -> "app.cprof", "npx vitest run" -> "vitest.cprof" */
function recordingFileOf(command: readonly string[]): string {
  const words = command
    .filter((word, i) => !word.startsWith('-') && !WITH_VALUE.test(command[i - 1] ?? ''))
    .map((word) => word.replace(/^.*[\\/]/s, ''));
  const named = words.find((word) => SCRIPT.test(word)) ?? words.find((word) => !RUNNERS.has(word));
  const name = (named ?? words[0] ?? '').replace(SCRIPT, '').replace(/[^\w.-]+/g, '_');
  return `${name.replace(/^\.+/, '').slice(0, 100) || 'program'}.cprof`;
}
