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
import { openFolder, openOutputFile } from '../../src/cli/session/output.ts';
import { tempFolder } from '../support/temp-folder.ts';

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
