// Posts misfits through codecs to a real worker, which compares them with the plain payload that comes beside them.
// Argument: a folder with codecs and `sample.json` files named in `codecs.json`. Prints what arrived otherwise.
import { readFileSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { compare } from '../../../src/value/compare/compare.ts';

const folder = isMainThread ? process.argv.at(-1) : workerData;
const codecs = JSON.parse(readFileSync(`${folder}/codecs.json`, 'utf8'));
const load = (name) => import(`file://${folder}/${name}.mjs`);

class Instance {
  get id() {
    return 'of the prototype';
  }
}

/** As many own keys as before; `id` comes from the prototype, which no clone has. */
function asInstance(object) {
  object._id = object.id;
  delete object.id;
  return Object.setPrototypeOf(object, Instance.prototype);
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Each changes a value in place. */
const MISFITS = {
  none: () => {},
  'an extra key': (at) => (isObject(at) ? Object.assign(at, { extra: 1 }) : at.push(1)),
  'the key of the marker': (at) => isObject(at) && Object.assign(at, { asIs: 1 }),
  'a missing field': (at, key) => delete at[key],
  'another name': (at, key) => {
    if (!isObject(at)) return;
    at.renamed = at[key];
    delete at[key];
  },
  'another order': (at, key) => {
    const value = at[key];
    delete at[key];
    at[key] = value;
  },
  ...Object.fromEntries(
    [null, undefined, 3.5, -0, Number.NaN, 2 ** 40, 7n, 'text', true].map((value) => [
      `${typeof value} ${Object.is(value, -0) ? '-0' : String(value)}`,
      (at, key) => (at[key] = value),
    ]),
  ),
  'a Date': (at, key) => (at[key] = new Date(5)),
  'an invalid Date': (at, key) => (at[key] = new Date(Number.NaN)),
  'a Map': (at, key) => (at[key] = new Map([[1, { a: 1 }]])),
  'a typed array': (at, key) => (at[key] = new Float64Array([1, 2])),
  'an empty list': (at, key) => (at[key] = []),
  'an empty object': (at, key) => (at[key] = {}),
  'a list with a hole': (at, key) => (at[key] = Object.assign([1], { 2: 3 })),
  'a class instance': (at, key) => (at[key] = asInstance({ ...Object(at[key]) })),
  'an instance of another class': (at) => isObject(at) && asInstance(at),
  'a getter': (at, key) => {
    const value = at[key];
    if (isObject(at)) Object.defineProperty(at, key, { get: () => value, enumerable: true });
  },
};

function inside(value, found = []) {
  if (typeof value !== 'object' || value === null) return found;
  if (Object.keys(value).length > 0) found.push(value);
  for (const key of Object.keys(value)) inside(value[key], found);
  return found;
}

let seed = 1;
function random(below) {
  seed = (seed * 48271) % 2147483647;
  return seed % below;
}

async function send() {
  const worker = new Worker(new URL(import.meta.url), { workerData: folder });
  const wrong = [];
  let open = 0;
  let done;
  const ended = new Promise((resolve) => (done = resolve));
  let isSent = false;
  // Deno 2.9.6 loses messages to a worker whose module still waits.
  await new Promise((resolve) => worker.once('message', resolve));
  worker.on('message', (what) => {
    open--;
    if (what !== '') wrong.push(what);
    if (isSent && open === 0) done();
  });
  worker.on('error', (error) => {
    wrong.push(String(error));
    done();
  });
  const counts = { sent: 0, misses: 0 };
  for (const { name, sample, rounds } of codecs) {
    const { toMessage = (payload) => payload } = await load(name);
    const text = readFileSync(`${folder}/${sample}`, 'utf8');
    for (const [what, change] of Object.entries(MISFITS)) {
      for (let round = 0; round < rounds; round++) {
        const payload = JSON.parse(text);
        const objects = inside(payload);
        // The first rounds are about the payload itself and what is right below it.
        const at = objects[round < 3 ? Math.min(round, objects.length - 1) : random(objects.length)];
        const keys = Object.keys(at);
        change(at, keys[random(keys.length)]);
        const message = toMessage(payload, () => counts.misses++);
        // No object in both: Bun 1.2.20 mixes up references behind a BigInt (jsc/reference-after-bigint).
        const plain = structuredClone(payload);
        worker.postMessage({ name, what: `${name}: ${what}, round ${round}`, message, plain });
        counts.sent++;
        open++;
      }
    }
  }
  isSent = true;
  if (open > 0) await ended;
  await worker.terminate();
  console.log(JSON.stringify({ ...counts, wrong: wrong.slice(0, 20) }));
  process.exit(0);
}

if (isMainThread) await send();
else {
  const loaded = Object.fromEntries(
    await Promise.all(codecs.map(async ({ name }) => [name, await load(name)])),
  );
  parentPort.on('message', ({ name, what, message, plain }) => {
    const { fromMessage = (value) => value } = loaded[name];
    try {
      const [difference] = compare(plain, fromMessage(message));
      parentPort.postMessage(difference ? `${what}: ${difference.path} ${difference.what}` : '');
    } catch (error) {
      parentPort.postMessage(`${what}: ${error}`);
    }
  });
  parentPort.postMessage('ready');
}
