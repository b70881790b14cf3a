import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_COMMANDS } from '../../src/cli/options/all.ts';
import { formatsOption, outputsOf } from '../../src/cli/options/shared.ts';
import { REPORT_FORMATS } from '../../src/model/report/formats.ts';
import { runCli } from '../support/run-cli.ts';

/** What `-f` and `-o` were given; where each format goes (`-`: stdout); the words that are payloads. */
const ROWS: [words: string, files: string, outputs: string, payloads?: string][] = [
  ['', '', 'terminal=-'],
  ['', '-', 'terminal=-'],
  ['json', '-', 'json=-'],
  ['', 'a.html b.md -', 'html=a.html markdown=b.md terminal=-'],
  // One document and one file: -f decides.
  ['markdown', 'a.txt', 'markdown=a.txt'],
  // A terminal is asked for beside a file of another kind.
  ['terminal', 'a.html', 'html=a.html terminal=-'],
  ['terminal', 'a.txt', 'terminal=a.txt'],
  ['json', 'a.json b.html', 'json=a.json html=b.html'],
  ['json html', 'b.html a.json', 'html=b.html json=a.json'],
  ['json html', 'a.log b.log', 'json=a.log html=b.log'],
  ['terminal json=a.json', '', 'json=a.json terminal=-'],
  ['json=a.x', 'b.html', 'json=a.x html=b.html'],
  ['', 'a.bench.json a.json', 'benchmark=a.bench.json json=a.json'],
  ['json json', 'a.json', 'json=a.json'],
  ['json p.json -', '', 'json=-', 'p.json -'],
];

const split = (text: string) => (text === '' ? [] : text.split(' '));

const settings = (words: string, files: string) => ({
  formats: formatsOption(REPORT_FORMATS).parse(split(words)),
  output: split(files),
});

for (const [words, files, expected, payloads = ''] of ROWS) {
  test(`-f ${words} -o ${files}: ${expected}`, () => {
    const { takes } = formatsOption(REPORT_FORMATS);
    const [taken, back] = [
      split(words).filter((word) => takes?.(word)),
      split(words).filter((word) => !takes?.(word)),
    ];
    const outputs = outputsOf(REPORT_FORMATS, settings(taken.join(' '), files));
    const shown = outputs.map(({ format, file }) => `${format}=${file ?? '-'}`);
    assert.deepEqual([shown.join(' '), back.join(' ')], [expected, payloads]);
  });
}

test('a terminal of 0 columns has an unknown width, and gets 80', async () => {
  const line = ['explain', 'holey-array'];
  const [unknown, usual, narrow] = await Promise.all(
    [0, 80, 40].map((columns) => runCli(line, { columns, tty: true })),
  );
  assert.equal(unknown?.stdout, usual?.stdout);
  assert.notEqual(unknown?.stdout, narrow?.stdout);
  const [help, usualHelp] = await Promise.all([0, 80].map((columns) => runCli(['--help'], { columns })));
  assert.equal(help?.stdout, usualHelp?.stdout);
});

test('the lists of the help fit in 40 columns', async () => {
  for (const name of ['', ...ALL_COMMANDS.map((command) => command.name)]) {
    const { stdout } = await runCli([...(name === '' ? [] : [name]), '--help'], { columns: 40 });
    assert.match(stdout, /^Options:|^Other:/m);
    const wide = stdout.split('\n').filter((line) => line.length > 40 && !/^Usage:|^ {2}\$ /.test(line));
    assert.deepEqual(wide, [], name);
  }
});

test('without a command, stderr has the whole help', async () => {
  const [help, none] = [await runCli(['--help'], { columns: 40 }), await runCli([], { columns: 40 })];
  assert.equal(none.stderr, `clone-prof: no command given\n${help.stdout.trimEnd()}\n`);
});
