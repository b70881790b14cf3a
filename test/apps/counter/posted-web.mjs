// In the place of the empty `counter.js` that each thread of a program of Bun, Deno or a page imports first: tells of every message its
// call, and its bytes or what it is. It shares no code with the recorder.
const { structuredClone: clone } = globalThis;
const host = globalThis.process;
const builtin = host?.getBuiltinModule?.bind(host);
const threads = builtin?.('node:worker_threads');
const isThread = threads !== undefined && !threads.isMainThread;

const isPrimitive = (value) => typeof value !== 'object' || value === null;

/** Without the buffers that are moved: Bun's serializer takes no list of them. */
function serializedBytes(value, listed) {
  const buffers = listed.filter((one) => one instanceof ArrayBuffer);
  if (globalThis.Bun) {
    const { byteLength } = import.meta.require('bun:jsc').serialize(value);
    return buffers.reduce((bytes, one) => bytes - one.byteLength, byteLength);
  }
  const serializer = new (builtin('node:v8').Serializer)();
  serializer.writeHeader();
  for (const [id, one] of buffers.entries()) serializer.transferArrayBuffer(id, one);
  serializer.writeValue(value);
  return serializer.releaseBuffer().byteLength;
}

/** null for what is refused without a transfer list. */
function sizeOf(value, transfer) {
  try {
    return serializedBytes(value, Array.isArray(transfer) ? transfer : (transfer?.transfer ?? []));
  } catch {
    return null;
  }
}

/** Bun passes these on without serializing them. */
const isFlat = (value) => globalThis.Bun && !isPrimitive(value) && Object.values(value).every(isPrimitive);
const kept = someOf();

function teller() {
  if (host) {
    const { appendFileSync } = builtin('node:fs');
    const file = `${host.env.POSTED_FOLDER}/${host.pid}-${crypto.randomUUID()}.ndjson`;
    const tell = (record) => appendFileSync(file, record ? `${JSON.stringify(record)}\n` : '');
    tell(null);
    return (api, value, transfer, threw) => {
      const size = sizeOf(value, transfer);
      const message = threw ? null : kept(api, size, value, transfer);
      tell({ api, site: '', bytes: isFlat(value) ? null : size, threw, message });
    };
  }
  // A service worker has no request that is waited for: it waits for these before it ends.
  globalThis.told = [];
  // All are told: they are made again outside, and sized there.
  const every = someOf({ maxEach: Number.POSITIVE_INFINITY });
  let count = 0;
  const body = (api, value, transfer, threw) =>
    `posted ${JSON.stringify({ api, message: every(api, count++, value, transfer), threw })}`;
  const method = 'POST';
  // A worker made of text has no address of its own.
  const address = `${location.origin}/said`;
  if (!globalThis.XMLHttpRequest)
    return (...told) => globalThis.told.push(fetch(address, { method, body: body(...told) }));
  return (...told) => {
    const request = new XMLHttpRequest();
    request.open(method, address, false);
    request.send(body(...told));
  };
}

const tell = teller();
const NOTHING = {};
const TO_CHILD = 'ChildProcess.send';
/** Its own streams of workers use ports. */
const isOfRuntime = () => /[ (](internal|node):/.test(new Error().stack.split('\n')[3]);
/** Functions end in each other: the outermost call with a message counts. */
let current = NOTHING;

/** The list is the second argument, or in its options; of a window the third, or in the options. */
const transferIn = (api, [one, two]) => {
  if (api !== 'window.postMessage') return one ?? [];
  return two ?? (typeof one !== 'object' || Array.isArray(one) ? [] : one);
};

function patch(owner, key, api) {
  const found = owner && Object.getOwnPropertyDescriptor(owner, key);
  if (typeof found?.value !== 'function' || !(found.writable || found.configurable)) return;
  const value = function (message, ...rest) {
    const isOutermost = current !== message && (api === TO_CHILD || !isOfRuntime());
    const name = typeof api === 'function' ? api(this) : api;
    if (isOutermost) tell(name, message, transferIn(name, rest));
    const outer = current;
    current = message;
    try {
      return Reflect.apply(found.value, this, [message, ...rest]);
    } catch (error) {
      if (isOutermost) tell(name, message, [], true);
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
patch(host, 'send', 'process.send');
if (globalThis.Bun) {
  const { spawn } = Bun;
  let isPatched = false;
  // Children of node:child_process are made by it too.
  Bun.spawn = (...given) => {
    const child = spawn(...given);
    if (!isPatched) patch(Object.getPrototypeOf(child), 'send', TO_CHILD);
    isPatched = true;
    return child;
  };
}
if (clone) patch(globalThis, 'structuredClone', 'structuredClone');
