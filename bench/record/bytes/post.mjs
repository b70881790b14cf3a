// usage: node post.mjs <name>: posts the messages from one line, as fast as they are taken.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { messagesOf } from './programs.mjs';

const ANSWERS =
  "require('node:worker_threads').parentPort.on('message', () => require('node:worker_threads').parentPort.postMessage(0))";
const worker = new Worker(ANSWERS, { eval: true });
const messages = messagesOf(process.argv[2]);
for (let i = 0; i < messages.length; ) {
  const answered = once(worker, 'message');
  for (let beside = 0; beside < 50 && i < messages.length; beside++, i++) worker.postMessage(messages[i]);
  await answered;
}
await worker.terminate();
