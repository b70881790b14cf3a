/** Programs without a link: their environment, their end, and what is kept of their output. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, test } from 'node:test';
import { LINK_ENV } from '../../../src/model/wire/wire.ts';
import { guestEnv } from '../../../src/runtimes/process/driver.ts';
import { exitError, OutputTail, runToEnd } from '../../../src/runtimes/process/supervisor.ts';
import { trackChildProcesses } from '../../support/child-processes.ts';
import { isToolError } from '../../support/tool-errors.ts';

afterEach(trackChildProcesses());

for (const [given, kept] of [
  ['--inspect-brk=0', undefined],
  ['--inspect --inspect-publish-uid=http', undefined],
  ['--inspect=localhost --no-warnings', '--no-warnings'],
  ['--no-warnings --inspect-port 9229 --import ./x.mjs', '--no-warnings  --import ./x.mjs'],
  ['--require ./--inspect.js', '--require ./--inspect.js'],
])
  test(`NODE_OPTIONS ${given}`, () => {
    assert.equal(guestEnv({ NODE_OPTIONS: given }, {}, 'x').NODE_OPTIONS, kept);
  });

test('guests get the environment of the user, without variables for other processes', () => {
  const others = { NODE_CHANNEL_FD: '3', FORCE_COLOR: '3', BUN_INSPECT: 'ws://x', [LINK_ENV]: 'old' };
  const env = guestEnv({ PATH: '/bin', ...others }, { BUN_INSPECT: undefined, EXTRA: '1' }, '1:token');
  assert.deepEqual(env, { PATH: '/bin', NO_COLOR: '1', EXTRA: '1', [LINK_ENV]: '1:token' });
});

const NO_MEMORY = 'FATAL ERROR: ... JavaScript heap out of memory';
const ENDINGS: [code: number | null, signal: NodeJS.Signals | null, error: string, detail: string][] = [
  [1, null, 'guest-exited', 'exit code 1'],
  [null, 'SIGTERM', 'guest-exited', 'SIGTERM'],
  [134, null, 'guest-crashed', 'out of memory, exit code 134'],
  [0xc0000005, null, 'guest-crashed', 'out of memory, exit code 3221225477'],
  [null, 'SIGSEGV', 'guest-crashed', 'out of memory, SIGSEGV'],
];

test('an end is an exit or a crash', () => {
  const errorOf = (code: number | null, signal: NodeJS.Signals | null, all = NO_MEMORY) =>
    exitError({ code, signal, notStarted: null }, { text: () => all, excerpt: () => '' });
  for (const [code, signal, error, detail] of ENDINGS) {
    const ended = errorOf(code, signal);
    assert.deepEqual([ended.code, ended.facts.detail], [error, detail]);
  }
  const killed = errorOf(null, 'SIGKILL', '').facts.detail;
  assert.equal(killed, 'killed, perhaps for lack of memory, SIGKILL');
});

async function tailOf(pieces: string[]): Promise<OutputTail> {
  const stream = Readable.from(pieces.map((piece) => Buffer.from(piece)));
  const tail = new OutputTail();
  tail.follow(stream);
  await text(stream);
  return tail;
}

test('the last 64 kB are kept, regardless of the size of the pieces', async () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i}\n`);
  const tail = await tailOf(lines);
  assert.equal(tail.text().length, 65_536);
  assert.ok(lines.join('').endsWith(tail.text()));
});

test('an excerpt has at most 20 lines and 4,000 characters', async () => {
  const tail = await tailOf(['a\n'.repeat(100), 'end\n']);
  assert.equal(tail.excerpt().split('\n').length, 20);
  assert.ok(tail.excerpt().endsWith('a\nend'));
  const wide = await tailOf(['x'.repeat(300_000), '\nend of stdout\n']);
  assert.equal(wide.excerpt().length, 4001);
  assert.ok(wide.excerpt().startsWith('…x') && wide.excerpt().endsWith('\nend of stdout'));
});

const shell = (script: string, timeoutMs: number, signal?: AbortSignal) =>
  runToEnd('/bin/sh', ['-c', script], { cwd: '/', env: process.env, timeoutMs, signal });

describe('a program that is run to its end', { skip: process.platform === 'win32' }, () => {
  test('gives all that it prints, and its exit code', async () => {
    const ended = await shell('printf "%70000s" é; echo why >&2; exit 3', 60_000);
    assert.deepEqual(
      { ...ended, stdout: ended.stdout.trim() },
      { code: 3, signal: null, notStarted: null, stdout: 'é', stderr: 'why\n', isLate: false },
    );
    assert.ok(ended.stdout.length > 69_000);
  });

  test('ends with all that it started when its time is over', async () => {
    const { stdout, signal, isLate } = await shell('sleep 300 & echo begun; wait', 2000);
    assert.deepEqual({ stdout, signal, isLate }, { stdout: 'begun\n', signal: 'SIGKILL', isLate: true });
  });

  test('ends when it prints without an end', async () => {
    const { signal, isLate } = await shell('yes', 60_000);
    assert.deepEqual({ signal, isLate }, { signal: 'SIGKILL', isLate: false });
  });

  test('is interrupted, or not started at all', async () => {
    const stop = new AbortController();
    const ended = assert.rejects(shell('sleep 300', 60_000, stop.signal), isToolError('interrupted'));
    stop.abort();
    await ended;
    await assert.rejects(shell('sleep 300', 60_000, stop.signal), isToolError('interrupted'));
  });

  test('that is not there is an exit with the reason', async () => {
    const { notStarted } = await runToEnd('/none/program', [], { cwd: '/', env: {}, timeoutMs: 60_000 });
    assert.match(notStarted ?? '', /ENOENT/);
  });
});
