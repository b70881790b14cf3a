/** stderr: every text from outside, by every way that it comes in, is one escaped line. */
import { ToolError } from '../../src/model/errors.ts';
import { type QuickCase, testQuick } from './corpus.ts';
import { ALL_HOSTILE, HOSTILE } from './strings.ts';

/** A line of reasonable length that begins with this. */
const line = (start: string) => new RegExp(`^clone-prof: (?=.{1,2600}$)${start}`);

/** Each kind of text where it is seen most: as a file that is not there. */
const KINDS = Object.entries(HOSTILE).map(
  ([kind, text]): QuickCase => ({
    name: `${kind} in the name of a file that is not there`,
    args: ['analyze', `${text}.json`],
    exit: 2,
    stderr: line('.*: no such file'),
  }),
);

/** All kinds at once, by each way that a command line brings them in. */
const ARGUMENTS: [name: string, args: string[], reason: string][] = [
  ['an unknown command', [ALL_HOSTILE], 'unknown command'],
  ['an unknown option', ['analyze', 'a.json', `--${ALL_HOSTILE}`], 'unknown option'],
  ['a short option', ['analyze', 'a.json', `-${ALL_HOSTILE}`], 'unknown option'],
  ['a choice', ['analyze', 'a.json', '--via', ALL_HOSTILE], "option '--via .* is invalid"],
  ['a surplus argument', ['rules', 'bun', ALL_HOSTILE], 'too many arguments'],
  [
    '--format',
    ['analyze', 'a.json', '-f', `x${ALL_HOSTILE}`.replace(/[./\\]/g, '')],
    '--format: .* is unknown',
  ],
  ['--format with a file', ['check', '-f', `xml=${ALL_HOSTILE}`], "--format: 'xml' is unknown"],
  [
    '--output without a known ending',
    ['analyze', 'a.json', '-o', `${ALL_HOSTILE}.x`],
    '--output: the extension',
  ],
  [
    '--output in a folder that cannot be',
    ['analyze', 'a.json', '-o', `/proc/${ALL_HOSTILE}/x.json`],
    '.* cannot be written',
  ],
  ['--budget', ['analyze', 'a.json', '-b', ALL_HOSTILE], '--budget: .* is not a time'],
  ['--seed', ['analyze', 'a.json', '--seed', ALL_HOSTILE], '--seed: .* is not a whole number'],
  ['--channel', ['analyze', 'a.json', '-c', ALL_HOSTILE], '--channel: .* is unknown'],
  ['--as', ['analyze', 'a.json', '--as', ALL_HOSTILE], '--as: .* is unknown'],
  ['--profile', ['analyze', 'a.json', '--profile', `a.json/${ALL_HOSTILE}`], 'a.json/.* cannot be written'],
  ['a runtime', ['analyze', 'a.json', '--no-measure', '-r', ALL_HOSTILE], 'runtime .* was not found'],
  ['an export', ['analyze', 'm.mjs', '--no-measure', '-e', ALL_HOSTILE], 'm.mjs: has no export'],
  ['a runtime of sweep', ['sweep', 'a.json', '-r', ALL_HOSTILE], 'runtime .* was not found'],
  ['--by', ['sweep', 'a.json', '--by', ALL_HOSTILE], '--by: .* is unknown'],
  ['--scale', ['sweep', 'a.json', '--scale', ALL_HOSTILE], '--scale: .* is not a range'],
  ['--preset', ['sweep', '--preset', ALL_HOSTILE], '--preset: .* is unknown'],
  ['--config', ['check', '--config', `${ALL_HOSTILE}.json`], '.*: no such file'],
  ['a payload of check', ['check', `${ALL_HOSTILE}.json`], '.*: no such file'],
  ['--shard', ['check', 'a.json', '--shard', ALL_HOSTILE], '--shard: .* is not a valid shard'],
  ['--merge', ['check', '--merge', `${ALL_HOSTILE}.json`], '.*: no such file'],
  ['a runtime of verify', ['verify', ALL_HOSTILE], 'runtime .* was not found'],
  ['a runtime of rules', ['rules', ALL_HOSTILE], 'unknown runtime'],
  ['a version of rules', ['rules', `bun@${ALL_HOSTILE}`], 'rules: .* is not a version'],
  ['a word of runtimes', ['runtimes', ALL_HOSTILE], 'runtimes: .* is unknown'],
  ['a runtime to remove', ['runtimes', 'remove', ALL_HOSTILE], 'runtime .* was not found'],
];

const FILES = { 'a.json': '{"a":[1,2,3]}', 'm.mjs': 'export {}' };
const VALUES = { 'm#rows': [{ a: 1 }] };

/** What files and programs bring in. */
const CONTENTS: QuickCase[] = [
  {
    name: 'a key of the config',
    args: ['check'],
    files: { 'clone-prof.config.json': JSON.stringify({ [ALL_HOSTILE]: 1 }) },
    exit: 2,
    stderr: line('clone-prof.config.json: '),
  },
  {
    name: 'a value of the config',
    args: ['check'],
    files: { 'clone-prof.config.json': JSON.stringify({ extends: ALL_HOSTILE }) },
    exit: 2,
    stderr: line('clone-prof.config.json: '),
  },
  {
    name: 'a payload of the config',
    args: ['check'],
    files: { 'clone-prof.config.json': JSON.stringify({ payloads: [`${ALL_HOSTILE}.json`] }) },
    exit: 2,
    stderr: line('.*: no such file'),
  },
  {
    name: 'a runtime of the config',
    args: ['check'],
    files: {
      ...FILES,
      'clone-prof.config.json': JSON.stringify({ payloads: ['a.json'], runtimes: [ALL_HOSTILE] }),
    },
    exit: 3,
    stderr: [
      /^note: clone-prof\.config\.json asks for it: running/,
      line('a on .* not measured: runtime .* was not found'),
    ],
  },
  {
    name: 'a config that is not JSON',
    args: ['check'],
    files: { 'clone-prof.config.json': `{ ${ALL_HOSTILE}` },
    exit: 2,
    stderr: line('clone-prof.config.json'),
  },
  {
    name: 'the schema of a baseline',
    args: ['check', 'a.json'],
    files: { ...FILES, 'clone-prof.baseline.json': JSON.stringify({ schema: ALL_HOSTILE }) },
    exit: 2,
    stderr: line('clone-prof.baseline.json: not a readable '),
  },
  {
    name: 'a report to merge',
    args: ['check', '--merge', 'r.json'],
    files: { 'r.json': JSON.stringify({ schema: ALL_HOSTILE, [ALL_HOSTILE]: 1 }) },
    exit: 2,
    stderr: line('r.json: not a readable'),
  },
  {
    name: 'a merged failure',
    args: ['check', '--merge', 'r.json', '-f', 'json'],
    files: {
      'r.json': JSON.stringify({
        schema: 'clone-prof/check@1',
        tool: { version: '0.1.0' },
        passed: false,
        shard: { index: 1, count: 1 },
        inputs: { config: 'x', baseline: null, baselineFile: 'b.json' },
        unchecked: [],
        results: [],
        failures: [{ payload: ALL_HOSTILE, file: 'x.json', code: 'guest-exited', message: ALL_HOSTILE }],
      }),
    },
    exit: 3,
    stderr: line(''),
  },
  {
    name: 'a key where a limit is broken',
    args: ['check', 'a.json', '-f', 'json'],
    files: {
      'a.json': JSON.stringify([{ [ALL_HOSTILE]: {} }]),
      'clone-prof.config.json':
        '{"limits":{"class":"in-memory"},"payloads":["a.json"],"runtimes":["bun@1.4.5"]}',
    },
    runtimes: ['bun@1.4.5'],
    exit: 1,
    stderr: line('a on bun@1.4.5: class serialized, limit in-memory at .*red'),
  },
  {
    name: 'what a module threw, and printed before',
    args: ['sweep', 'm.mjs'],
    files: FILES,
    script: {
      fails: (ask) =>
        ask.type === 'open'
          ? new ToolError('module-threw', { file: 'm.mjs', detail: ALL_HOSTILE, output: ALL_HOSTILE })
          : null,
    },
    exit: 2,
    stderr: line('m.mjs: threw while loading: '),
    // What it printed, in its own lines.
    mostLines: 9,
  },
  {
    name: 'a crash that printed, in a file',
    args: ['analyze', 'a.json', '--no-measure', '-o', 'r.html'],
    files: FILES,
    script: {
      fails: () =>
        new ToolError('guest-crashed', { file: 'a.json', detail: ALL_HOSTILE, output: ALL_HOSTILE }),
    },
    exit: 3,
    stderr: [line('a on node@24.0.0: the runtime crashed'), /^wrote r\.html$/],
  },
  {
    name: 'a defect, with a stack',
    args: ['sweep', 'a.json'],
    files: FILES,
    script: {
      fails: () => {
        throw new Error(ALL_HOSTILE);
      },
    },
    exit: 3,
    stderr: line('an unexpected error, a bug in clone-prof:'),
    mostLines: 40,
  },
  {
    name: 'a defect in one run',
    args: ['analyze', 'a.json', '--no-measure', '-f', 'json'],
    files: FILES,
    script: {
      fails: (ask) => {
        if (ask.type === 'describe') throw new Error(ALL_HOSTILE);
        return null;
      },
    },
    exit: 3,
    stderr: line('a on node@24.0.0: Error: a'),
  },
  {
    name: 'the key that a sweep scales',
    args: ['sweep', 'a.json', '--steps', '2', '--scale', '1..4'],
    files: { 'a.json': JSON.stringify({ [ALL_HOSTILE]: [1, 2, 3] }) },
    exit: 0,
    stderr: /^note: a: scaling the 3 items of /,
  },
  {
    name: 'sizes of a sweep that crash',
    args: ['sweep', 'a.json', '--steps', '3', '--scale', '1..9', '-f', 'json'],
    files: FILES,
    script: {
      fails: (ask) =>
        ask.type === 'measure'
          ? new ToolError('guest-crashed', { file: 'a.json', detail: ALL_HOSTILE })
          : null,
    },
    exit: 3,
    stderr: [line('a on node@24.0.0: not timed at 1, 3, 9 items: '), /^note: /],
  },
  {
    name: 'a job summary that cannot be written',
    args: ['check', '-f', 'github'],
    files: {
      ...FILES,
      'clone-prof.config.json': '{"limits":{"class":"off","maxBytes":"off"},"payloads":["a.json"]}',
    },
    env: { GITHUB_STEP_SUMMARY: `/proc/${ALL_HOSTILE}` },
    exit: 0,
    stderr: /^warning: no job summary: /,
  },
];

/** Long ones: cut, the reason at the end still there. */
const LONG = 'x'.repeat(1_000_000);
const CUT: [name: string, args: string[], reason: RegExp][] = [
  [
    'a megabyte of file name',
    ['analyze', `${LONG}.json`, '-f', 'json'],
    /^clone-prof: x{50}… \(1,000,005 characters\) …x+\.json: cannot be read \(.{1,300}\)$/,
  ],
  [
    'a megabyte of option',
    ['analyze', `--${LONG}`],
    /^clone-prof: unknown option '--x+… \([\d,]+ characters\) …x*' \(--help lists the options\)$/,
  ],
  [
    'a megabyte of command',
    [LONG],
    /^clone-prof: unknown command 'x+… \([\d,]+ characters\) …x*' \(--help lists the options\)$/,
  ],
  [
    'a megabyte of control characters',
    ['analyze', '-b', '\u001b'.repeat(1_000_000)],
    /^clone-prof: --budget: '(\\u001b)+… \([\d,]+ characters\) …\.? ?Write it like 500ms, 5s or 2m$/,
  ],
];

testQuick('stderr', [
  ...KINDS,
  ...ARGUMENTS.map(([name, args, reason]): QuickCase => {
    const exit = /was not found/.test(reason) ? 3 : 2;
    return { name, args, files: FILES, script: { values: VALUES }, exit, stderr: line(reason) };
  }),
  ...CONTENTS,
  ...CUT.map(([name, args, stderr]): QuickCase => ({ name, args, exit: 2, stderr })),
  {
    name: 'more reasons than anyone reads',
    args: ['analyze', ...Array.from({ length: 50 }, (_, i) => `${i}.json`), '-f', 'json'],
    exit: 2,
    stderr: [/^clone-prof: 0\.json: no such file/, /^clone-prof: 19\.json: /, /^clone-prof: and 30 more$/],
    mostLines: 21,
  },
]);
