import { ToolError } from '../../src/model/errors.ts';
import { type Transcript, testTranscripts } from './transcript.ts';

/** Command, scenario, and the file that holds what it prints. UPDATE=1 rewrites the files. */
const TRANSCRIPTS: Transcript[] = [
  {
    name: 'nothing-helps',
    says: [
      'seed 7',
      'do Nothing: no rewrite is worth its code. No rewrite tried saves more than 10 %. Post the original.',
    ],
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
    code: 2,
    says: ['clone-prof: --quiet applies to the format terminal, which was not requested'],
    args: 'analyze a.json -q -f json',
    scenario: { files: { 'a.json': '1' } },
  },
  {
    name: 'total-spent',
    code: 3,
    says: [
      'do Nothing: no rewrite is worth its code.',
      'c c.json',
      'do Not measured: the time of --total is used up. Raise it, or name fewer payloads.',
      '? node 24.0.0 ▲ serialized 100 µs 40.2–249 µs unsure',
      'No rewrite tried saves more than 19 %. -b 2s would probably decide.',
      'clone-prof: 1 run not measured: the time of --total is used up.',
    ],
    args: 'analyze a.json b.json c.json --total 3s',
    scenario: { files: { 'a.json': '{"a":{"b":1}}', 'b.json': '{"b":{"c":2}}', 'c.json': '{"c":{"d":3}}' } },
  },
  {
    name: 'total-without-measuring',
    code: 2,
    says: ['clone-prof: --total cannot be combined with --no-measure, which posts nothing'],
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
    says: [
      'Verdict and findings are about the message that workerpool posts: the payload is $.params[0] in it. Rewrites and branches are about the payload alone.',
      'do Not the clone: the round trip is within 1.5x of the floor, an empty message. Post fewer, larger messages. With workerpool: several payloads in one call.',
    ],
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
    says: [
      'now | 95 % | rewritten | gain | 95 % | do |',
      '🟡 serialized · bun 1.4.5 · broadcast · 39 B copied',
      'channel.postMessage(toMessage(payload)); // receiver const payload = fromMessage(message);',
      '| <code>json-text</code> | 0.40 | 0.38–0.42 |',
    ],
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
  {
    name: 'stdin',
    says: ['stdin stdin 2 values · 1 level deep · 7 B as JSON'],
    args: 'analyze - --no-measure',
    scenario: { stdin: '{"a":1}' },
  },
  {
    name: 'stdin-empty',
    code: 2,
    says: ['clone-prof: stdin: the file is empty. A payload file needs at least one value'],
    args: 'analyze - --no-measure',
    scenario: { stdin: '' },
  },
  {
    name: 'exports',
    says: ['m#rows m.mjs, export rows 3 values · 2 levels deep · 9 B as JSON'],
    args: 'analyze m.mjs -e rows --no-measure',
    scenario: {
      files: { 'm.mjs': 'export {}' },
      script: { values: { 'm#rows': [{ a: 1 }], 'm#tree': { b: { c: 1 } } } },
    },
  },
  {
    name: 'analyze-module-of-one-runtime',
    code: 3,
    says: [
      '✖ chromium 156.0.1 ✖ failed',
      "clone-prof: m#rows on chromium@156.0.1: this runtime cannot load it: it imports 'node:fs', which no browser has",
    ],
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
    code: 2,
    says: ["clone-prof: m.mjs: has no export 'cols'. It exports: rows"],
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
    code: 3,
    says: ['● in-memory · node 24.0.0', "clone-prof: runtime 'deno' was not found (fake)"],
    args: 'analyze a.json -r node deno --no-measure',
    scenario: { files: { 'a.json': '1' } },
  },
  {
    name: 'payload-after-runtimes',
    says: ['a a.json 1 value · 1 B as JSON ● in-memory · node 24.0.0 · worker · 1 B copied'],
    args: 'analyze -r node a.json --no-measure',
    scenario: { files: { 'a.json': '1' } },
  },
  {
    name: 'unknown-channel',
    code: 2,
    says: [
      "clone-prof: --channel: 'pigeon' is unknown. Known: worker, node-worker, message-port, structured-clone, broadcast, window, ipc-json, ipc-advanced, storage, indexeddb, electron-ipc, electron-port, electron-bridge, rpc, extension, extension-clone, ipc",
    ],
    args: 'analyze a.json -c pigeon',
    scenario: { files: { 'a.json': '1' } },
  },
  {
    name: 'unknown-option',
    code: 2,
    says: ["clone-prof: unknown option '--colour' (--help lists the options)"],
    args: 'analyze a.json --colour',
    scenario: { files: { 'a.json': '1' } },
  },
  {
    name: 'bad-budget',
    code: 2,
    says: ["clone-prof: --budget: 'soon' is not a time. Write it like 500ms, 5s or 2m"],
    args: 'analyze a.json -b soon',
    scenario: { files: { 'a.json': '1' } },
  },
  {
    name: 'unwritable-output',
    code: 2,
    says: [
      "clone-prof: a.json/x.txt: cannot be written (ENOTDIR: not a directory, stat '<cwd>/a.json/x.txt')",
    ],
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
    says: [
      '"schema": "clone-prof/report@1"',
      '"status": "classified"',
      '"nodes": 2,',
      '"path": "fast-object"',
      '"copied": 7,',
    ],
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
    name: 'by-path-one-piece',
    says: ['No branch to leave out: the payload is one piece.'],
    args: 'analyze a.json --by-path',
    scenario: { files: { 'a.json': '"text"' } },
  },
  { name: 'runtimes', args: 'runtimes', scenario: { runtimes: ['node@24.0.0', 'bun@1.4.5'] } },
  { name: 'runtimes-add', says: ['bun@1.3.14 jsc fake'], args: 'runtimes add bun@1.3.14', scenario: {} },
  {
    name: 'runtimes-remove-absent',
    code: 3,
    says: ["clone-prof: runtime 'bun@1.3.14' was not found (it is not in the cache)"],
    args: 'runtimes remove bun@1.3.14',
    scenario: {},
  },
  {
    name: 'runtimes-unknown-word',
    code: 2,
    says: ["clone-prof: runtimes: 'drop' is unknown. Known: add, remove"],
    args: 'runtimes drop',
    scenario: {},
  },
  {
    name: 'rules-unknown',
    code: 2,
    says: [
      "clone-prof: unknown runtime 'quickjs'. Known: node, bun, deno, electron, workerd, chromium, firefox, webkit, name@version, or the path of a binary",
    ],
    args: 'rules quickjs',
    scenario: {},
  },
  { name: 'help', args: '--help', scenario: {} },
  { name: 'help-analyze', args: 'analyze --help', scenario: {} },
  {
    name: 'no-arguments',
    code: 2,
    says: [
      'clone-prof: no payload given. Name a file: clone-prof analyze payload.json (or - for JSON on stdin)',
    ],
    args: 'analyze',
    scenario: {},
  },
];

testTranscripts(TRANSCRIPTS);
