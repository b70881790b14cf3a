import { type Transcript, testTranscripts } from './transcript.ts';

const TASK = '{"task":{"id":1,"deep":{"er":[1,2,3]}}}';
const ROWS = JSON.stringify({ rows: Array.from({ length: 40 }, (_, id) => ({ id, name: `n${id}` })) });
const faster = (remedy: string) => ({
  times: { of: { [`${remedy}/with-conversion`]: { roundTrip: 40_000 } }, jitter: 0.02 },
});
const onBun = { files: { 'a.json': TASK }, runtimes: ['bun@1.4.5'], script: faster('json-text') };

const TRANSCRIPTS: Transcript[] = [
  {
    name: 'emit',
    args: 'analyze rows.json -b 2s --emit rows.codec.ts',
    scenario: {
      files: { 'rows.json': ROWS },
      script: faster('compiled'),
      shows: ['rows.codec.ts', 'rows.codec.test.ts'],
    },
  },
  {
    name: 'view',
    args: 'analyze rows.json -b 2s --view',
    scenario: { files: { 'rows.json': ROWS }, script: faster('compiled') },
  },
  {
    name: 'emit-of-several-as-one',
    args: 'analyze a.json rows.json -b 2s --one --emit a.codec.js -o a.md',
    scenario: { ...onBun, files: { 'a.json': TASK, 'rows.json': ROWS } },
  },
  {
    name: 'emit-of-typescript',
    args: 'analyze task.ts -r bun@1.4.5 -b 2s --emit codecs/{id}.codec.ts -o a.md',
    scenario: {
      ...onBun,
      files: { 'task.ts': `export default () => (${TASK});\n`, 'codecs/package.json': '{}' },
      script: { ...onBun.script, values: { 'task#default': JSON.parse(TASK) } },
      shows: ['codecs/task-default.codec.ts'],
    },
  },
  {
    name: 'emit-for-vitest',
    args: 'analyze a.json -b 2s --emit codecs/{id}.codec.js -o a.md',
    scenario: {
      ...onBun,
      files: { ...onBun.files, 'codecs/package.json': '{ "devDependencies": { "vitest": "^4.0.0" } }' },
      shows: ['codecs/a.codec.test.js'],
    },
  },
  {
    name: 'emit-via-piscina',
    args: 'analyze a.json --via piscina -b 2s --emit a.codec.mjs',
    scenario: { ...onBun, shows: ['a.codec.mjs', 'a.codec.test.mjs'] },
  },
  {
    name: 'emit-nothing',
    args: 'analyze a.json -b 2s --emit a.codec.ts',
    scenario: { files: { 'a.json': TASK }, shows: ['a.codec.ts', 'a.codec.test.ts'] },
  },
  {
    name: 'emit-from-a-report',
    args: 'report r.json --emit f.mjs',
    scenario: {
      ...onBun,
      before: [['analyze', 'a.json', '-b', '2s', '-o', 'r.json']],
      shows: ['f.mjs'],
    },
  },
  {
    name: 'emit-from-a-report-without-measuring',
    args: 'report r.json --emit f.mjs',
    scenario: { ...onBun, before: [['analyze', 'a.json', '--no-measure', '-o', 'r.json']], shows: ['f.mjs'] },
  },
  {
    name: 'emit-over-a-file-of-somebody-else',
    args: 'analyze a.json --emit mine.ts',
    scenario: { ...onBun, files: { ...onBun.files, 'mine.ts': 'export {};\n' }, shows: ['mine.ts'] },
  },
  {
    name: 'emit-one-file-for-two',
    args: 'analyze a.json b.json --emit a.codec.ts',
    scenario: { files: { 'a.json': TASK, 'b.json': TASK } },
  },
  { name: 'emit-no-module', args: 'analyze a.json --emit a.py', scenario: { files: { 'a.json': TASK } } },
];

testTranscripts(TRANSCRIPTS);
