import { commandSpec, flag, type SettingsOf, single, usage } from './option.ts';
import { milliseconds } from './shared.ts';

const forPages = (option: string) => ({
  needs: { oneOf: ['address'], otherwise: `${option} is for pages: it needs --url` },
});

export const RECORD = commandSpec({
  name: 'record',
  help: 'run a program, or open a page, and record what it posts',
  argument: {
    name: 'command',
    form: '<command...>',
    help: 'the program and its arguments, after --',
    isCommand: true,
  },
  options: {
    output: single(
      '-o, --output <file>',
      'the recording (default: named after the program, like app.cprof)',
      fileName,
    ),
    values: flag('--values', 'keep messages as they are (default: with other values)'),
    mask: flag('--mask', 'with --values: replace texts by others of the same length', {
      needs: { oneOf: ['values'], otherwise: '--mask replaces texts of kept messages: it needs --values' },
    }),
    doctor: flag(
      '--doctor',
      'extend the errors of failed posts: which value was refused, and where it was posted',
    ),
    /** null: until the program ends. */
    forMs: single(
      '--for <time>',
      'end the program after this time, like 10s or 2m (SIGTERM, then SIGKILL), or close the page',
      milliseconds,
    ),
    address: single(
      '--url <address>',
      'record a page instead of a program, until its tab is closed',
      pageAddress,
    ),
    browser: single(
      '-r, --runtime <browser>',
      'with --url: chromium, chrome, edge, brave (default: the first of these that is installed), or a path',
      browserSpec,
      { values: ['chromium', 'chrome', 'edge', 'brave'], ...forPages('--runtime') },
    ),
    headless: flag(
      '--headless',
      'with --url: no window (default where there is no display)',
      forPages('--headless'),
    ),
  },
  example: 'clone-prof record -- node app.js',
  refuses({ address, command }) {
    if (address !== null && command.length > 0) return 'give --url (a page) or a command after --, not both';
    if (address === null && command.length === 0)
      return 'no command given. Name the program: clone-prof record -- node app.js';
    return null;
  },
});

export type RecordSettings = SettingsOf<typeof RECORD>;

function fileName(text: string): string {
  if (text !== '-' && text !== '') return text;
  throw usage('--output: stdout belongs to the program. Name a file: -o app.cprof');
}

/** Address of a page. It may lack its scheme: "localhost:5173". */
function pageAddress(text: string): string {
  const whole = text.includes('://') ? text : `http://${text}`;
  const address = URL.canParse(whole) ? new URL(whole) : null;
  if (address === null || !['http:', 'https:', 'file:'].includes(address.protocol))
    throw usage(`--url ${text}: not the address of a page, like http://localhost:5173`);
  return address.href;
}

function browserSpec(spec: string): string {
  if (/^(safari|firefox|webkit|url)\b/.test(spec)) throw otherBrowser(spec);
  return spec;
}

export const otherBrowser = (spec: string) =>
  usage(`-r ${spec}: Chromium records pages. Use -r chromium, chrome, edge or brave`);
