// Loaded into each thread of a program, below the recorder that is compared with it: writes down every message, where it was
// posted and its bytes. It shares no code with the recorder. `start` is called by the file that NODE_OPTIONS names.
const { existsSync, openSync, readFileSync, writeSync } = require('node:fs');
const { ChildProcess } = require('node:child_process');
const { serialize, setFlagsFromString } = require('node:v8');
const { MessagePort, parentPort, threadId } = require('node:worker_threads');
const { someOf } = require('./told-value.cjs');
const { wireBytes } = require('./wire.cjs');

const MAX_FRAMES = 24;
const { captureStackTrace } = Error;
const { stringify } = JSON;
const now = performance.now.bind(performance);

/** Code of Node's that posts what the program gives it. */
const FOR_THE_PROGRAM = /^node:internal\/(webstreams\/transfer|worker\/messaging)$/;

/** Of a message between processes; a line feed ends each JSON text. */
function ipcBytes(value, isAdvanced) {
  try {
    return isAdvanced ? serialize(value).length : Buffer.byteLength(stringify(value)) + 1;
  } catch {
    return null;
  }
}

const ENVIRONMENT = '/proc/self/environ';
/** How this process was told to write; Node removes it from process.env. null where only Node knows. */
const ownMode = existsSync(ENVIRONMENT)
  ? /NODE_CHANNEL_SERIALIZATION_MODE=advanced/.test(readFileSync(ENVIRONMENT, 'latin1'))
  : null;

/** How V8 stores arrays and objects. */
function storageOf() {
  setFlagsFromString('--allow-natives-syntax');
  try {
    const isHoley = new Function('array', 'return %HasHoleyElements(array)');
    const isFast = new Function('object', 'return %HasFastProperties(object)');
    isHoley([]);
    isFast({});
    return { isHoley, isSlow: (object) => !isFast(object) };
  } catch (error) {
    // The flag is one of the whole process: another thread has turned it off.
    if (error instanceof SyntaxError) return storageOf();
    throw error;
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}

/** @param folder where it writes @param recorder start of the names of its files */
exports.start = (folder, recorder) => {
  const file = openSync(`${folder}/${process.pid}-${threadId}.ndjson`, 'a');
  const write = (record) => writeSync(file, `${stringify(record)}\n`);
  /** The recorder has no more time for what is counted here: its clock stands still meanwhile. */
  let spent = 0;
  const kept = someOf({ storage: storageOf() });
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
    // One function of the recorder is around each call of the program.
    const ofRecorder = frames.slice(0, start).filter((frame) => frame.file.startsWith(recorder));
    return ofRecorder.length > 1 ? null : frames.slice(start, start + MAX_FRAMES);
  }

  function siteOf(frames) {
    const known = frames.filter(({ file: name }) => !/^(node:|$)/.test(name) && !name.startsWith(recorder));
    const paths = known.map(({ file: name }) => decodeURIComponent(name.replace(/^file:\/\//, '')));
    const user = paths.findIndex((path) => !path.includes('/node_modules/'));
    if (user >= 0) return `${paths[user].replace(/^(data|blob):.*$/s, '$1:')}:${known[user].line}`;
    return paths[0]?.match(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1] ?? 'nowhere';
  }

  /** @param posted message and transfer list @param bytesOf of the message @param apiOf tells the function that the program called; null for messages of Node's own */
  function count([message, transfer], apiOf, bytesOf, post) {
    const from = now();
    const frames = callers();
    const api = frames && apiOf(frames);
    let record = null;
    if (api) {
      record = { api, site: siteOf(frames), bytes: bytesOf(api) };
      const own = api === 'workerData' ? message.workerData : message;
      write({ ...record, message: kept(`${api} ${record.site}`, record.bytes, own, transfer) });
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
  const ofHooks = (frames) =>
    frames.some(({ file: name }) => name.startsWith('node:internal/modules/esm/hooks'));
  function portApi(port, message, frames) {
    const [caller, next] = frames;
    if (!isOfNode(caller) || FOR_THE_PROGRAM.test(caller.file))
      return port === parentPort ? 'parentPort.postMessage' : 'MessagePort.postMessage';
    if (caller.file === 'node:internal/worker' && message?.workerData !== undefined && 'doEval' in message)
      return ofHooks(frames) ? null : 'workerData';
    if (caller.name !== 'postMessage' || isOfNode(next)) return null;
    if (caller.file === 'node:internal/worker') return 'Worker.postMessage';
    return caller.file === 'node:internal/worker/io' ? 'BroadcastChannel.postMessage' : null;
  }
  patch(MessagePort.prototype, 'postMessage', (port, [message, transfer], post) => {
    const bytesOf = (api) =>
      api === 'workerData' ? wireBytes(message.workerData, []) : wireBytes(message, transfer);
    return count([message, transfer], (frames) => portApi(port, message, frames), bytesOf, post);
  });
  patch(globalThis, 'structuredClone', (_self, [value, options], post) =>
    count(
      [value, options],
      () => 'structuredClone',
      () => wireBytes(value, options),
      post,
    ),
  );
  const watchSend = (owner, api, isAdvanced) =>
    patch(owner, 'send', (self, [message], post) => {
      if (self.connected === false || `${message?.cmd}`.startsWith('NODE_')) return post();
      const bytesOf = () => (isAdvanced === null ? null : ipcBytes(message, isAdvanced));
      return count([message], () => api, bytesOf, post);
    });
  watchSend(process, 'process.send', ownMode);
  patch(ChildProcess.prototype, 'spawn', (child, [options], spawn) => {
    const result = spawn();
    watchSend(child, 'ChildProcess.send', options?.serialization === 'advanced');
    return result;
  });
};
