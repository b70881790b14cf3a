/** Rewrites that harm their process, on a real runtime: each is refused with one reason, and the others have their times. */
import assert from 'node:assert/strict';
import { usually } from '../support/whole.ts';
import { type HostileCase, testHostileGuests } from './corpus.ts';

const RESTORE = 'export const restore = (message) => JSON.parse(message);';
const APPLY = 'export const apply = (payload) => JSON.stringify(payload);';

const files = {
  // Small: thousands of messages fit a slice, also on a busy machine.
  'rows.json': '[{"id":1,"at":{"x":2}},{"id":2,"at":{"x":3}}]',
  'good.mjs': APPLY + RESTORE,
  'hangs.mjs': `${RESTORE} export const apply = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`,
  'exits.mjs': `${RESTORE} export const apply = () => process.exit(0);`,
  'exits-in-worker.mjs': `import { isMainThread } from 'node:worker_threads';
    if (!isMainThread) process.exit(0);
    ${APPLY + RESTORE}`,
  'exits-later.mjs': `let calls = 0;
    export const apply = (payload) => (++calls > 20 ? process.exit(0) : JSON.stringify(payload));
    ${RESTORE}`,
  'clock.mjs': `performance.now = process.hrtime.bigint = Date.now = () => 5;
    ${APPLY + RESTORE}`,
  'starts.mjs': `import { spawn } from 'node:child_process';
    spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).unref();
    ${APPLY + RESTORE}`,
  'left.mjs': `export const apply = (payload) => { setTimeout(() => { throw new Error('::error::\\u001b[31mlate'); }); return JSON.stringify(payload); };
    ${RESTORE}`,
};

const refused = (name: string, reason: string) => new RegExp(`${name}\\.mjs was\\s+refused:\\s+${reason}`);

const common = { files, exit: 0, stderr: null } as const;
const args = (...tries: string[]) => [
  'analyze',
  'rows.json',
  '-r',
  'node',
  '-b',
  '400ms',
  '--try',
  ...tries,
  'good.mjs',
];
const timed = '[\\s\\S]*good\\.mjs +[━╸▶]* +\\d[\\s\\S]*';

const ENDS_LATER: HostileCase = {
  ...common,
  name: 'it ends its process after twenty messages',
  // Enough for more than twenty messages, whatever else the machine does.
  args: [...args('exits-later.mjs'), '-b', '3s'],
  stdout: new RegExp(timed + refused('exits-later', 'exits-later\\.mjs:\\s+the\\s+process').source),
};

testHostileGuests('try', [
  ...usually([], [ENDS_LATER]),
  {
    ...common,
    name: 'one hangs, one ends the worker, one replaces the clock, one starts a program, the errors of one escape',
    args: [
      ...args('hangs.mjs', 'exits-in-worker.mjs', 'clock.mjs', 'starts.mjs', 'left.mjs'),
      '--timeout',
      '4s',
    ],
    stdout: new RegExp(
      timed + refused('hangs', 'hangs\\.mjs:\\s+no\\s+answer\\s+within\\s+4000\\s+ms').source,
    ),
    also: ({ stdout }) => {
      assert.match(
        stdout,
        refused('exits-in-worker', 'restore\\s+works\\s+only\\s+in\\s+the\\s+thread\\s+of\\s+apply'),
      );
      for (const name of ['clock', 'starts']) assert.match(stdout, new RegExp(`${name}\\.mjs +[━╸▶]* +\\d`));
    },
  },
  {
    ...common,
    name: 'it ends its process',
    isRepeated: true,
    args: args('exits.mjs'),
    stdout: new RegExp(timed + refused('exits', 'exits\\.mjs:\\s+the\\s+process\\s+exited').source),
  },
]);
