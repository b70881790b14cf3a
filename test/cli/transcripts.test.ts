import { ToolError } from '../../src/model/errors.ts';
import { type Transcript, testTranscripts } from './transcript.ts';

/** Command, scenario, and the file that holds what it prints. UPDATE=1 rewrites the files. */
const TRANSCRIPTS: Transcript[] = [
  {
    name: 'nothing-helps',
    args: 'analyze a.json --seed 7',
    scenario: { files: { 'a.json': '{"id":1,"name":"x","tags":[1,2]}' } },
  },
  {
    name: 'json-text-wins',
    args: 'analyze a.json -b 2s',
    scenario: {
      files: { 'a.json': '{"task":{"id":1,"deep":{"er":[1,2,3]}}}' },
      runtimes: ['bun@1.4.5'],
      script: { times: { of: { 'json-text/with-conversion': { roundTrip: 40_000 } }, jitter: 0.02 } },
    },
  },
  {
    name: 'quiet',
    args: 'analyze a.json b.json c.json -b 2s -q',
    scenario: {
      files: { 'a.json': '{"task":{"id":1,"deep":{"er":[1,2,3]}}}', 'b.json': '1', 'c.json': '{' },
      runtimes: ['bun@1.4.5'],
      script: { times: { of: { 'json-text/with-conversion': { roundTrip: 40_000 } }, jitter: 0.02 } },
    },
  },
  {
    name: 'quiet-json',
    args: 'analyze a.json -q -f json',
    scenario: { files: { 'a.json': '1' } },
  },
  {
    name: 'total-spent',
    args: 'analyze a.json b.json c.json --total 3s',
    scenario: { files: { 'a.json': '{"a":{"b":1}}', 'b.json': '{"b":{"c":2}}', 'c.json': '{"c":{"d":3}}' } },
  },
  {
    name: 'total-without-measuring',
    args: 'analyze a.json --total 2m --no-measure',
    scenario: { files: { 'a.json': '1' } },
  },
  {
    name: 'not-the-clone',
    args: 'analyze a.json',
    scenario: {
      files: { 'a.json': '{"a":{"b":1}}' },
      script: { times: { of: { original: { roundTrip: 11_000 } } } },
    },
  },
  {
    name: 'via-not-the-clone',
    args: 'analyze a.json --via workerpool',
    scenario: {
      files: { 'a.json': '{"a":{"b":1}}' },
      script: { times: { of: { original: { roundTrip: 11_000 } } } },
    },
  },
  {
    name: 'via-piscina',
    args: 'analyze a.json --via piscina -b 2s',
    scenario: {
      files: { 'a.json': '{"task":{"id":1,"deep":{"er":[1,2,3]}}}' },
      runtimes: ['bun@1.4.5'],
      script: { times: { of: { 'json-text/with-conversion': { roundTrip: 40_000 } }, jitter: 0.02 } },
    },
  },
  {
    name: 'broadcast-call',
    args: 'analyze a.json -c broadcast -b 2s -f markdown',
    scenario: {
      files: { 'a.json': '{"task":{"id":1,"deep":{"er":[1,2,3]}}}' },
      runtimes: ['bun@1.4.5'],
      script: { times: { of: { 'json-text/with-conversion': { roundTrip: 40_000 } }, jitter: 0.02 } },
    },
  },
  {
    name: 'two-runtimes-disagree',
    args: 'analyze a.json -r node bun --no-measure',
    scenario: {
      files: { 'a.json': '{"a":[1,2,3],"b":{"c":"x"}}' },
      runtimes: ['node@24.0.0', 'bun@1.4.5', 'bun@1.2.20'],
    },
  },
  {
    name: 'bad-inputs-keep-the-good-one',
    args: 'analyze good.json empty.json missing.json folder notes.xyz --no-measure',
    scenario: {
      files: {
        'good.json': '[1,2,3]',
        'empty.json': '',
        'folder/x.json': '1',
        'notes.xyz': 'x',
      },
    },
  },
  {
    name: 'malformed-on-two-runtimes',
    args: 'analyze bad.json good.json -r node bun --no-measure',
    scenario: {
      files: { 'bad.json': '[1,', 'good.json': '[1]' },
      runtimes: ['node@24.0.0', 'bun@1.4.5'],
      script: {
        fails: (ask) =>
          ask.type === 'describe' && ask.recipe.id === 'bad'
            ? new ToolError('json-malformed', {
                file: 'bad.json',
                line: 1,
                column: 4,
                detail: 'a value expected',
              })
            : null,
      },
    },
  },
  { name: 'stdin', args: 'analyze - --no-measure', scenario: { stdin: '{"a":1}' } },
  { name: 'stdin-empty', args: 'analyze - --no-measure', scenario: { stdin: '' } },
  {
    name: 'exports',
    args: 'analyze m.mjs -e rows --no-measure',
    scenario: {
      files: { 'm.mjs': 'export {}' },
      script: { values: { 'm#rows': [{ a: 1 }], 'm#tree': { b: { c: 1 } } } },
    },
  },
  {
    name: 'analyze-module-of-one-runtime',
    args: 'analyze m.mjs -r chromium node --no-measure',
    scenario: {
      runtimes: ['chromium@156.0.1', 'node@24.0.0'],
      files: { 'm.mjs': 'export {}' },
      script: {
        values: { 'm#rows': [{ a: 1 }] },
        fails: (_, { name }) =>
          name === 'chromium'
            ? new ToolError('module-unsupported', {
                file: 'm.mjs',
                detail: "it imports 'node:fs', which no browser has",
              })
            : null,
      },
    },
  },
  {
    name: 'export-missing',
    args: 'analyze m.mjs -e cols --no-measure',
    scenario: { files: { 'm.mjs': 'export {}' }, script: { values: { 'm#rows': [{ a: 1 }] } } },
  },
  {
    name: 'envelope',
    args: 'analyze a.json --via piscina comlink --no-measure -r bun',
    scenario: { files: { 'a.json': '{"a":1}' }, runtimes: ['bun@1.4.5'] },
  },
  {
    name: 'runtime-missing',
    args: 'analyze a.json -r node deno --no-measure',
    scenario: { files: { 'a.json': '1' } },
  },
  {
    name: 'payload-after-runtimes',
    args: 'analyze -r node a.json --no-measure',
    scenario: { files: { 'a.json': '1' } },
  },
  { name: 'unknown-channel', args: 'analyze a.json -c pigeon', scenario: { files: { 'a.json': '1' } } },
  { name: 'unknown-option', args: 'analyze a.json --colour', scenario: { files: { 'a.json': '1' } } },
  { name: 'bad-budget', args: 'analyze a.json -b soon', scenario: { files: { 'a.json': '1' } } },
  {
    name: 'unwritable-output',
    args: 'analyze a.json --no-measure -o a.json/x.txt',
    scenario: { files: { 'a.json': '1' } },
  },
  {
    name: 'interrupted',
    args: 'analyze a.json b.json',
    scenario: { files: { 'a.json': '1', 'b.json': '2' }, interruptAt: 'measure' },
  },
  {
    name: 'narrow',
    args: 'analyze a.json --no-measure',
    scenario: { files: { 'a.json': '{"a":{"b":1}}' }, columns: 44 },
  },
  {
    name: 'hostile-keys',
    args: 'analyze a.json -r bun --no-measure',
    scenario: {
      files: { 'a.json': '{"\\u001b]0;x\\u0007":{"::error::":{"</script>":1}}}' },
      runtimes: ['bun@1.4.5'],
    },
  },
  {
    name: 'json-format',
    args: 'analyze a.json --no-measure -f json',
    scenario: { files: { 'a.json': '{"a":1}' } },
  },
  {
    name: 'by-path',
    args: 'analyze a.json --by-path -b 2s',
    scenario: {
      files: {
        'a.json': '{"rows":[{"id":1,"note":"a longer note"},{"id":2,"note":"another note"}],"title":"rows"}',
      },
      script: {
        times: {
          of: {
            'without:$.rows': { roundTrip: 20_000 },
            'without:$.rows[*].note': { roundTrip: 55_000 },
            'without:$.title': { roundTrip: 99_000 },
          },
          jitter: 0.01,
        },
      },
    },
  },
  {
    name: 'load',
    args: 'analyze --load a.json',
    scenario: { files: { 'a.json': '{"a":{"b":1}}' } },
  },
  {
    name: 'load-that-grows',
    args: 'analyze a.json --load 40000/s',
    scenario: {
      files: { 'a.json': '{"a":{"b":1}}' },
      script: { times: { of: { original: { roundTrip: 110e6, send: 52e6, receive: 1e6 } } } },
    },
  },
  {
    name: 'load-wrong',
    args: 'analyze a.json --load 10/min',
    scenario: { files: { 'a.json': '1' } },
  },
  {
    name: 'load-unmeasured',
    args: 'analyze a.json --load 8 --no-measure',
    scenario: { files: { 'a.json': '1' } },
  },
  {
    name: 'by-path-one-piece',
    args: 'analyze a.json --by-path',
    scenario: { files: { 'a.json': '"text"' } },
  },
  {
    name: 'profile',
    args: 'analyze --profile a.json',
    scenario: { files: { 'a.json': '{"a":{"b":1}}' } },
  },
  {
    name: 'profile-unavailable',
    args: 'analyze a.json --profile out -r bun',
    scenario: {
      files: { 'a.json': '{"a":1}' },
      runtimes: ['bun@1.2.20'],
      script: {
        profile: {
          by: null,
          files: [],
          shares: null,
          top: [],
          missing: [
            { what: 'sender cpuprofile', why: 'not yet implemented in Bun' },
            { what: 'sender heapprofile', why: 'not yet implemented in Bun' },
          ],
        },
      },
    },
  },
  {
    name: 'profile-fails',
    args: 'analyze a.json --profile',
    scenario: {
      files: { 'a.json': '{"a":1}' },
      script: {
        fails: (ask) => (ask.type === 'profile' ? new ToolError('guest-timeout', { ms: 30_000 }) : null),
      },
    },
  },
  {
    name: 'profile-json',
    args: 'analyze a.json --profile --by-path -f json -b 1s',
    scenario: { files: { 'a.json': '{"a":"text"}' } },
  },
  {
    name: 'profile-without-measuring',
    args: 'analyze a.json --profile --by-path --no-measure',
    scenario: { files: { 'a.json': '1' } },
  },
  {
    name: 'profile-unwritable',
    args: 'analyze a.json --profile a.json/profiles',
    scenario: { files: { 'a.json': '1' } },
  },
  { name: 'runtimes', args: 'runtimes', scenario: { runtimes: ['node@24.0.0', 'bun@1.4.5'] } },
  { name: 'runtimes-add', args: 'runtimes add bun@1.3.14', scenario: {} },
  { name: 'runtimes-remove-absent', args: 'runtimes remove bun@1.3.14', scenario: {} },
  { name: 'runtimes-unknown-word', args: 'runtimes drop', scenario: {} },
  { name: 'rules-unknown', args: 'rules quickjs', scenario: {} },
  { name: 'help', args: '--help', scenario: {} },
  { name: 'help-analyze', args: 'analyze --help', scenario: {} },
  { name: 'no-arguments', args: 'analyze', scenario: {} },
];

testTranscripts(TRANSCRIPTS);
