import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lines, recorded } from './recorded.ts';

/** 40 round trips with a worker, 3 messages through a channel of its own, 5 clones and a broadcast. */
const PROGRAM = {
  'main.mjs': `
import { BroadcastChannel, MessageChannel, Worker } from 'node:worker_threads';
const worker = new Worker(new URL('./worker.mjs', import.meta.url), { workerData: { start: 1 } });
let left = 40;
const next = () => worker.postMessage({ task: left, text: 'x'.repeat(left) });
worker.on('message', () => (--left > 0 ? next() : worker.terminate()));
next();
const { port1, port2 } = new MessageChannel();
let got = 0;
port2.on('message', () => ++got === 3 && port2.close());
for (let i = 0; i < 3; i++) port1.postMessage([i]);
for (let i = 0; i < 5; i++) structuredClone({ i });
const channel = new BroadcastChannel('news');
channel.postMessage('hello');
channel.close();
worker.on('exit', () => console.log('done'));
`,
  'worker.mjs': `
import { parentPort } from 'node:worker_threads';
parentPort.on('message', ({ task }) => parentPort.postMessage({ done: task }));
`,
};

test('messages of a worker and its parent are counted once, in both directions', async () => {
  const result = await recorded({ files: PROGRAM });
  assert.equal(result.stdout, 'done\n', result.stderr);
  assert.deepEqual(lines(result), [
    '1 BroadcastChannel.postMessage main -> null, at main.mjs:14',
    '1 workerData main -> worker worker.mjs, received 1, at main.mjs:3',
    '3 MessagePort.postMessage main -> null, received 3, at main.mjs:11',
    '40 Worker.postMessage main -> worker worker.mjs, received 40, at main.mjs:5',
    '40 parentPort.postMessage worker worker.mjs -> main, received 40, at worker.mjs:3',
    '5 structuredClone main -> null, at main.mjs:12',
  ]);
});

const IPC = {
  'main.cjs': `
const { fork, execFileSync } = require('node:child_process');
const child = fork(__dirname + '/child.cjs', { env: { PATH: process.env.PATH } });
let left = 10;
child.on('message', (message) => (--left > 0 ? child.send({ left }) : child.disconnect()));
child.send({ left });
child.on('exit', () => console.log(execFileSync(process.execPath, [__dirname + '/sync.cjs'], { env: {}, encoding: 'utf8' })));
`,
  'child.cjs': `process.on('message', ({ left }) => process.send('got ' + left));`,
  'sync.cjs': `structuredClone([1]); console.log('sync');`,
};

test('messages of processes, and of children with an environment of their own', async () => {
  const result = await recorded({ files: IPC });
  assert.equal(result.stdout, 'sync\n\n', result.stderr);
  assert.deepEqual(lines(result), [
    '1 ChildProcess.send main -> child child.cjs, at main.cjs:6',
    '1 structuredClone child sync.cjs -> null, at sync.cjs:1',
    '10 process.send child child.cjs -> main, at child.cjs:1',
    '9 ChildProcess.send main -> child child.cjs, at main.cjs:5',
  ]);
});
