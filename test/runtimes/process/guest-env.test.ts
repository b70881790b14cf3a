import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LINK_ENV } from '../../../src/model/wire/wire.ts';
import { guestEnv } from '../../../src/runtimes/process/driver.ts';
import { exitError, silence } from '../../../src/runtimes/process/process-exit.ts';

const NODE_OPTIONS: [given: string, kept: string | undefined][] = [
  ['--inspect', undefined],
  ['--inspect-brk=0', undefined],
  ['--inspect=127.0.0.1:9229 --no-warnings', '--no-warnings'],
  ['--inspect=localhost --no-warnings', '--no-warnings'],
  ['--no-warnings --inspect-port 9229 --import ./x.mjs', '--no-warnings  --import ./x.mjs'],
  ['--inspect --inspect-publish-uid=http', undefined],
  ['--max-old-space-size=4096', '--max-old-space-size=4096'],
  ['--require ./--inspect.js', '--require ./--inspect.js'],
];

for (const [given, kept] of NODE_OPTIONS) {
  test(`NODE_OPTIONS ${given}`, () => {
    assert.equal(guestEnv({ NODE_OPTIONS: given }, {}, 'x').NODE_OPTIONS, kept);
  });
}

test('guests get the environment of the user, without variables for other processes', () => {
  const user = {
    PATH: '/bin',
    NODE_CHANNEL_FD: '3',
    FORCE_COLOR: '3',
    BUN_INSPECT: 'ws://x',
    [LINK_ENV]: 'old',
  };
  const env = guestEnv(user, { BUN_INSPECT: undefined, EXTRA: '1' }, '1:token');
  assert.deepEqual(env, { PATH: '/bin', NO_COLOR: '1', EXTRA: '1', [LINK_ENV]: '1:token' });
});

const ENDINGS: [
  code: number | null,
  signal: NodeJS.Signals | null,
  all: string,
  error: string,
  detail: string,
][] = [
  [0, null, '', 'guest-exited', 'exit code 0'],
  [1, null, '', 'guest-exited', 'exit code 1'],
  [null, 'SIGTERM', '', 'guest-exited', 'SIGTERM'],
  [134, null, '', 'guest-crashed', 'exit code 134'],
  [0xc0000005, null, '', 'guest-crashed', 'exit code 3221225477'],
  [null, 'SIGSEGV', '', 'guest-crashed', 'SIGSEGV'],
  [
    null,
    'SIGABRT',
    'FATAL ERROR: ... JavaScript heap out of memory',
    'guest-crashed',
    'out of memory, SIGABRT',
  ],
  [null, 'SIGKILL', '', 'guest-crashed', 'killed, perhaps for lack of memory, SIGKILL'],
];

for (const [code, signal, all, error, detail] of ENDINGS) {
  test(`an end by ${signal ?? code} is ${error}`, () => {
    const said = exitError({ code, signal, notStarted: null }, { text: () => all, excerpt: () => '' });
    assert.deepEqual([said.code, said.facts.detail], [error, detail]);
  });
}

test('an exit before the hello is reported', () => {
  const ending = { code: 9, signal: null, notStarted: null };
  assert.equal(silence(ending), 'it ended with exit code 9');
  assert.equal(silence({ ...ending, notStarted: 'spawn ENOENT' }), 'spawn ENOENT');
});
