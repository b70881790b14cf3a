/** Where results go: what cannot be written is said at once, and every failure beside a result in a file. */
import { type QuickCase, testQuick } from './corpus.ts';

const FILES = { 'a.json': '{"a":[1,2,3]}', 'folder/x': '' };
const ANALYZE = ['analyze', 'a.json', '--no-measure'];

/** The ending decides the format. */
const WRITTEN: [args: string[], file: string, begins: RegExp][] = [
  [['-o', 'r.html'], 'r.html', /^<!DOCTYPE html>/],
  [['-o', 'R.HTM'], 'R.HTM', /^<!DOCTYPE html>/],
  [['-o', 'r.json'], 'r.json', /^\{\n {2}"schema": "clone-prof\/report@1"/],
  [['-o', 'r.markdown'], 'r.markdown', /^## clone-prof/],
  [['-o', 'r.txt'], 'r.txt', /^a {2}a\.json\n/],
  [['-f', 'json', '-o', 'r.log'], 'r.log', /^\{/],
  [['-f', 'markdown', '-o', 'r.txt'], 'r.txt', /^## clone-prof/],
  [['-f', 'json=odd.html'], 'odd.html', /^\{/],
  [['-o', 'new/folders/r.json'], 'new/folders/r.json', /^\{/],
];

const UNWRITABLE: [name: string, args: string[], reason: RegExp][] = [
  [
    'below /proc',
    ['-o', '/proc/none/x/y.json'],
    /^clone-prof: \/proc\/none\/x\/y\.json: cannot be written \(ENOENT/,
  ],
  [
    'a folder',
    ['-f', 'json', '-o', 'folder'],
    /^clone-prof: folder: cannot be written \(it is a directory\)$/,
  ],
  ['below a file', ['-o', 'a.json/r.json'], /^clone-prof: a\.json\/r\.json: cannot be written \(ENOTDIR/],
  [
    'a name that is too long',
    ['-o', `${'x'.repeat(300)}.json`],
    /^clone-prof: x+\.json: cannot be written \(ENAMETOOLONG/,
  ],
  ['an empty name', ['-o', ''], /^clone-prof: --output: the name of the file is empty$/],
  [
    'an unknown ending',
    ['-o', 'r.pdf'],
    /^clone-prof: --output: the extension of 'r\.pdf' is not known\. Known: \.sarif\.json, \.sarif, \.bench\.json, \.json, \.md, /,
  ],
  [
    'an ending of another command',
    ['-o', 'r.xml'],
    /^clone-prof: --output: the extension of 'r\.xml' is not known/,
  ],
  [
    'the payload itself',
    ['-o', './a.json'],
    /^clone-prof: --output: \.\/a\.json is also an input\. Name another file$/,
  ],
  [
    'the same file twice',
    ['-o', 'r.json', '-o', './r.json'],
    /^clone-prof: --output: \.\/r\.json is named twice/,
  ],
  ['two documents for stdout', ['-f', 'json', 'html'], /^clone-prof: --format: json cannot share stdout/],
  ['a profile below a file', ['--profile', 'a.json/p'], /^clone-prof: a\.json\/p: cannot be written/],
];

testQuick('outputs', [
  ...WRITTEN.map(
    ([args, file, begins]): QuickCase => ({
      name: args.join(' '),
      args: [...ANALYZE, ...args],
      files: FILES,
      exit: 0,
      stderr: new RegExp(`^wrote ${file}$`),
      // With -f only what it names is written; a text for the terminal is written once.
      stdout: args.includes('-f') || file === 'r.txt' || args.join().includes('=') ? /^$/ : /^a {2}a\.json\n/,
      shows: [file],
      contents: { [file]: begins },
    }),
  ),
  ...UNWRITABLE.map(
    ([name, args, stderr]): QuickCase => ({
      name,
      args: [...(name.includes('profile') ? ANALYZE.slice(0, 2) : ANALYZE), ...args],
      files: FILES,
      // Nothing was asked of a guest.
      script: {
        fails: () => {
          throw new Error('too late');
        },
      },
      exit: 2,
      stderr,
      stdout: /^$/,
    }),
  ),
  {
    name: 'a full disk, beside a good file',
    args: [...ANALYZE, '-f', 'json=/dev/full', 'html=r.html'],
    files: FILES,
    exit: 2,
    stderr: [/^clone-prof: \/dev\/full: cannot be written \(ENOSPC/, /^wrote r\.html$/],
    shows: ['r.html'],
    contents: { 'r.html': /<\/html>\s*$/ },
  },
  {
    name: 'two files and the terminal',
    args: [...ANALYZE, '-f', 'terminal', '-o', 'r.json', '-o', 'r.html'],
    files: FILES,
    exit: 0,
    stderr: [/^wrote r\.json$/, /^wrote r\.html$/],
    stdout: /^a {2}a\.json\n/,
    shows: ['r.json', 'r.html'],
    contents: { 'r.json': /^\{/, 'r.html': /^<!DOCTYPE/ },
  },
  {
    name: 'stdout by name',
    args: [...ANALYZE, '-f', 'json', '-o', '-'],
    files: FILES,
    exit: 0,
    stderr: null,
    stdout: /^\{/,
  },
  {
    name: 'a payload behind the formats is not a format',
    args: ['analyze', '--no-measure', '-f', 'json', 'a.json'],
    files: FILES,
    exit: 0,
    stderr: null,
    stdout: /^\{/,
  },
  {
    name: 'the reason beside a file',
    args: ['analyze', 'a.json', 'none.json', '--no-measure', '-o', 'r.md'],
    files: FILES,
    exit: 2,
    stderr: [/^wrote r\.md$/, /^clone-prof: none\.json: no such file/],
  },
  {
    name: 'the reason beside JSON on stdout',
    args: [...ANALYZE, '-f', 'json', '-r', 'node', 'deno'],
    files: FILES,
    exit: 3,
    stderr: /^clone-prof: runtime 'deno' was not found/,
  },
  {
    name: 'a gate that fails, all results in files',
    args: ['check', '-o', 'r.xml', '-o', 'r.sarif', '-o', 'r.sarif.json'],
    files: {
      'rows.json': '[{"id":1},{"id":2,"geo":{"lat":1}}]',
      'clone-prof.config.json':
        '{"limits":{"class":"in-memory"},"payloads":["rows.json"],"runtimes":["bun@1.4.5"]}',
    },
    runtimes: ['bun@1.4.5'],
    exit: 1,
    stderr: [
      /^clone-prof: rows on bun@1\.4\.5: class serialized, limit in-memory at \$\[1\]\.geo$/,
      /^wrote r\.xml$/,
      /^wrote r\.sarif$/,
      /^wrote r\.sarif\.json$/,
    ],
    stdout: /^✖ rows/,
    shows: ['r.xml', 'r.sarif', 'r.sarif.json'],
    contents: { 'r.xml': /^<\?xml/, 'r.sarif': /^\{/, 'r.sarif.json': /sarif/ },
  },
  {
    name: 'a gate that would write over its payload',
    args: ['check', 'a.json', '-f', 'json=a.json'],
    files: FILES,
    exit: 2,
    stderr: /^clone-prof: --output: a\.json is also an input/,
    stdout: /^$/,
  },
  {
    name: 'a merged report over one of the shards',
    args: ['check', '--merge', 'a.json', '-o', 'a.json'],
    files: FILES,
    exit: 2,
    stderr: /^clone-prof: --output: a\.json is also an input/,
  },
  {
    name: 'a sweep in a file and on the terminal',
    args: ['sweep', 'a.json', '--steps', '2', '--scale', '1..4', '-f', 'terminal', '-o', 's.json'],
    files: FILES,
    exit: 0,
    stderr: [/^note: /, /^wrote s\.json$/],
    stdout: /^a\n/,
    shows: ['s.json'],
    contents: { 's.json': /clone-prof\/sweep@1/ },
  },
  {
    name: 'a baseline in a place that cannot be',
    args: ['baseline'],
    files: {
      ...FILES,
      'clone-prof.config.json': '{"baseline":"/proc/none/b.json","payloads":["a.json"]}',
    },
    script: {
      fails: () => {
        throw new Error('too late');
      },
    },
    exit: 2,
    stderr: /^clone-prof: \/proc\/none\/b\.json: cannot be written \(ENOENT/,
    stdout: /^$/,
  },
]);
