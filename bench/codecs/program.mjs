// A program without the tool: posts a payload to a worker as it is and by an emitted codec, and times both by hand.
// Usage: program.mjs <codec module> <payload file> <export, or "-"> <ms to time>; prints {"ratio", "pairs"}.
import { deepStrictEqual } from 'node:assert';
import { openWorker } from './threads.mjs';
import { openWays } from './ways.mjs';

const [codec, file, name, ms] = process.argv.slice(2);
const ways = await openWays(codec, file, name);
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
worker.post({ codec, file, name }, []);
await opened;

/** One round trip in ns, and what came back. The peer answers in turns too: original, codec, original, ... */
async function trip({ toMessage, fromMessage, transferList, fresh }) {
  const payload = await fresh();
  const answer = next();
  const began = performance.now();
  const message = toMessage(payload);
  worker.post(message, transferList(message));
  const received = fromMessage(await answer);
  return [(performance.now() - began) * 1e6, received];
}

const [original, byCodec] = ways;
const wanted = await original.fresh();
for (const way of ways) {
  const [, received] = await trip(way);
  deepStrictEqual(received, wanted);
}
const samples = [[], []];
const warm = performance.now() + Number(ms) / 4;
while (performance.now() < warm + Number(ms) || samples[0].length < 5) {
  const isWarm = performance.now() > warm;
  const [before] = await trip(original);
  const [after] = await trip(byCodec);
  if (!isWarm) continue;
  samples[0].push(before);
  samples[1].push(after);
}
await worker.end();

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
console.log(JSON.stringify({ ratio: median(samples[1]) / median(samples[0]), pairs: samples[0].length }));
