/** stderr: every text from outside, by every way that it comes in, is one escaped line. */
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

/** What engines and stacks bring in, which differs by version; `cases/commands/hostile-contents.md` has the rest. */
const CONTENTS: QuickCase[] = [
  {
    name: 'a config that is not JSON',
    args: ['check'],
    files: { 'clone-prof.config.json': `{ ${ALL_HOSTILE}` },
    exit: 2,
    stderr: line('clone-prof.config.json'),
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
