/**
 * One row of the studies in a page of its own, so that no earlier row is in its times. A worker of the page's address with
 * `echo` answers each message with a payload of its own, in the form in which it came.
 */
import * as payloads from './payloads.js';

const BLOCKS = 8;
const BLOCK_MS = 20;
const WARM_UP_MS = 60;

const builtFor = (asked) => ({ ...payloads })[asked.get('payload')]();

function answer(asked) {
  const own = builtFor(asked);
  self.onmessage = ({ ports: [port] }) => {
    const channel = port ?? self;
    channel.onmessage = ({ data }) => {
      if (typeof data !== 'string') return channel.postMessage(own);
      JSON.parse(data);
      channel.postMessage(JSON.stringify(own));
    };
    self.postMessage('ready');
  };
}

/** Round trips for so long: ms of one. */
function block(channel, { post, read }, ms) {
  return new Promise((resolve) => {
    let trips = 0;
    const began = performance.now();
    channel.onmessage = ({ data }) => {
      read(data);
      trips++;
      const spent = performance.now() - began;
      if (spent < ms) post();
      else resolve(spent / trips);
    };
    post();
  });
}

/** The worker, or a port to it, when it has its payload. */
async function opened(asked) {
  const worker = new Worker(`/page.js?echo&${asked}`, { type: 'module' });
  const ready = new Promise((resolve, reject) => {
    worker.onmessage = resolve;
    worker.onerror = () => reject(new Error('the worker failed'));
  });
  const { port1, port2 } = new MessageChannel();
  const isPort = asked.get('channel') === 'message-port';
  worker.postMessage('start', isPort ? [port2] : []);
  await ready;
  return isPort ? port1 : worker;
}

const medianOf = (list) => list.sort((a, b) => a - b)[list.length >> 1];

/** The time of JSON text over that of the payload itself. */
async function ratioFor(asked) {
  const channel = await opened(asked);
  const own = builtFor(asked);
  const raw = { post: () => channel.postMessage(own), read: () => undefined, times: [] };
  const json = { post: () => channel.postMessage(JSON.stringify(own)), read: JSON.parse, times: [] };
  for (const way of [raw, json]) await block(channel, way, WARM_UP_MS);
  for (let i = 0; i < BLOCKS; i++)
    for (const way of i % 2 ? [json, raw] : [raw, json]) way.times.push(await block(channel, way, BLOCK_MS));
  return medianOf(json.times) / medianOf(raw.times);
}

/** Tells the result, and goes to the next page. */
async function tell(result) {
  const answered = await fetch('/result', { method: 'POST', body: JSON.stringify(result) });
  const next = await answered.text();
  if (next !== '') location.replace(next);
}

if ('document' in globalThis) {
  const asked = new URLSearchParams(location.search);
  ratioFor(asked).then(
    (ratio) => tell({ ratio }),
    (error) => tell({ error: String(error) }),
  );
} else answer(new URLSearchParams(self.location.search));
