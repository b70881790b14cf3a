/** Programs called like runtimes, in the working folder and above: none is started unless it is asked for. */

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { usually } from '../support/whole.ts';
import { type HostileCase, testHostileGuests } from './corpus.ts';

/** Leaves a file beside itself when it is started, and says that it is Bun. */
const PROGRAM = '#!/bin/sh\n: > "$0.ran"\necho 1.4.5\n';

const ran = (folder: string) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.ran'))
    .map((file) => file.slice(0, -'.ran'.length))
    .sort();

const programs = (...names: string[]) => Object.fromEntries(names.map((name) => [`${name}*`, PROGRAM]));

type Row = Omit<HostileCase, 'also' | 'exit'> & { exit?: number; runs?: string[] };

const row = ({ runs = [], exit = 0, env, files, ...rest }: Row): HostileCase => ({
  exit,
  ...rest,
  files: { 'a/x.json': '{"a":1}', 'x.json': '{"a":1}', ...files },
  env: { PATH: '/usr/bin:/bin', ...env },
  also: (_, folder) => assert.deepEqual(ran(folder), runs),
});

const analyze = ['analyze', 'x.json', '--no-measure', '--offline'];
const bin = 'node_modules/.bin';

const SWEEP = row({
  name: 'sweep starts none',
  args: ['sweep', 'x.json', '--steps', '2', '-b', '50ms', '--offline'],
  files: programs(`${bin}/bun`, `${bin}/deno`),
  exit: 0,
  stderr: [],
  mostLines: 2,
});

testHostileGuests('programs', [
  row({
    name: 'in node_modules of the working folder and above, in .bin on PATH as npx has it, in "." and the folder on PATH',
    args: analyze,
    cwd: 'a',
    files: programs(
      ...['a/bun', 'a/deno', 'a/tools/bun'],
      ...[`a/${bin}/bun`, `a/${bin}/deno`, `a/${bin}/node`, `${bin}/bun`, `${bin}/deno`],
      ...[
        'a/node_modules/@oven/bun-linux-x64/bin/bun',
        'a/node_modules/deno/deno',
        'a/node_modules/@deno/x/deno',
      ],
      ...['node_modules/@oven/bun-linux-x64/bin/bun', 'node_modules/bun/bin/bun.exe'],
    ),
    env: {
      PATH: `.:<folder>/a:<folder>/a/tools::tools:<folder>/a/${bin}:<folder>/${bin}:/usr/bin:/bin`,
      npm_command: 'exec',
    },
    stderr: null,
  }),
  ...usually([], [SWEEP]),
  row({
    name: 'runtimes starts none',
    args: ['runtimes'],
    files: programs(`${bin}/bun`, `${bin}/deno`),
    stderr: null,
  }),
  row({
    name: 'asked for: that of the working folder, named before it is started',
    args: [...analyze, '-r', 'node', 'bun@1.4.6'],
    files: programs(`${bin}/bun`),
    exit: 3,
    stderr: [
      /^note: bun was asked for: running the project's own .*node_modules\/\.bin\/bun$/,
      /bun@1\.4\.6: not in the cache/,
    ],
    mostLines: 3,
    runs: [`${bin}/bun`],
  }),
  row({
    name: 'asked for: none of a folder above, without a repository',
    isRepeated: true,
    args: [...analyze, '-r', 'node', 'bun'],
    cwd: 'a',
    files: programs(`${bin}/bun`),
    env: { PATH: `<folder>/${bin}:/usr/bin:/bin` },
    exit: 3,
    stderr: /runtime 'bun' was not found/,
    mostLines: 2,
  }),
  row({
    name: 'asked for: that of the root of the repository',
    isRepeated: true,
    args: [...analyze, '-r', 'node', 'bun'],
    cwd: 'a',
    files: { '.git/HEAD': 'ref: x', ...programs(`${bin}/bun`) },
    exit: 3,
    stderr: /^note: bun was asked for/,
    mostLines: 3,
    runs: [`${bin}/bun`],
  }),
]);

/** None of these is a version, and nothing is asked, fetched or started for them. */
const SPECS = [
  ...['constructor', '__proto__', 'toString', '../../x', 'file:x', 'npm:evil', 'https://example.org/x.tgz'],
  ...['1.0 || evil', '--registry=http://127.0.0.1:9/'],
];

testHostileGuests('versions', [
  ...SPECS.map((spec) =>
    row({
      name: JSON.stringify(spec),
      args: ['analyze', 'x.json', '--no-measure', '-r', `bun@${spec}`],
      files: programs('x', `${bin}/bun`),
      exit: 2,
      stderr: /is not a version, a range or a tag/,
    }),
  ),
  row({
    name: 'runtimes add',
    args: ['runtimes', 'add', 'bun@constructor'],
    exit: 2,
    stderr: /^clone-prof: bun@constructor: 'constructor' is not a version/,
  }),
  row({
    name: 'runtimes remove',
    args: ['runtimes', 'remove', 'node@../../..'],
    exit: 2,
    stderr: /is not a version, a range or a tag/,
  }),
  row({
    name: 'in a config',
    args: ['check'],
    files: { 'clone-prof.config.json': '{"payloads":["x.json"],"runtimes":["deno@__proto__"]}' },
    exit: 2,
    stderr: /is not a version, a range or a tag/,
  }),
]);
