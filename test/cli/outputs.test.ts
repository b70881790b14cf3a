import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ALL_COMMANDS } from '../../src/cli/options/all.ts';
import { formatsOption, outputsOf } from '../../src/cli/options/shared.ts';
import { openFolder, openOutputFile } from '../../src/cli/session/output.ts';
import { REPORT_FORMATS } from '../../src/model/report/formats.ts';
import { runCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

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

const POSIX = { skip: process.platform === 'win32' };

const textOf = (...path: string[]) => readFileSync(join(...path), 'utf8');

test('a new file: nothing is there until it is written, and nothing else afterwards', async () => {
  const folder = tempFolder('output');
  const output = openOutputFile('new/r.json', folder);
  assert.deepEqual(readdirSync(join(folder, 'new')), []);
  await output.write('one');
  assert.deepEqual(readdirSync(join(folder, 'new')), ['r.json']);
  assert.equal(textOf(folder, 'new/r.json'), 'one');
});

test('an old file keeps its text until the new one is whole, and its mode', POSIX, async () => {
  const folder = tempFolder('output');
  writeFileSync(join(folder, 'r.json'), 'old');
  chmodSync(join(folder, 'r.json'), 0o640);
  const output = openOutputFile('r.json', folder);
  assert.equal(textOf(folder, 'r.json'), 'old');
  const before = statSync(join(folder, 'r.json')).ino;
  await output.write('new');
  const after = statSync(join(folder, 'r.json'));
  assert.deepEqual([textOf(folder, 'r.json'), after.mode & 0o777], ['new', 0o640]);
  assert.notEqual(after.ino, before, 'written in place: half a file if it is interrupted');
  for (const name of ['r.json', 'other.json']) {
    await openOutputFile(name, folder).write('mine', 0o600);
    assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
  }
});

test('links stay links', POSIX, async () => {
  const folder = tempFolder('output');
  const at = (name: string) => join(folder, name);
  mkdirSync(at('real'));
  symlinkSync('real/r.json', at('soft.json'));
  await openOutputFile('soft.json', folder).write('soft');
  assert.ok(lstatSync(at('soft.json')).isSymbolicLink());
  assert.equal(textOf(folder, 'real/r.json'), 'soft');
  linkSync(at('real/r.json'), at('hard.json'));
  await openOutputFile('hard.json', folder).write('hard');
  assert.equal(textOf(folder, 'real/r.json'), 'hard');
});

/** 0 while the pipe is empty. */
function readNow(file: number, into: Buffer, at: number): number {
  try {
    return readSync(file, into, at, 50_000, null);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0;
    throw error;
  }
}

test('a pipe without a reader is refused; a pipe with a slow reader gets everything', POSIX, async () => {
  const folder = tempFolder('output');
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  assert.throws(
    () => openOutputFile('pipe', folder),
    /pipe: cannot be written \(no program reads this pipe\)/,
  );
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const text = 'x'.repeat(200_000);
  const written = openOutputFile('pipe', folder).write(text);
  const buffer = Buffer.alloc(300_000);
  let read = 0;
  for (let tries = 0; read < text.length && tries < 1000; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    read += readNow(reader, buffer, read);
  }
  await written;
  closeSync(reader);
  assert.equal(buffer.toString('latin1', 0, read), text);
});

test('a pipe whose reader has left is an error: nobody waits for another', POSIX, async () => {
  const folder = tempFolder('output');
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const output = openOutputFile('pipe', folder);
  closeSync(reader);
  await assert.rejects(output.write('x'), { code: 'output-unwritable' });
});

test('an unwritable output is reported before the run, and leaves nothing behind', POSIX, async () => {
  const folder = tempFolder('output');
  writeFileSync(join(folder, 'file'), '');
  symlinkSync('loop', join(folder, 'loop'));
  symlinkSync('none/deep', join(folder, 'nowhere'));
  const before = readdirSync(folder).sort();
  for (const file of ['.', 'x/', 'file/x', 'loop', 'nowhere', `${'x'.repeat(300)}/y`, '/proc/none/x/y']) {
    if (file.startsWith('/proc') && process.platform !== 'linux') continue;
    assert.throws(() => openOutputFile(file, folder), { code: 'output-unwritable' }, file);
  }
  assert.deepEqual(readdirSync(folder).sort(), before);
  assert.throws(() => openFolder('file/x', folder), { code: 'output-unwritable' });
});
