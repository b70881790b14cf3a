/** An input is not overwritten by a result, also if the output is a link to it. */
import assert from 'node:assert/strict';
import { linkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCli } from '../support/run-cli.ts';

const POSIX = { skip: process.platform === 'win32' };

const CODEC = '// clone-prof codec\nexport const rows = [1, 2, 3];\n';
const RECORDING = '{"schema":"clone-prof/recording"}\n';
const CONFIG = '{"payloads":["a*.json"],"baseline":"base.json"}';
const FILES = { 'a.json': '[1,2,3]', 'a.ts': CODEC, 'a.cprof': RECORDING, 'clone-prof.config.json': CONFIG };

/** A command line, the input, and the name under which it is the output too. */
const ROWS: [line: string, input: keyof typeof FILES, output: string][] = [
  ['analyze a.json -o out.json', 'a.json', 'out.json'],
  ['analyze a*.json -o out.json', 'a.json', 'out.json'],
  ['analyze a.json -f html=out.json', 'a.json', 'out.json'],
  ['analyze a.ts --emit out.ts', 'a.ts', 'out.ts'],
  ['analyze a.ts#rows -o out.json', 'a.ts', 'out.json'],
  ['analyze a.cprof -o out.json', 'a.cprof', 'out.json'],
  ['sweep a.json -o out.json', 'a.json', 'out.json'],
  ['check -o out.json', 'a.json', 'out.json'],
  ['check -o out.json', 'clone-prof.config.json', 'out.json'],
  ['check --merge a.json -o out.json', 'a.json', 'out.json'],
  ['baseline', 'a.json', 'base.json'],
  ['baseline', 'clone-prof.config.json', 'base.json'],
  ['check --accept', 'a.json', 'base.json'],
  ['codec a*.ts -o out.ts', 'a.ts', 'out.ts'],
  ['report a.json -o out.json', 'a.json', 'out.json'],
  ['record -o out.cprof -- node a.cprof', 'a.cprof', 'out.cprof'],
];

for (const [kind, link] of [
  ['a symbolic link', symlinkSync],
  ['a hard link', linkSync],
] as const)
  for (const [line, input, output] of ROWS)
    test(`${line}: ${output} is ${kind} to ${input}`, POSIX, async () => {
      const { code, stderr, files } = await runCli(line.split(' '), {
        files: FILES,
        setUp: (cwd) => link(join(cwd, input), join(cwd, output)),
        shows: [input],
      });
      assert.equal(files[input], FILES[input]);
      assert.equal(code, 2, stderr);
      assert.match(
        stderr,
        /^clone-prof: (--output|--emit|baseline): .* is also an input\. Name another file$/m,
      );
    });

test('two outputs are not one file', POSIX, async () => {
  const { code, stderr } = await runCli(['analyze', 'a.json', '-o', 'x.json', '-o', 'y.json'], {
    files: { ...FILES, 'x.json': '' },
    setUp: (cwd) => linkSync(join(cwd, 'x.json'), join(cwd, 'y.json')),
  });
  assert.equal(code, 2);
  assert.equal(stderr, 'clone-prof: --output: y.json is named twice. Name another file\n');
});
