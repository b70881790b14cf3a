// Loaded into each thread of a program, below the recorder that is compared with it: writes down every message, where it was
// posted and its bytes. It shares no code with the recorder. `start` is called by the file that NODE_OPTIONS names.
const { openSync, writeSync } = require('node:fs');
const { ChildProcess } = require('node:child_process');
const { Serializer, serialize } = require('node:v8');
const { MessagePort, parentPort, threadId } = require('node:worker_threads');

const MAX_FRAMES = 24;
const { captureStackTrace } = Error;
const { stringify } = JSON;
const now = performance.now.bind(performance);

/** Code of Node's that posts what the program gives it. */
const FOR_THE_PROGRAM = /^node:internal\/(webstreams\/transfer|worker\/messaging)$/;

class Wire extends Serializer {
  _writeHostObject() {
    this.writeUint32(0);
  }
  _getSharedArrayBufferId() {
    return 0;
  }
}

/** As a post writes it; null for what is refused. */
function wireBytes(value, transfer) {
  try {
    const wire = new Wire();
    wire.writeHeader();
    const listed = Array.isArray(transfer) ? transfer : (transfer?.transfer ?? []);
    for (const [id, one] of [...listed].entries())
      if (one instanceof ArrayBuffer) wire.transferArrayBuffer(id, one);
    wire.writeValue(value);
    return wire.releaseBuffer().length;
  } catch {
    return null;
  }
}

const symbolIn = (owner, name) => Object.getOwnPropertySymbols(owner).find((one) => one.description === name);

/** As it is sent to another process; null for what is refused. @param end of the channel */
function sentBytes(value, end) {
  const handle = end[symbolIn(end, 'kChannelHandle')];
  const isText = handle == null || symbolIn(handle, 'kMessageBuffer') === undefined;
  try {
    return isText ? Buffer.byteLength(`${stringify(value)}\n`) : serialize(value).length;
  } catch {
    return null;
  }
}

/** @param folder where it writes @param recorder start of the names of its files */
exports.start = (folder, recorder) => {
  const file = openSync(`${folder}/${process.pid}-${threadId}.ndjson`, 'a');
  const write = (record) => writeSync(file, `${stringify(record)}\n`);
  /** The recorder has no more time for what is counted here: its clock stands still meanwhile. */
  let spent = 0;
  performance.now = () => now() - spent;

  /** Innermost first, without our own and the recorder's. null where the recorder calls itself. */
  function callers() {
    const { prepareStackTrace, stackTraceLimit } = Error;
    const holder = {};
    Error.stackTraceLimit = 4 * MAX_FRAMES;
    Error.prepareStackTrace = (_error, sites) => sites;
    captureStackTrace(holder, callers);
    const sites = holder.stack;
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
    const frames = sites.map((site) => ({
      file: site.getFileName() ?? '',
      line: site.getLineNumber(),
      column: site.getColumnNumber(),
      name: site.getFunctionName(),
    }));
    const start = frames.findIndex((frame) => frame.file !== __filename && !frame.file.startsWith(recorder));
    const ofRecorder = frames.slice(0, start).map((frame) => `${frame.line}:${frame.column}`);
    return new Set(ofRecorder).size < ofRecorder.length ? null : frames.slice(start, start + MAX_FRAMES);
  }

  function siteOf(frames) {
    const known = frames.filter(({ file: name }) => !/^(node:|$)/.test(name) && !name.startsWith(recorder));
    const paths = known.map(({ file: name }) => decodeURIComponent(name.replace(/^file:\/\//, '')));
    const user = paths.findIndex((path) => !path.includes('/node_modules/'));
    if (user >= 0) return `${paths[user].replace(/^(data|blob):.*$/s, '$1:')}:${known[user].line}`;
    return paths[0]?.match(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1] ?? 'nowhere';
  }

  /** @param apiOf tells the function that the program called; null for messages of Node's own */
  function count(apiOf, value, transfer, post, bytesOf = wireBytes) {
    const from = now();
    const frames = callers();
    const api = frames && apiOf(frames);
    let record = null;
    if (api) {
      const isOwn = api === 'workerData';
      const message = isOwn ? value.workerData : value;
      record = { api, site: siteOf(frames), bytes: bytesOf(message, isOwn ? [] : transfer) };
      write(record);
    }
    spent += now() - from;
    try {
      return post();
    } catch (error) {
      if (record) write({ ...record, threw: true });
      throw error;
    }
  }

  function patch(owner, key, run) {
    const found = Object.getOwnPropertyDescriptor(owner, key);
    if (typeof found?.value !== 'function') return;
    const original = found.value;
    const value = {
      [key](...args) {
        return run(this, args, () => Reflect.apply(original, this, args));
      },
    }[key];
    Object.defineProperty(value, 'length', { value: original.length });
    Object.defineProperty(owner, key, { ...found, value });
  }

  const isOfNode = ({ file: name } = { file: '' }) => name.startsWith('node:');
  function portApi(port, message, [caller, next]) {
    if (!isOfNode(caller) || FOR_THE_PROGRAM.test(caller.file))
      return port === parentPort ? 'parentPort.postMessage' : 'MessagePort.postMessage';
    if (caller.file === 'node:internal/worker' && message?.workerData !== undefined && 'doEval' in message)
      return 'workerData';
    if (caller.name !== 'postMessage' || isOfNode(next)) return null;
    if (caller.file === 'node:internal/worker') return 'Worker.postMessage';
    return caller.file === 'node:internal/worker/io' ? 'BroadcastChannel.postMessage' : null;
  }
  patch(MessagePort.prototype, 'postMessage', (port, args, post) =>
    count((frames) => portApi(port, args[0], frames), args[0], args[1], post),
  );
  patch(globalThis, 'structuredClone', (_self, args, post) =>
    count(() => 'structuredClone', args[0], args[1], post),
  );
  const watchSend = (owner, api) =>
    patch(owner, 'send', (self, args, post) => {
      const isOurs = self.connected !== false && !`${args[0]?.cmd}`.startsWith('NODE_');
      const bytesOf = (value) => sentBytes(value, self);
      return isOurs ? count(() => api, args[0], undefined, post, bytesOf) : post();
    });
  watchSend(process, 'process.send');
  patch(ChildProcess.prototype, 'spawn', (child, _args, spawn) => {
    const result = spawn();
    watchSend(child, 'ChildProcess.send');
    return result;
  });
};
