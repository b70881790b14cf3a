/** `check --base` in real git repositories, with the built program on real runtimes: what pull requests and accidents do. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inRepository, putFiles, type RepositoryFiles, runGit } from '../support/git-repository.ts';
import { realCli } from '../support/real-cli.ts';
import { missing, type RuntimeSpec } from '../support/runtimes.ts';
import { usually } from '../support/whole.ts';
import { assertPrints, type Transcript, textOf } from './transcript.ts';

interface PullRequest extends Transcript {
  /** At the base commit. */
  before: RepositoryFiles;
  /** Written over them, and files that are removed. */
  now: RepositoryFiles;
  removed?: readonly string[];
  args?: string;
  cwd?: string;
  needs?: RuntimeSpec[];
}

const CONFIG = 'clone-prof.config.json';
/** Times differ from run to run: the transcripts of facts do without. */
const config = (...payloads: unknown[]) => JSON.stringify({ limits: { time: 'off' }, payloads });

const rows = (count: number, row: (id: number) => unknown = (id) => ({ id, name: `name ${id}` })) =>
  JSON.stringify(Array.from({ length: count }, (_, id) => row(id)));

const BEFORE = {
  [CONFIG]: config('fixtures/*.json', 'list.mjs'),
  'fixtures/rows.json': rows(20),
  'fixtures/small.json': '{"a":1}',
  'codec.mjs': 'export const encode = (n) => Array.from({ length: n }, (_, i) => i);',
  'list.mjs': 'import { encode } from "./codec.mjs";\nexport const list = () => encode(100);\n',
};

const PULL_REQUESTS: PullRequest[] = [
  {
    name: 'hole',
    code: 1,
    says: [
      '1 of 21 limits broken.',
      ...['list#list on node@<version>', 'serialized → degraded', '243 B → 16 B, -93 %', '101 → 3, -97 %'],
      'clone-prof: list#list on node@<version>: class serialized -> degraded, limit as in main at $',
    ],
    before: BEFORE,
    // Not the payload's file: what it imports. Node keeps the holes of `new Array(n)`.
    now: {
      'codec.mjs':
        'export const encode = (n) => { const a = new Array(n); a[0] = 1; a[n - 1] = 2; return a; };',
    },
  },
  {
    name: 'markdown',
    before: {
      [CONFIG]: config('fixtures/*.json'),
      'fixtures/rows.json': BEFORE['fixtures/rows.json'],
      'fixtures/small.json': BEFORE['fixtures/small.json'],
    },
    now: { 'fixtures/rows.json': rows(40), 'fixtures/new.json': '[1]' },
    args: '-f markdown',
    removed: ['fixtures/small.json'],
  },
  {
    name: 'typescript-in-a-workspace',
    code: 1,
    says: [
      '2 of 7 limits broken.',
      ...['rows#rows on node@<version>', 'degraded', '19 B → 1.45 kB, +7,511 %', '4 → 301, +7,425 %'],
      'clone-prof: rows#rows on node@<version>: maxBytes 19 B -> 1.45 kB, +7,511 %, limit +10% (20 B); maxNodes',
      'at $[*]',
    ],
    before: {
      'shared/size.ts': 'export const size: number = 3;',
      'app/rows.ts':
        'import { size } from "../shared/size.ts";\nexport const rows = () => new Array<number>(size).fill(1);',
      'app/package.json': '{"type":"module"}',
      [`app/${CONFIG}`]: config('rows.ts'),
    },
    now: { 'shared/size.ts': 'export const size: number = 300;' },
    cwd: 'app',
  },
  {
    name: 'generated-file',
    code: 1,
    says: [
      '1 difference between main and now.',
      ...['a on node@<version>', 'new: serialized', 'new: 9 B', 'new: 2'],
      'clone-prof: a on node@<version>: not in main, nor in HEAD: it is generated, or not committed',
    ],
    before: { [CONFIG]: config('out/a.json'), '.gitignore': 'out\n' },
    now: { 'out/a.json': '[1]' },
  },
  {
    name: 'module-that-did-not-load',
    code: 3,
    says: [
      '1 limit not measured.',
      "clone-prof: m#a on node@<version>: not measured: in main: m.mjs: threw while loading: Error: Cannot find module 'not-committed.mjs' imported from m.mjs",
    ],
    before: { [CONFIG]: config('m.mjs'), 'm.mjs': 'import "./not-committed.mjs";\nexport const a = 1;' },
    now: { 'm.mjs': 'export const a = 1;' },
  },
  {
    name: 'on-bun',
    code: 1,
    says: [
      '2 of 7 limits broken.',
      ...['rows on bun@1.4.5', 'in-memory → serialized', '1.53 kB → 780 B, -49 %', '61 → 81, +33 %'],
      'clone-prof: rows on bun@1.4.5: class in-memory -> serialized, limit as in main; maxNodes',
      'at $[0].geo',
    ],
    before: {
      [CONFIG]: JSON.stringify({ runtimes: ['bun@1.4.5'], limits: { time: 'off' }, payloads: ['rows.json'] }),
      'rows.json': rows(20),
    },
    now: { 'rows.json': rows(20, (id) => ({ id, geo: { id } })) },
    needs: ['bun@1.4.5'],
  },
];

/** What needs no runtime to be seen is in `cases/check`, `cases/gate` and `hostile/quick-pull-requests`. */
const USUAL = ['markdown', 'typescript-in-a-workspace', 'generated-file', 'on-bun'];
const [those, others] = [true, false].map((is) =>
  PULL_REQUESTS.filter(({ name }) => USUAL.includes(name) === is),
);

/** Versions and commits are those of the machine and the test. */
const clean = (text: string, folder: string) =>
  text
    .replaceAll(folder, '<repository>')
    .replace(/node@\d+\.\d+\.\d+/g, 'node@<version>')
    .replace(/&#64;&#8203;\d+\.\d+\.\d+/g, '@<version>')
    .replace(/, commit [0-9a-f]+/g, ', commit <id>');

const stateOf = (folder: string) =>
  runGit(folder, 'status', '--porcelain') + runGit(folder, 'worktree', 'list');

for (const {
  name,
  says,
  code: expected,
  before,
  now,
  removed = [],
  args = '',
  cwd = '.',
  needs = [],
} of usually(those!, others!)) {
  test(`check --base: ${name}`, { skip: missing(...needs) }, () =>
    inRepository(before, async (folder) => {
      runGit(folder, 'switch', '-q', '-c', 'change');
      putFiles(folder, now);
      for (const file of removed) rmSync(join(folder, file));
      runGit(folder, 'add', '-A');
      runGit(folder, 'commit', '-q', '--allow-empty', '-m', 'change');
      const state = stateOf(folder);
      const words = ['check', '--base', 'main', ...args.split(' ').filter(Boolean)];
      const { code, stdout, stderr } = await realCli(words, { cwd: join(folder, cwd) });
      const text = textOf(words.join(' '), { code, stdout, stderr });
      assertPrints({ name: `base-${name}`, says, code: expected }, clean(text, folder));
      assert.equal(stateOf(folder), state);
    }),
  );
}
