// A program without the tool: posts a payload to a worker as it is and by an emitted codec, and times both by hand.
// Usage: program.mjs <codec modules, with commas> <payload file> <export, or "-"> <ms to time>; prints {"ratios", "trips"}.
import { deepStrictEqual } from 'node:assert';
import { openWorker } from './threads.mjs';
import { BLOCK, openWays } from './ways.mjs';

const [codecs, file, name, ms] = process.argv.slice(2);
const ways = await openWays(codecs, file, name);
const worker = openWorker(new URL('./echo.mjs', import.meta.url));

let arrived;
/** What comes back. */
const next = () =>
  new Promise((resolve) => {
    arrived = resolve;
  });
worker.listen((message) => arrived(message));

/** The worker says that it listens, and then that it has read the codec. */
await next();
const opened = next();
worker.post({ codecs, file, name }, []);
await opened;

/** One round trip in ns, and what came back. */
async function trip({ toMessage, fromMessage, transferList, fresh }) {
  const payload = await fresh();
  const answer = next();
  const began = performance.now();
  const message = toMessage(payload);
  worker.post(message, transferList(message));
  const received = fromMessage(await answer);
  return [(performance.now() - began) * 1e6, received];
}

/** As many trips in a row as the peer expects of each way: a program that posts one thing does not pay for another's garbage. */
async function block(way) {
  const trips = [];
  for (let i = 0; i < BLOCK; i++) trips.push(await trip(way));
  return trips;
}

const wanted = await ways[0].fresh();
for (const way of ways) for (const [, received] of await block(way)) deepStrictEqual(received, wanted);
const samples = ways.map(() => []);
const warm = performance.now() + Number(ms) / 4;
while (performance.now() < warm + Number(ms) || samples[0].length < 5) {
  const isWarm = performance.now() > warm;
  for (const [index, way] of ways.entries()) {
    const trips = await block(way);
    if (isWarm) samples[index].push(...trips.map(([ns]) => ns));
  }
}
await worker.end();

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const [original, ...coded] = samples.map(median);
console.log(JSON.stringify({ ratios: coded.map((ns) => ns / original), trips: samples[0].length }));
