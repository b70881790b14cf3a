// In the place of the empty `counter.js` that each thread of a program of Bun, Deno or a page imports first: tells of every message its
// call, and its bytes or what it is. It shares no code with the recorder.
const { structuredClone: clone } = globalThis;
const host = globalThis.process;
const module = host?.getBuiltinModule?.bind(host);
const threads = module?.('node:worker_threads');
const isThread = threads !== undefined && !threads.isMainThread;

const isPrimitive = (value) => typeof value !== 'object' || value === null;

function serialized(value) {
  if (globalThis.Bun) return import.meta.require('bun:jsc').serialize(value);
  const serializer = new (module('node:v8').Serializer)();
  serializer.writeHeader();
  serializer.writeValue(value);
  return serializer.releaseBuffer();
}

/** null for what is refused without a transfer list, and for what Bun passes on without serializing it. */
function sizer() {
  return (value) => {
    if (globalThis.Bun && !isPrimitive(value) && Object.values(value).every(isPrimitive)) return null;
    try {
      return serialized(value).byteLength;
    } catch {
      return null;
    }
  };
}

/** Of a page: what it is told is made again outside, and sized there. */
const views = (_key, value) =>
  ArrayBuffer.isView(value) ? { view: value.constructor.name, bytes: value.byteLength } : value;

function teller() {
  if (host) {
    const { appendFileSync } = module('node:fs');
    const bytes = sizer();
    const file = `${host.env.POSTED_FOLDER}/${host.pid}-${crypto.randomUUID()}.ndjson`;
    const tell = (record) => appendFileSync(file, record ? `${JSON.stringify(record)}\n` : '');
    tell(null);
    return (api, value, threw) => tell({ api, site: '', bytes: bytes(value), threw });
  }
  // A service worker has no request that is waited for: it waits for these before it ends.
  globalThis.told = [];
  const address = (api, value, threw) =>
    `/said?${encodeURIComponent(`posted ${JSON.stringify({ api, value, threw }, views)}`)}`;
  if (!globalThis.XMLHttpRequest) return (...told) => globalThis.told.push(fetch(address(...told)));
  return (...told) => {
    const request = new XMLHttpRequest();
    request.open('GET', address(...told), false);
    request.send();
  };
}

const tell = teller();
const NOTHING = {};
/** Its own streams of workers use ports. */
const isOfRuntime = () => /[ (](internal|node):/.test(new Error().stack.split('\n')[3]);
/** Functions end in each other: the outermost call with a message counts. */
let current = NOTHING;

function patch(owner, key, api) {
  const found = owner && Object.getOwnPropertyDescriptor(owner, key);
  if (typeof found?.value !== 'function' || !(found.writable || found.configurable)) return;
  const value = function (message, ...rest) {
    const isOutermost = current !== message && !isOfRuntime();
    const name = typeof api === 'function' ? api(this) : api;
    if (isOutermost) tell(name, message);
    const outer = current;
    current = message;
    try {
      return Reflect.apply(found.value, this, [message, ...rest]);
    } catch (error) {
      if (isOutermost) tell(name, message, true);
      throw error;
    } finally {
      current = outer;
    }
  };
  Object.defineProperty(owner, key, { ...found, value });
}

const ofPort = (port) =>
  isThread && port === threads.parentPort ? 'parentPort.postMessage' : 'MessagePort.postMessage';
for (const one of new Set([globalThis.Worker, threads?.Worker]))
  patch(one?.prototype, 'postMessage', 'Worker.postMessage');
patch(threads?.parentPort, 'postMessage', 'parentPort.postMessage');
for (const one of new Set([globalThis.MessagePort, threads?.MessagePort]))
  patch(one?.prototype, 'postMessage', ofPort);
patch(globalThis.BroadcastChannel?.prototype, 'postMessage', 'BroadcastChannel.postMessage');
for (const name of ['ServiceWorker', 'Client'])
  patch(globalThis[name]?.prototype, 'postMessage', `${name}.postMessage`);
for (let owner = globalThis; owner; owner = Object.getPrototypeOf(owner))
  patch(owner, 'postMessage', globalThis.document ? 'window.postMessage' : 'self.postMessage');
if (clone) patch(globalThis, 'structuredClone', 'structuredClone');
