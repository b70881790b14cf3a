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
  { name: 'codec-view', args: 'codec orders.json --view', scenario: { files: { 'orders.json': ORDERS } } },
  {
    name: 'codec-view-none',
    args: 'codec events.ndjson --view -o events.codec.ts',
    scenario: { files: { 'events.ndjson': EVENTS } },
  },
  {
    name: 'codec-of-several',
    args: 'codec orders.json others.json -o orders.codec.mjs',
    scenario: {
      files: { 'orders.json': ORDERS, 'others.json': OTHERS },
    },
  },
  {
    name: 'codec-of-lines',
    args: 'codec events.ndjson -o events.codec.cjs',
    scenario: { files: { 'events.ndjson': EVENTS }, shows: ['events.codec.test.cjs'] },
  },
  {
    name: 'codec-of-exports',
    args: 'codec m.mjs -o m.js -e rows',
    scenario: {
      files: { 'm.mjs': 'export const rows = [];\nexport const other = 1;\n' },
      script: { values: { 'm#rows': [{ a: 1 }], 'm#other': 1 } },
      shows: ['m.test.js'],
    },
  },
  {
    name: 'codec-of-typescript',
    args: 'codec data/trades.ts -e trades -o src/trades.codec.ts',
    scenario: {
      files: { 'data/trades.ts': TRADES },
      script: { values: { 'trades#trades': [{ id: 1, currency: 'EUR' }] } },
      shows: ['src/trades.codec.ts'],
    },
  },
  {
    name: 'codec-of-two-exports-of-typescript',
    args: 'codec trades.ts -o trades.codec.ts',
    scenario: {
      files: { 'trades.ts': TRADES },
      script: { values: { 'trades#trades': [{ id: 1, currency: 'EUR' }], 'trades#none': [] } },
    },
  },
  { name: 'codec-of-a-text', args: 'codec a.txt', scenario: { files: { 'a.txt': 'text' } } },
  {
    name: 'codec-of-a-number',
    args: 'codec a.json -o a.codec.ts',
    scenario: { files: { 'a.json': '7' }, shows: ['a.codec.ts'] },
  },
  {
    name: 'codec-of-too-many-records',
    args: 'codec a.json',
    scenario: { files: { 'a.json': MANY } },
  },
  {
    name: 'codec-of-what-cannot-be-cloned',
    args: 'codec m.mjs',
    scenario: {
      files: { 'm.mjs': "export const task = { run: Symbol('run') };\n" },
      script: { values: { 'm#task': { run: Symbol('run') } } },
    },
  },
  {
    name: 'codec-of-a-missing-sample',
    args: 'codec orders.json absent.json -o a.codec.ts',
    scenario: { files: { 'orders.json': ORDERS }, shows: ['a.codec.ts'] },
  },
  {
    name: 'codec-over-a-file-of-somebody-else',
    args: 'codec orders.json -o mine.ts',
    scenario: { files: { 'orders.json': ORDERS, 'mine.ts': 'export {};\n' }, shows: ['mine.ts'] },
  },
  {
    name: 'codec-no-module',
    args: 'codec orders.json -o a.py',
    scenario: { files: { 'orders.json': ORDERS } },
  },
  { name: 'help-codec', args: 'codec --help', scenario: {} },
];

// How long the code is, tests of the code say.
testTranscripts(TRANSCRIPTS, (text) => text.replace(/note: \d+ lines/, 'note: N lines'));
