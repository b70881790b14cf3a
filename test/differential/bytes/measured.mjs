/**
 * Runs in the runtime under test and shares nothing with the tool: the memory that a message takes while it is on its way, or
 * what is written to another process, where the reader counts.
 * usage: measured <module> <export> <channel> [posts]
 */
import { pathToFileURL } from 'node:url';

const [file, name, channel, posts] = process.argv.slice(2);
const make = (await import(pathToFileURL(file).href))[name];

const ENOUGH = 96 * 2 ** 20;
// Deno keeps the last 256 of a BroadcastChannel.
const MAX_MESSAGES = channel === 'broadcast' && 'Deno' in globalThis ? 250 : 4000;
const isNode = !('Bun' in globalThis) && !('Deno' in globalThis);

/** Takes nothing: it waits, for ever. */
const code = (start) => `${start}
  new BroadcastChannel('bytes').onmessage = () => {};
  setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 50);`;

async function blockedWorker() {
  if (isNode || channel === 'node-worker') {
    const { Worker } = await import('node:worker_threads');
    const worker = new Worker(
      code("require('node:worker_threads').parentPort.on('message', () => {}).postMessage(0);"),
      {
        eval: true,
      },
    );
    await new Promise((resolve) => worker.once('message', resolve));
    return worker;
  }
  const source = new Blob([code('onmessage = () => {}; postMessage(0);')], { type: 'text/javascript' });
  const worker = new Worker(URL.createObjectURL(source), { type: 'module' });
  await new Promise((resolve) => {
    worker.onmessage = resolve;
  });
  return worker;
}

async function sender() {
  if (channel === 'message-port') {
    // Nobody listens.
    const { port1, port2 } = new MessageChannel();
    return { port1, port2, post: (value) => port1.postMessage(value) };
  }
  const worker = await blockedWorker();
  await new Promise((resolve) => setTimeout(resolve, 200));
  const end = channel === 'broadcast' ? new BroadcastChannel('bytes') : worker;
  return { worker, post: (value) => end.postMessage(value) };
}

/** Growth of the process for one more message. What was free before is taken when a quarter is on its way. */
function memoryOfOne(post, value) {
  const rss = () => process.memoryUsage.rss();
  const kept = () => {
    for (let i = 0; i < 3; i++) {
      globalThis.gc?.();
      // V8 sweeps buffers on another thread.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
    return rss();
  };
  const start = kept();
  let quarter = null;
  let count = 0;
  while ((rss() - start < ENOUGH || count < 8) && count < MAX_MESSAGES) {
    post(value);
    count++;
    if (quarter === null && rss() - start > ENOUGH / 4) quarter = { count, rss: kept() };
  }
  if (quarter === null || count === quarter.count) return (kept() - start) / count;
  return (kept() - quarter.rss) / (count - quarter.count);
}

/** What JavaScriptCore itself says of the memory of a message that arrived, without its allocator. */
async function sizeOfEvent(value) {
  const { estimateShallowMemoryUsageOf } = await import('bun:jsc');
  const sizeOf = (posted) =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port2.onmessage = (event) => {
        resolve(estimateShallowMemoryUsageOf(event));
        port1.close();
      };
      port1.postMessage(posted);
    });
  const empty = await sizeOf(null);
  return (await sizeOf(value)) - empty;
}

/** The length that Deno's own serializer writes: the memory of thousands of short-lived messages is up to a third off. */
function sizeInDeno(value) {
  try {
    return Deno[Deno.internal].core.serialize(value).byteLength;
  } catch {
    return null;
  }
}

async function sizeByEngine(value) {
  if ('Bun' in globalThis) return sizeOfEvent(value);
  return isNode ? null : sizeInDeno(value);
}

async function measured() {
  const end = await sender();
  // V8 stores the first values that a function makes otherwise than later ones.
  make();
  make();
  const value = make();
  const memory = memoryOfOne(end.post, value);
  return { memory, event: await sizeByEngine(value) };
}

async function sendAll() {
  for (let i = 0; i < Number(posts); i++)
    await new Promise((resolve, reject) => {
      process.send(make(), (error) => (error ? reject(error) : resolve()));
    });
  return { sent: true };
}

const answer = await (posts === undefined ? measured() : sendAll()).catch((error) => ({
  refused: `${error?.name}: ${error?.message}`.slice(0, 200),
}));
process.stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit(0));
