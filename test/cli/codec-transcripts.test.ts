import { type Transcript, testTranscripts } from './transcript.ts';

const ORDERS = JSON.stringify({
  orders: [
    { id: 1, note: 'first', total: 9.5 },
    { id: 2, note: null, total: 12 },
  ],
});
const OTHERS = JSON.stringify({ orders: [{ id: 3, note: 'x', total: 1, gift: true }] });
const TRADES = `interface Trade { id: number; currency: 'EUR' | 'USD' }
export const trades: Trade[] = [{ id: 1, currency: 'EUR' }];
export const none = (): Trade[] => [];
`;
const EVENTS = '{"type":"a","n":1}\n{"type":"a","n":2.5}\n{"type":"b"}\n';
/** So many kinds of records that no codec is made. */
const MANY = JSON.stringify(
  Object.fromEntries(
    Array.from({ length: 150 }, (_, at) => [
      `k${at}`,
      { [`a${at}`]: at, [`b${at}`]: 'x', c: [at % 2 === 0, { [`d${at}`]: null }] },
    ]),
  ),
);

const TRANSCRIPTS: Transcript[] = [
  {
    name: 'codec',
    args: 'codec orders.json -o src/orders.codec.ts',
    scenario: {
      files: { 'orders.json': ORDERS },
      shows: ['src/orders.codec.test.ts'],
    },
  },
  {
    name: 'codec-view',
    says: [
      'export function viewMessage(message: Message): OrdersView {',
      'note: N lines, from orders.json',
      'note: assumes the keys of 2 records; 32-bit integers at $.orders[*].id. What does not fit is cloned in its place',
    ],
    args: 'codec orders.json --view',
    scenario: { files: { 'orders.json': ORDERS } },
  },
  {
    name: 'codec-patch',
    says: [
      'export type Message = { from: string; at: number } & ({ whole: Payload } | { patch: Patch });',
      'note: N lines, from orders.json',
      'note: the receiver must get every message, or ask for a whole one, and must not change what it gets',
    ],
    args: 'codec orders.json --patch',
    scenario: { files: { 'orders.json': ORDERS } },
  },
  {
    name: 'codec-view-none',
    says: [
      'note: N lines, from events.ndjson',
      'note: assumes the keys of 1 record. What does not fit is cloned in its place',
      'note: no viewMessage: there is no list of records that hold texts, numbers, booleans and dates alone, all with the same keys',
    ],
    args: 'codec events.ndjson --view -o events.codec.ts',
    scenario: { files: { 'events.ndjson': EVENTS } },
  },
  {
    name: 'codec-of-several',
    says: [
      'note: N lines, from 2 files, as one schema',
      'note: assumes the keys of 2 records; 32-bit integers at $.orders[*].id. What does not fit is cloned in its place',
    ],
    args: 'codec orders.json others.json -o orders.codec.mjs',
    scenario: {
      files: { 'orders.json': ORDERS, 'others.json': OTHERS },
    },
  },
  {
    name: 'codec-of-lines',
    says: [
      'note: N lines, from events.ndjson',
      'note: assumes the keys of 1 record. What does not fit is cloned in its place',
      "const sample = async () => JSON.parse(readFileSync(file, 'utf8').split('\\n')[1]);",
    ],
    args: 'codec events.ndjson -o events.codec.cjs',
    scenario: { files: { 'events.ndjson': EVENTS }, shows: ['events.codec.test.cjs'] },
  },
  {
    name: 'codec-of-exports',
    says: [
      'wrote m.js wrote m.test.js',
      'note: N lines, from m.mjs',
      'note: assumes the keys of 1 record; 32-bit integers at $[*].a. What does not fit is cloned in its place',
      "import { rows as exported } from './m.mjs';",
    ],
    args: 'codec m.mjs -o m.js -e rows',
    scenario: {
      files: { 'm.mjs': 'export const rows = [];\nexport const other = 1;\n' },
      script: { values: { 'm#rows': [{ a: 1 }], 'm#other': 1 } },
      shows: ['m.test.js'],
    },
  },
  {
    name: 'codec-of-typescript',
    says: [
      'note: N lines, from data/trades.ts',
      "import type * as source from '../data/trades.js';",
      'export type Payload = typeof source.trades extends (...args: never[]) => infer Made',
      'export interface Trade { id: number; currency: string }',
      'export function toMessage(payload: Payload, onMiss?: (path: string) => void): Message {',
    ],
    args: 'codec data/trades.ts -e trades -o src/trades.codec.ts',
    scenario: {
      files: { 'data/trades.ts': TRADES },
      script: { values: { 'trades#trades': [{ id: 1, currency: 'EUR' }] } },
      shows: ['src/trades.codec.ts'],
    },
  },
  {
    name: 'codec-of-two-exports-of-typescript',
    says: [
      'note: N lines, from trades.ts',
      'note: assumes the keys of 1 record; 32-bit integers at $[*].id. What does not fit is cloned in its place',
    ],
    args: 'codec trades.ts -o trades.codec.ts',
    scenario: {
      files: { 'trades.ts': TRADES },
      script: { values: { 'trades#trades': [{ id: 1, currency: 'EUR' }], 'trades#none': [] } },
    },
  },
  {
    name: 'codec-of-a-text',
    code: 3,
    says: ['clone-prof: no codec: the payload is a text. Post it as it is'],
    args: 'codec a.txt',
    scenario: { files: { 'a.txt': 'text' } },
  },
  {
    name: 'codec-of-a-number',
    code: 3,
    says: ['clone-prof: no codec: the payload is an integer. Post it as it is'],
    args: 'codec a.json -o a.codec.ts',
    scenario: { files: { 'a.json': '7' }, shows: ['a.codec.ts'] },
  },
  {
    name: 'codec-of-too-many-records',
    code: 3,
    says: [
      'clone-prof: no codec: it has too many kinds of records: more than 600 types. Post it as one JSON text (json-text), or as it is',
    ],
    args: 'codec a.json',
    scenario: { files: { 'a.json': MANY } },
  },
  {
    name: 'codec-of-what-cannot-be-cloned',
    code: 3,
    says: [
      'clone-prof: no codec: m#task cannot be cloned: DataCloneError: Symbol(run) could not be cloned. Leave out what cannot be cloned, or post it as JSON text (json-text)',
    ],
    args: 'codec m.mjs',
    scenario: {
      files: { 'm.mjs': "export const task = { run: Symbol('run') };\n" },
      script: { values: { 'm#task': { run: Symbol('run') } } },
    },
  },
  {
    name: 'codec-of-a-missing-sample',
    code: 2,
    says: ['clone-prof: absent.json: no such file. Check the path; globs must match at least one file'],
    args: 'codec orders.json absent.json -o a.codec.ts',
    scenario: { files: { 'orders.json': ORDERS }, shows: ['a.codec.ts'] },
  },
  {
    name: 'codec-over-a-file-of-somebody-else',
    code: 2,
    says: [
      'clone-prof: mine.ts: cannot be written (it is there, and clone-prof did not write it: its first line does not start with "// clone-prof codec")',
      'export {};',
    ],
    args: 'codec orders.json -o mine.ts',
    scenario: { files: { 'orders.json': ORDERS, 'mine.ts': 'export {};\n' }, shows: ['mine.ts'] },
  },
  {
    name: 'codec-no-module',
    code: 2,
    says: ["clone-prof: --output: 'a.py' is not a module. Known extensions: .ts, .mts, .js, .mjs, .cjs"],
    args: 'codec orders.json -o a.py',
    scenario: { files: { 'orders.json': ORDERS } },
  },
  {
    name: 'help-codec',
    says: ['Usage: clone-prof codec [options] <sample...>'],
    args: 'codec --help',
    scenario: {},
  },
];

// How long the code is, tests of the code say.
testTranscripts(TRANSCRIPTS, (text) => text.replace(/note: \d+ lines/, 'note: N lines'));
