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
    says: ['wrote a.md wrote a.codec.js wrote a.codec.test.js'],
    args: 'analyze a.json rows.json -b 2s --one --emit a.codec.js -o a.md',
    scenario: { ...onBun, files: { 'a.json': TASK, 'rows.json': ROWS } },
  },
  {
    name: 'emit-of-typescript',
    says: [
      'wrote codecs/task-default.codec.ts wrote codecs/task-default.codec.test.ts',
      "import type * as source from '../task.js';",
      'export function toMessage(payload: Payload, onMiss?: (reason: unknown) => void): Message {',
    ],
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
    says: [
      'wrote a.md wrote codecs/a.codec.js wrote codecs/a.codec.test.js',
      "import { expect, test } from 'vitest';",
      'expect(misses).toStrictEqual(0);',
      'expect(arrives(payload)).toStrictEqual(expected);',
    ],
    args: 'analyze a.json -b 2s --emit codecs/{id}.codec.js -o a.md',
    scenario: {
      ...onBun,
      files: { ...onBun.files, 'codecs/package.json': '{ "devDependencies": { "vitest": "^4.0.0" } }' },
      shows: ['codecs/a.codec.test.js'],
    },
  },
  {
    name: 'emit-via-piscina',
    says: [
      'do Apply json-text (send one JSON text), 2.5x faster (0.40 of the time, 95 % interval 0.38–0.42).',
    ],
    args: 'analyze a.json --via piscina -b 2s --emit a.codec.mjs',
    scenario: { ...onBun, shows: ['a.codec.mjs', 'a.codec.test.mjs'] },
  },
  {
    name: 'emit-nothing',
    code: 3,
    says: [
      'do Nothing: no rewrite is worth its code.',
      'clone-prof: --emit: a: no rewrite is faster, so there is no codec to write',
    ],
    args: 'analyze a.json -b 2s --emit a.codec.ts',
    scenario: { files: { 'a.json': TASK }, shows: ['a.codec.ts', 'a.codec.test.ts'] },
  },
  {
    name: 'emit-from-a-report',
    says: ['wrote f.mjs wrote f.test.mjs', 'export function toMessage(payload, onMiss) {'],
    args: 'report r.json --emit f.mjs',
    scenario: {
      ...onBun,
      before: [['analyze', 'a.json', '-b', '2s', '-o', 'r.json']],
      shows: ['f.mjs'],
    },
  },
  {
    name: 'emit-from-a-report-without-measuring',
    code: 3,
    says: ['clone-prof: --emit: a: it was not measured, so there is no codec to write'],
    args: 'report r.json --emit f.mjs',
    scenario: { ...onBun, before: [['analyze', 'a.json', '--no-measure', '-o', 'r.json']], shows: ['f.mjs'] },
  },
  {
    name: 'emit-over-a-file-of-somebody-else',
    code: 2,
    says: [
      'clone-prof: mine.ts: cannot be written (it is there, and clone-prof did not write it: its first line does not start with "// clone-prof codec")',
      'export {};',
    ],
    args: 'analyze a.json --emit mine.ts',
    scenario: { ...onBun, files: { ...onBun.files, 'mine.ts': 'export {};\n' }, shows: ['mine.ts'] },
  },
  {
    name: 'emit-one-file-for-two',
    code: 2,
    says: [
      'clone-prof: --emit: a.codec.ts is one file, and there are 2 payloads: a, b. Put {id} into its name',
    ],
    args: 'analyze a.json b.json --emit a.codec.ts',
    scenario: { files: { 'a.json': TASK, 'b.json': TASK } },
  },
  {
    name: 'emit-no-module',
    code: 2,
    says: ["clone-prof: --emit: 'a.py' is not a module. Known extensions: .ts, .mts, .js, .mjs, .cjs"],
    args: 'analyze a.json --emit a.py',
    scenario: { files: { 'a.json': TASK } },
  },
];

testTranscripts(TRANSCRIPTS);
