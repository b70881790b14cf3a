/** stderr: what files, modules and other programs bring in; streams of the built program that cannot be written. */
import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import { test } from 'node:test';
import { endOf, startCli } from '../support/spawn-cli.ts';
import { usually } from '../support/whole.ts';
import { type HostileCase, testHostile, testHostileGuests } from './corpus.ts';
import { ALL_HOSTILE, IN_FILE_NAMES } from './strings.ts';

const TEXT = JSON.stringify(ALL_HOSTILE);
const NAME = IN_FILE_NAMES;
const NODE = ['-r', 'node'];

const CASES: HostileCase[] = [
  {
    name: 'a module that prints on both streams and throws',
    args: ['sweep', 'p.mjs', ...NODE],
    files: { 'p.mjs': `console.log(${TEXT}); console.error(${TEXT}); throw new Error(${TEXT});` },
    exit: 2,
    stderr: /^clone-prof: p\.mjs: threw while loading: /,
    mostLines: 31,
  },
  {
    name: 'a module that prints and exits',
    isRepeated: true,
    args: ['sweep', 'p.mjs', ...NODE],
    files: { 'p.mjs': `process.stdout.write(${TEXT}); process.exit(3);` },
    exit: 3,
    stderr: /^clone-prof: p\.mjs: the process exited \(exit code 3\)/,
    mostLines: 31,
  },
  {
    name: 'inputs that fail in five ways, with the result in a file',
    args: [
      'analyze',
      'a.json',
      `${NAME}.json`,
      'bad.ts',
      'none.mjs',
      'f.mjs',
      ...NODE,
      '--no-measure',
      '-o',
      'r.html',
    ],
    files: {
      'a.json': '[1]',
      [`${NAME}.json`]: `{"a": ${NAME}}`,
      'bad.ts': `const a = '${NAME.replaceAll(/[\n\r\u2028]/g, '')}' 5;`,
      'none.mjs': 'export {}',
      'f.mjs': `export function f() { throw new Error(${TEXT}); }`,
    },
    exit: 2,
    stderr: [
      /^wrote r\.html$/,
      /^clone-prof: .*\.json:1:7: not valid JSON/,
      /^clone-prof: bad\.ts:1:\d+: cannot be compiled: /,
      /^clone-prof: none\.mjs: exports nothing/,
      /^clone-prof: f#f on node@[\d.]+: the factory 'f' threw: /,
    ],
  },
  {
    name: 'a sweep of a file with a hostile name',
    isRepeated: true,
    args: ['sweep', `${NAME}.json`, '--by', 'bytes', ...NODE],
    files: { [`${NAME}.json`]: '[1,2,3]' },
    exit: 2,
    stderr: /^clone-prof: .*\.json: there is no buffer with bytes in it/,
  },
  {
    name: 'a line of NDJSON in a file with a hostile name',
    isRepeated: true,
    args: ['analyze', `${NAME}.ndjson`, ...NODE, '--no-measure', '-f', 'json'],
    files: { [`${NAME}.ndjson`]: '{"a":1}\n{"a":\u001b[31m}\n' },
    exit: 2,
    stderr: /^clone-prof: .*\.ndjson:2:\d+: not valid JSON/,
  },
  {
    name: 'names of exports in notes',
    isRepeated: true,
    args: ['analyze', 'm.mjs', ...NODE, '--no-measure', '-f', 'json'],
    files: {
      'm.mjs': `const a = [1]; let b; export { a, b as ${JSON.stringify(NAME)} };`,
    },
    exit: 0,
    stderr: /^note: .*export/,
  },
  {
    name: 'a program with a hostile name that is not a runtime',
    args: ['analyze', 'a.json', '-r', `<folder>/${NAME}`],
    files: { 'a.json': '[1]', [`${NAME}*`]: `#!/bin/sh\nprintf '%s' ${TEXT.replaceAll('`', '')}\n` },
    exit: 2,
    stderr: /^clone-prof: .*: this program is not one of /,
  },
  {
    name: 'a config file with a hostile name',
    isRepeated: true,
    args: ['check', '--config', `${NAME}.json`],
    files: { [`${NAME}.json`]: '{"limits": 1}' },
    exit: 2,
    stderr: /^clone-prof: .*\.json: /,
  },
  {
    name: 'a payload module of a gate that prints and dies, the result in JUnit',
    args: ['check', '-o', 'r.xml'],
    files: {
      'p.mjs': `console.log(${TEXT}); process.kill(process.pid, 'SIGKILL'); export const a = 1;`,
      'clone-prof.config.json': '{"payloads":["p.mjs"]}',
    },
    exit: 3,
    stderr: [/^clone-prof: p(: |\.mjs: )/, /^wrote r\.xml$/],
  },
];

const CONFIG_THAT_THROWS: HostileCase = {
  name: 'a config that throws',
  isRepeated: true,
  args: ['check', 'a.json'],
  files: { 'a.json': '[1]', 'clone-prof.config.mjs': `throw new Error(${TEXT});` },
  exit: 2,
  stderr: /^clone-prof: clone-prof\.config\.mjs: /,
  mostLines: 3,
};

testHostileGuests('stderr', CASES);
testHostile('stderr', [CONFIG_THAT_THROWS]);

/** A disk without room, as stdout. Exit code 1 would say that the gate failed. */
for (const args of usually<readonly string[]>(
  [['--version'], ['rules', 'bun', '-f', 'json']],
  [['--help'], ['check', '--init', '--help']],
)) {
  test(`stderr: stdout cannot be written: ${args.join(' ')}`, {
    skip: process.platform !== 'linux',
  }, async () => {
    const full = openSync('/dev/full', 'w');
    try {
      const { code, stderr } = await endOf(startCli(args, { stdio: ['ignore', full, 'pipe'] }));
      assert.match(stderr, /^clone-prof: stdout: cannot be written \(ENOSPC.*\)\n$/);
      assert.equal(code, 2);
    } finally {
      closeSync(full);
    }
  });
}
