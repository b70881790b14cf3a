/** `--try`: what is wrong is one line and exit code 2; a rewrite that does harm is refused, and the others are told. */
import { ToolError } from '../../src/model/errors.ts';
import { triedIn } from '../../src/model/rules/tried.ts';
import type { GuestRequest } from '../../src/model/wire/wire.ts';
import { testQuick } from './corpus.ts';

const REWRITE = 'export const apply = (value) => value;\nexport const restore = (message) => message;\n';
const TRANSFERS = `${REWRITE}export const transfer = () => [];\n`;
const asDefault = (name: string, title: string, more = '') =>
  `export default { name: '${name}', title: '${title}', apply: (value) => value, restore: (message) => message${more} };\n`;

const files = {
  'rows.json': JSON.stringify(Array.from({ length: 40 }, (_, id) => ({ id, at: { x: id } }))),
  'mine.mjs': REWRITE,
  '\u202eevil\u001b[31m.mjs': REWRITE,
};

const runsTry = (ask: GuestRequest): boolean =>
  (ask.type === 'prove' && ask.plans.some(({ plan }) => triedIn(plan) !== null)) ||
  (ask.type === 'measure' && ask.variants.some(({ plan }) => triedIn(plan) !== null));

const crashed = new ToolError('guest-crashed', { detail: 'signal SIGSEGV' });

testQuick('try', [
  {
    name: 'no such serializer',
    args: ['analyze', 'rows.json', '--try', 'msgpack'],
    files,
    exit: 2,
    stderr: /^clone-prof: --try: 'msgpack' is neither a file nor a known serializer: msgpackr, /,
  },
  {
    name: 'a serializer that is not installed',
    args: ['analyze', 'rows.json', '--try', 'msgpackr'],
    files,
    exit: 2,
    stderr: /^clone-prof: --try: msgpackr is not installed in .*Install it: npm install msgpackr$/,
  },
  {
    name: 'a module that is not there',
    args: ['analyze', 'rows.json', '--try', './\u001b[31mnone.mjs'],
    files,
    exit: 2,
    stderr: /none\.mjs: no such file/,
  },
  {
    name: 'without measuring',
    args: ['analyze', 'rows.json', '--try', 'mine.mjs', '--no-measure'],
    files,
    exit: 2,
    stderr: /^clone-prof: --try cannot be combined with --no-measure/,
  },
  {
    name: 'a payload after it is a payload, and data is never a rewrite',
    args: ['analyze', '--try', './mine.mjs', 'rows.json'],
    files,
    script: { times: { of: { 'mine.mjs/with-conversion': { roundTrip: 20_000 } } } },
    exit: 0,
    stderr: null,
    stdout: /^rows {2}rows\.json[\s\S]*Apply mine\.mjs \(your module\), 5\.0x faster/,
  },
  {
    name: 'its guest crashes: refused, and the others are timed',
    args: ['analyze', 'rows.json', '--try', 'mine.mjs'],
    files,
    script: {
      times: { of: { 'json-text/with-conversion': { roundTrip: 30_000 } } },
      fails: (ask) => (runsTry(ask) ? crashed : null),
    },
    exit: 0,
    stderr: null,
    stdout: /Apply json-text[\s\S]*mine\.mjs was refused: mine\.mjs: the runtime crashed/,
  },
  {
    name: 'it ends each process that times it, after it was rehearsed: the others are timed without it',
    args: ['analyze', 'rows.json', '--try', 'mine.mjs'],
    files,
    script: {
      times: { of: { 'json-text/with-conversion': { roundTrip: 30_000 } } },
      fails: (ask) => (ask.type === 'measure' && ask.sliceMs > 1 && runsTry(ask) ? crashed : null),
    },
    exit: 0,
    stderr: null,
    stdout: /Apply json-text[\s\S]*mine\.mjs was refused: mine\.mjs: the runtime crashed/,
  },
  {
    name: 'a lossy one is told with its paths, and never advised',
    args: ['analyze', 'rows.json', '--try', 'mine.mjs'],
    files,
    script: {
      times: { of: { 'mine.mjs/with-conversion': { roundTrip: 20_000 } } },
      proofs: {
        'mine.mjs': { equality: 'lossy', losses: [{ path: '$[3].at', what: 'object became null' }] },
      },
    },
    exit: 0,
    stderr: null,
    stdout: /mine\.mjs is lossy: \$\[3\]\.at: object became null/,
    never: /Apply mine/,
  },
  {
    name: 'names and titles from outside',
    args: ['analyze', 'rows.json', '--try', '\u202eevil\u001b[31m.mjs'],
    files,
    script: {
      times: { of: { 'with-conversion': { roundTrip: 20_000 } } },
      proofs: {
        '\u202eevil\u001b[31m.mjs': {
          equality: 'lossy',
          losses: [{ path: '$', what: '::error::\u001b[2J' }],
          about: { name: '::error::\u2028x', title: '\u001b[31m', isDefault: false, transfers: false },
        },
      },
    },
    exit: 0,
    stderr: null,
    stdout: /is lossy/,
  },
  {
    name: 'the name of a remedy is not taken',
    args: ['analyze', 'rows.json', '--try', 'mine.mjs', '-f', 'json'],
    files: { ...files, 'mine.mjs': asDefault('compiled', 'best', ', transfer: () => []') },
    exit: 0,
    stderr: null,
    stdout:
      /"remedy": "mine\.mjs",\s+"path": "\$",\s+"plan": \{\s+"path": "\$",\s+"module": "mine\.mjs",\s+"title": "best"\s+\}/,
    never: /"file": "\/|"tried"/,
  },
  {
    name: 'the code is the call with the own import, of exports',
    args: ['analyze', 'rows.json', '--try', 'mine.mjs'],
    files: { ...files, 'mine.mjs': TRANSFERS },
    script: { times: { of: { 'mine.mjs/with-conversion': { roundTrip: 20_000 } } } },
    exit: 0,
    stderr: null,
    stdout:
      /import \{ apply, transfer \} from '\.\/mine\.mjs';\n\nconst message = apply\(payload\);\nworker\.postMessage\(message, transfer\(message\)\);\n\n.*receiver\nimport \{ restore \} from '\.\/mine\.mjs';\n\nconst payload = restore\(message\);/,
  },
  {
    name: 'and of a default export, under the name that the module gives',
    args: ['analyze', 'rows.json', '--try', 'mine.mjs'],
    files: { ...files, 'mine.mjs': asDefault('own rows', 'packed') },
    script: { times: { of: { 'own rows/with-conversion': { roundTrip: 20_000 } } } },
    exit: 0,
    stderr: null,
    stdout:
      /Apply own rows \(packed\), 5\.0x[\s\S]*import rewrite from '\.\/mine\.mjs';\n\nworker\.postMessage\(rewrite\.apply\(payload\)\);/,
  },
]);
