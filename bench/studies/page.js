/** One row of the studies, in a page of its own: what an earlier row made the engine learn is not in its times. */
import * as payloads from './payloads.js';

const BLOCKS = 8;
const BLOCK_MS = 20;
const WARM_UP_MS = 60;

/** Round trips for so long: ms of one. */
function block(channel, post, read, ms) {
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

const medianOf = (list) => list.sort((a, b) => a - b)[list.length >> 1];

async function timed(name, way) {
  const worker = new Worker('echo.js', { type: 'module' });
  const pair = way === 'port' ? new MessageChannel() : null;
  const ready = new Promise((resolve) => {
    worker.onmessage = resolve;
  });
  worker.postMessage(name, pair ? [pair.port2] : []);
  await ready;
  const channel = pair ? pair.port1 : worker;
  const own = { ...payloads }[name]();
  const ways = {
    raw: [() => channel.postMessage(own), () => undefined],
    json: [() => channel.postMessage(JSON.stringify(own)), (data) => JSON.parse(data)],
  };
  const times = { raw: [], json: [] };
  for (const key of Object.keys(ways)) await block(channel, ...ways[key], WARM_UP_MS);
  for (let i = 0; i < BLOCKS; i++)
    for (const key of i % 2 ? ['json', 'raw'] : ['raw', 'json'])
      times[key].push(await block(channel, ...ways[key], BLOCK_MS));
  return { name, way, raw: medianOf(times.raw), json: medianOf(times.json) };
}

const asked = new URLSearchParams(location.search);
const told = await timed(asked.get('payload'), asked.get('way'));
const next = await (await fetch('/result', { method: 'POST', body: JSON.stringify(told) })).text();
if (next) location.replace(next);
