import { readFileSync } from 'node:fs';
import { ToolError } from '../../src/model/errors.ts';
import { recordingText } from '../../src/store/recording-file.ts';
import { recording, row, shapeOf } from '../make.ts';
import type { CliScenario } from '../support/run-cli.ts';
import { type Transcript, testTranscripts } from './transcript.ts';

const PHOTOS = readFileSync(new URL('../../fixtures/recordings/photos.cprof', import.meta.url), 'utf8');

/** What guests make of the recorded shapes, small. */
const VALUES = {
  'pool.js:41': { id: 17, sizes: [{ width: 16, height: 9 }], meta: { tags: ['a'] } },
  'worker.js:141': { taskId: 17, result: { id: 17, width: 640 }, error: null },
  'state.js:88': { users: { user0: { online: true } }, version: 3 },
  'ticks.js:7': { t: 1, at: 12.5 },
  'tiles.js:30': { tile: [1, 2, 3] },
  'log.js:3': { level: 'info', text: 'started' },
  'pool.js:41#2': { quit: true },
};

/** Messages of `ticks` cost as much as an empty one; those of `tiles` far more. */
const TIMES: NonNullable<CliScenario['script']>['times'] = ({ recipe }) => ({
  jitter: 0.02,
  of: {
    original: {
      roundTrip: recipe.id === 'ticks.js:7' ? 12_000 : recipe.id === 'tiles.js:30' ? 4e6 : 160_000,
    },
    'json-text/with-conversion': { roundTrip: recipe.id === 'pool.js:41' ? 60_000 : 300_000 },
  },
});

const photos = (more: CliScenario = {}): CliScenario => ({
  files: { 'photos.cprof': PHOTOS, 'a.json': '{"a":1}' },
  runtimes: ['node@20.20.2', 'bun@1.4.5'],
  script: { values: VALUES, times: TIMES },
  ...more,
});

const HOSTILE = '\u001b]0;x\u0007</script>::error::|`*\u202e';
const frame = { file: `src/${HOSTILE}.js`, line: 1, column: 1, name: HOSTILE };
const hostile = recordingText(
  recording({ command: ['node', HOSTILE], gaps: [{ what: HOSTILE, count: 2 }] }, [
    {
      site: { user: frame, library: { name: HOSTILE, version: HOSTILE, frame } },
      from: HOSTILE,
      to: HOSTILE,
      count: Number.MAX_SAFE_INTEGER,
      received: 0,
      looked: 0,
      bytes: { total: 1e300, ci: [0, 1e308], max: 1e308 },
      send: { timed: 1, median: 1e300, max: 1e300, total: 1e300, long: 1 },
      times: { stepMs: 1e-300, counts: [Number.MAX_SAFE_INTEGER, 0] },
      repeats: { sameObject: Number.MAX_SAFE_INTEGER, sameContent: Number.MAX_SAFE_INTEGER },
    },
    { site: { user: frame, library: null }, shape: null, count: 0, send: null, bytes: null },
  ]),
);

const transferred = {
  transfer: { listed: 1200, possible: 0, possibleBytes: 0, useless: 0, hiddenBytes: 0, pooled: 0 },
};

/** Small messages whose calls took long in the program, and acknowledgements that are always equal. */
const elsewhere = recordingText(
  recording({ runtime: { name: 'node', version: '24.0.0', engine: 'v8' } }, [
    {
      send: { timed: 64, median: 9_000_000, max: 31_000_000, total: 10.7e9, long: 0 },
      queue: { max: 900, last: 0 },
    },
    {
      site: { user: { file: 'src/ack.js', line: 3, column: 1, name: null }, library: null },
      shape: shapeOf('v8', row('$', 'object', [], { size: { min: 0, max: 0, total: 0 } })),
      repeats: { sameObject: 0, sameContent: 99 },
    },
  ]),
);

const TRANSCRIPTS: Transcript[] = [
  { name: 'recording', args: 'analyze photos.cprof -b 1s', scenario: photos() },
  {
    name: 'recording-narrow',
    says: [
      'ticks.js:7 costs most of what was measured (56 %): batch, about 39.8 ms less. Most to gain: state.js:88: post it once',
      'site cost do 1 ticks.js:7 120 ms batch 2 state.js:88 72.0 ms post it once 3 tiles.js:30 24.0 ms transfer',
      'runtime rewrite = node 20.20.2 fewer, larger messages',
    ],
    args: 'analyze photos.cprof -b 1s --top 3',
    scenario: photos({ columns: 40 }),
  },
  {
    name: 'recording-ascii',
    says: ['photos.cprof', 'tiles.js:30 costs most (27 %): transfer, about 22.8 ms less.'],
    args: 'analyze photos.cprof --no-measure --top 2',
    scenario: photos({ env: { LANG: 'C', LC_ALL: 'C' } }),
  },
  {
    name: 'recording-site',
    says: ['▲ serialized · bun 1.4.5 · message-port · 151 B copied'],
    args: 'analyze photos.cprof --site pool.js --no-measure -r bun',
    scenario: photos(),
  },
  {
    name: 'recording-all',
    code: 3,
    says: [
      '| 8 | <code>process.send</code> | | 2 | | | | unknown | |',
      'clone-prof: photos.cprof: no message of this site was described: only counts and times are known. Record for longer',
    ],
    args: 'analyze photos.cprof --top 99 --no-measure -f markdown',
    scenario: photos(),
  },
  {
    name: 'recording-json',
    says: [
      '"file": "photos.cprof"',
      '"elapsedMs": 1250',
      '"left": { "share": 0.7294876282115929, "messages": 22505, "groups": 7',
    ],
    args: 'analyze photos.cprof --top 1 --no-measure -f json',
    scenario: photos(),
  },
  {
    name: 'recording-mixed',
    says: [
      'And 7 more sites: 22,505 messages, 73 % of the time that all recorded calls took. --top 8 analyzes all.',
      'a a.json 2 values · 1 level deep · 7 B as JSON runtime class · node 20.20.2 ▲ serialized · bun 1.4.5 ● in-memory',
    ],
    args: 'analyze a.json photos.cprof --top 1 --no-measure',
    scenario: photos(),
  },
  {
    name: 'recording-other-version',
    says: ['note: recorded on node 20.20.2, which is not installed: analyzed on node 24.0.0'],
    args: 'analyze photos.cprof --top 1 --no-measure',
    scenario: photos({ runtimes: ['node@24.0.0', 'bun@1.4.5'] }),
  },
  {
    name: 'recording-runtime-missing',
    says: ['note: recorded on node 20.20.2, which is not installed: analyzed on what is here'],
    args: 'analyze photos.cprof --top 1 --no-measure',
    scenario: photos({ runtimes: ['bun@1.4.5'] }),
  },
  {
    name: 'recording-no-site',
    code: 2,
    says: [
      "clone-prof: --site: no site of photos.cprof contains 'other.js'. Some of its sites: src/pool.js:41, piscina/dist/worker.js:141, src/state.js:88, src/ticks.js:7, src/tiles.js:30",
    ],
    args: 'analyze photos.cprof --site other.js',
    scenario: photos(),
  },
  {
    name: 'recording-top-wrong',
    code: 2,
    says: ["clone-prof: --top: 'many' is not a number of sites, from 1 to 99999"],
    args: 'analyze photos.cprof --top many',
    scenario: photos(),
  },
  {
    name: 'recording-top-without',
    code: 2,
    says: ['clone-prof: --top: no payload is a recording (.cprof), which has sites to choose from'],
    args: 'analyze a.json --top 3',
    scenario: photos(),
  },
  {
    name: 'recording-one-fails',
    code: 3,
    says: [
      '1 tiles.js:30 12 24.0 MB 22.8 ms 27 failed transfer',
      '✖ failed · node 20.20.2 · worker ✖ photos.cprof: no answer within 30000 ms; its process was killed.',
      '▲ serialized · node 20.20.2 · worker · 47 B copied',
      'clone-prof: tiles.js:30 on node@20.20.2: no answer within 30000 ms',
    ],
    args: 'analyze photos.cprof --top 2 --no-measure',
    scenario: photos({
      script: {
        values: VALUES,
        fails: (ask) =>
          ask.type === 'describe' && ask.recipe.id === 'tiles.js:30'
            ? new ToolError('guest-timeout', { ms: 30_000 })
            : null,
      },
    }),
  },
  {
    name: 'recording-total',
    says: [
      'state.js:88 costs most of what was measured (75 %): post it once, about 54.0 ms less.',
      '✓ node 20.20.2 ▲ serialized 160 µs → 99.9 µs 1.6x 1.5–1.7x compiled',
    ],
    args: 'analyze photos.cprof --top 2 --total 3s',
    scenario: photos(),
  },
  {
    name: 'recording-transferred',
    says: ['note: recorded on node 20.20.2, which is not installed: analyzed on node 24.0.0'],
    args: 'analyze app.cprof -b 1s',
    scenario: {
      files: { 'app.cprof': recordingText(recording({}, [transferred])) },
      script: { values: { 'pool.js:41': { port: 1, data: [1] } } },
    },
  },
  {
    name: 'recording-elsewhere',
    says: [
      'pool.js:41: its calls took 10.7 s in the program, 48.0 ms here: the message is not what is slow there.',
      'pool.js:41 1,200 ~1.20 MB 96.0 ms 50 serialized not the message',
      'They were long throughout: half of them took more than 9.00 ms; the main thread posted, and up to 900 messages waited for the receiver.',
      'ack.js:3 app.cprof',
      'from main to worker src/resize.js. 1,200 messages, all received; at most 4 waiting, 0 at the end. cost 50 % of what was measured: 96.0 ms, 1,200 × 80.0 µs (send and receive, measured). size ~1.20 MB in all (95 % interval 1.19–1.21 MB), at most 1.00 kB a message. A call took 5.00 µs (median of 100), at most 90.0 µs. 100 of 1,200 messages were looked at. values',
    ],
    args: 'analyze app.cprof -b 1s --top 2',
    scenario: {
      files: { 'app.cprof': elsewhere },
      script: { values: { 'pool.js:41': { a: 1 }, 'ack.js:3': {} }, times: TIMES },
    },
  },
  {
    name: 'recording-interrupted',
    code: 130,
    says: [
      'And 7 more sites: 22,505 messages, 73 % of the time that all recorded calls took; the sites above have 27 %. --top 8 analyzes all. Cost: messages × send and receive of one, measured here; shares are of the sites that were measured.',
      'clone-prof: interrupted',
    ],
    args: 'analyze photos.cprof --top 2',
    scenario: photos({ interruptAt: 'measure' }),
  },
  {
    name: 'recording-empty',
    code: 2,
    says: ['clone-prof: app.cprof: it has no messages: the program posted none, or none could be recorded'],
    args: 'analyze app.cprof',
    scenario: { files: { 'app.cprof': recordingText(recording({}, [])) } },
  },
  {
    name: 'recording-hostile',
    args: 'analyze app.cprof --no-measure',
    scenario: { files: { 'app.cprof': hostile }, script: { values: {} } },
  },
];

testTranscripts(TRANSCRIPTS);
