// Posts blocks of messages to a worker, through postMessage as the program sees it and, each fourth, as the runtime has it:
// looks are granted a share of all time, and are taken in the other blocks only. Prints the time of each block, ms: [how long
// posting took, until the last message was answered for].
// usage: node program.mjs small|work <blocks> <messages of a block>
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isMainThread, MessageChannel, Worker, workerData } from 'node:worker_threads';

const raw = globalThis[Symbol.for('raw postMessage')];

/** What a program does with a message beside posting it. */
function work(payload) {
  const text = JSON.stringify(payload);
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = (sum * 31 + text.charCodeAt(i)) | 0;
  return sum;
}

if (isMainThread) await main(process.argv[2], Number(process.argv[3]), Number(process.argv[4]));
else answer(workerData);

/** One answer for each block of small messages; the payload itself for each message with work. */
function answer({ port, kind, size }) {
  let left = size;
  port.on('message', ({ isRaw, payload }) => {
    if (kind === 'work') {
      const answered = { payload, sum: work(payload) };
      if (isRaw) raw.call(port, answered);
      else port.postMessage(answered);
    } else if (--left === 0) {
      left = size;
      raw.call(port, 0);
    }
  });
}

async function main(kind, blocks, size) {
  const file = fileURLToPath(new URL('../../fixtures/orders.json', import.meta.url));
  const orders = JSON.parse(readFileSync(file, 'utf8'));
  const payloadOf = kind === 'work' ? () => orders : (i) => i;
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { port: port2, kind, size },
    transferList: [port2],
  });
  const once = () => new Promise((resolve) => port1.once('message', resolve));
  const run = kind === 'work' ? oneByOne : atOnce;
  const times = { raw: [], taped: [] };
  // The first four warm up.
  for (let block = -4; block < blocks; block++) {
    const isRaw = block % 4 === 0;
    const time = await run(port1, once, isRaw, payloadOf, size);
    if (block >= 0) times[isRaw ? 'raw' : 'taped'].push(time);
  }
  console.log(JSON.stringify(times));
  port1.close();
  await worker.terminate();
}

async function atOnce(port, once, isRaw, payloadOf, size) {
  const answered = once();
  const from = performance.now();
  if (isRaw) for (let i = 0; i < size; i++) raw.call(port, { isRaw, payload: payloadOf(i) });
  else for (let i = 0; i < size; i++) port.postMessage({ isRaw, payload: payloadOf(i) });
  const posted = performance.now() - from;
  await answered;
  return [posted, performance.now() - from];
}

async function oneByOne(port, once, isRaw, payloadOf, size) {
  const from = performance.now();
  for (let i = 0; i < size; i++) {
    const answered = once();
    const payload = payloadOf(i);
    work(payload);
    if (isRaw) raw.call(port, { isRaw, payload });
    else port.postMessage({ isRaw, payload });
    await answered;
  }
  const ms = performance.now() - from;
  return [ms, ms];
}
