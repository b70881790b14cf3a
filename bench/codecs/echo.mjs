// Takes each message as the program means it, and answers with an equal value of its own, sent the same way.
import { deepStrictEqual } from 'node:assert';
import { parentPort, workerData } from 'node:worker_threads';
import { openWays } from './ways.mjs';

const { codec, file, name } = workerData;
const ways = await openWays(codec, file, name);
const wanted = await ways[0].fresh();
let messages = 0;
parentPort.on('message', async (received) => {
  const { fromMessage, toMessage, transferList, fresh } = ways[messages % ways.length];
  const value = fromMessage(received);
  if (messages++ < ways.length) deepStrictEqual(value, wanted);
  const message = toMessage(await fresh());
  parentPort.postMessage(message, transferList(message));
});
parentPort.postMessage('ready');
