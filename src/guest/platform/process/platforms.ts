import { Buffer } from 'node:buffer';
import { EventEmitter } from 'node:events';
import * as fs from 'node:fs';
import nodeModule, { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { PerformanceObserver } from 'node:perf_hooks';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type MessagePort as NodePort, parentPort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { electronChannels } from '../../../channels/electron/guest/process.ts';
import { childStart, ipcParentEndpoint } from '../../../channels/ipc/guest/process.ts';
import {
  nodeEndpoint,
  nodeWorkerParent,
  spawnNodeWorker,
} from '../../../channels/node-worker/guest/process.ts';
import { openStorage } from '../../../channels/storage/guest/process.ts';
import { openClone } from '../../../channels/structured-clone/guest/everywhere.ts';
import { runningRuntime } from '../../../engines/probe/process.ts';
import { compareVersions } from '../../../engines/versions/versions.ts';
import { ToolError } from '../../../model/errors.ts';
import type { Channel, ProcessRuntime } from '../../../model/names.ts';
import { orElse } from '../../../model/or-else.ts';
import type { ModulePosition } from '../../../model/run/runtime.ts';
import { thrownBy, userCode } from '../../user-code/user-code.ts';
import {
  type CoreClock,
  type CoreTime,
  type FileReader,
  type ModuleLoader,
  type PayloadFile,
  type PeakMemory,
  type PeerStart,
  type Platform,
  toWorkers,
} from '../common/platform.ts';
import { placeIn, readError, reading } from '../common/reading.ts';
import { webBroadcastEndpoint, webParentEndpoint, webPortEndpoint, webWorkers } from '../common/web.ts';
import { startWebWorker } from '../common/web-worker.ts';
import { startInspector, startV8ProfilerNext } from '../profilers/profilers.ts';

// Taken before user code loads, which may replace what is imported (`syncBuiltinESMExports`), as fake timers do.
const GcObserver = PerformanceObserver;
const [setFlags, runIn] = [setFlagsFromString, runInNewContext];
const immediate = setImmediate;
const requireFor = createRequire;
const files = { ...fs };

const CHUNK_BYTES = 1 << 20;
/** Maximum bytes that Node reads into one buffer; no engine has a longer text. */
const MOST_BYTES = 2 ** 31;

export const fileReader: FileReader = {
  bytes: (file, range) =>
    reading(file, async () => {
      // Node finds out that a file is too large once all of it is in memory.
      if (range === undefined && files.statSync(file.file).size > MOST_BYTES)
        throw new ToolError('value-too-large', { file: file.name, detail: 'larger than 2 GiB' });
      const [start, end] = range ?? [];
      const data = range
        ? await buffer(files.createReadStream(file.file, { start, end }))
        : files.readFileSync(file.file);
      return data.byteLength === data.buffer.byteLength ? new Uint8Array(data.buffer) : Uint8Array.from(data);
    }),
  async *chunks(file) {
    try {
      yield* files.createReadStream(file.file, { highWaterMark: CHUNK_BYTES });
    } catch (error) {
      throw readError(error, file.name);
    }
  },
};

let evaluations = 0;

const requireCache = (file: string) => requireFor(file).cache;

/** Stacks and caches name modules by their real path; null if the file does not exist. */
const realFile = (file: string): string | null => orElse(() => files.realpathSync(file), null);

function existingFile({ file, name }: PayloadFile): string {
  const real = realFile(file);
  if (real === null) throw new ToolError('file-missing', { file: name });
  return real;
}

const imported = (url: string) => userCode(() => import(url) as Promise<object>);

const shownPath = (file: string): string =>
  relative(process.cwd(), file.startsWith('file:') ? fileURLToPath(file) : file);

/** What the first import of a file threw. Bun before 1.3.14 gives an empty module at the next import of such a file. */
const thrownByFile = new Map<string, unknown>();

const moduleLoader: ModuleLoader = {
  async importModule(module) {
    const file = existingFile(module);
    if (thrownByFile.has(file)) throw thrownByFile.get(file);
    const namespace = await imported(pathToFileURL(file).href).catch((error: unknown) => {
      thrownByFile.set(file, error);
      throw error;
    });
    // Bun lists ES modules in `require.cache` too, with the namespace as exports.
    const cached = requireCache(file)[file];
    if (!cached || cached.exports === namespace) return { exports: namespace, kind: 'esm' };
    return { exports: cached.exports, kind: 'commonjs' };
  },
  async importAgain(module, kind) {
    const file = existingFile(module);
    // Node and Deno cache ES modules by URL, the query included. Bun ignores the query, and has them in this cache.
    delete requireCache(file)[file];
    evaluations += 1;
    if (kind === 'esm')
      return { exports: await imported(`${pathToFileURL(file).href}?fresh=${evaluations}`), kind };
    const [exports] = await userCode(() => [requireFor(file)(file) as unknown]);
    return { exports, kind };
  },
  /** Finds the place also if the code that ran is a bundle of the user's file. */
  stackLocation(stack, { file: named, name }) {
    const file = realFile(named) ?? named;
    const map = readSourceMap(file);
    const inModule = findLocation(stack, file);
    if (map === null) return inModule;
    const inSource = (source: string, location: ModulePosition): ModulePosition =>
      source === resolve(name) ? location : { ...location, file: shownPath(source) };
    if (inModule === null) {
      // Deno has already applied the source map: the stack names the original files.
      for (const source of map.sources) {
        const path = resolve(dirname(file), source);
        const location = findLocation(stack, path);
        if (location) return inSource(path, location);
      }
      return null;
    }
    const entry = new nodeModule.SourceMap(map).findEntry(inModule.line - 1, inModule.column - 1);
    if (!('originalLine' in entry)) return null;
    const location = { line: entry.originalLine + 1, column: entry.originalColumn + 1 };
    return inSource(resolve(dirname(file), entry.originalSource), location);
  },
  shownPath,
};

/** A stack names ES modules by URL (a space is %20 there), and CommonJS and Bun's modules by path. */
const findLocation = (stack: string, file: string): ModulePosition | null =>
  placeIn(stack, pathToFileURL(file).href) ?? placeIn(stack, file);

/** The bundler of the host writes the map into the last line. */
function readSourceMap(file: string): (nodeModule.SourceMapPayload & { sources: string[] }) | null {
  return orElse(() => {
    const text = files.readFileSync(file, 'utf8');
    const [, data] = /\n\/\/# sourceMappingURL=data:application\/json;base64,([\w+/=]+)\s*$/.exec(text) ?? [];
    return data === undefined ? null : JSON.parse(Buffer.from(data, 'base64').toString('utf8'));
  }, null);
}

const cpuUsage = process.cpuUsage.bind(process);

/** A call takes 2 to 3 µs on Node, Bun and Deno. It is exact to the µs; Windows has the scheduler's steps. */
function processorNs(): number {
  const { user, system } = cpuUsage();
  return (user + system) * 1000;
}

/** A thread of any process, as proc(5) names it. */
const THREAD = /^\d+\/task\/\d+$/;

/** The calling thread, as clocks name it: "27376/task/27412"; null if the system does not tell. */
export const ownThread = (): string | null => orElse(() => files.readlinkSync('/proc/thread-self'), null);

/**
 * Linux reports each thread's time on cores, so that the time of other programs does not count. A read takes 5 to 20
 * µs. Null on other systems, and if a name does not belong to a thread: it comes from a peer, whose process runs user
 * code.
 */
export function openCoreClock(threads: readonly string[]): CoreClock | null {
  const open: number[] = [];
  const close = (): void => {
    for (const file of open) files.closeSync(file);
  };
  try {
    for (const thread of threads) {
      if (!THREAD.test(thread)) throw new Error(`no thread: ${thread}`);
      open.push(files.openSync(`/proc/${thread}/schedstat`, 'r'));
    }
  } catch {
    close();
    return null;
  }
  const text = Buffer.alloc(64);
  const read = (): CoreTime => {
    // The kernel adds up the current thread's time for this call; its file alone would be behind by up to a tick, 4 ms.
    cpuUsage();
    const time: CoreTime = { ranNs: 0, waitedNs: 0 };
    try {
      for (const file of open) {
        const length = files.readSync(file, text, 0, text.length, 0);
        const [ran, waited] = text.toString('latin1', 0, length).split(' ');
        time.ranNs += Number(ran);
        time.waitedNs += Number(waited);
      }
    } catch {
      // A thread has ended, which its peer reports by itself.
    }
    return time;
  };
  return { read, close };
}

const STATUS = '/proc/self/status';
const CLEAR_REFS = '/proc/self/clear_refs';
/** proc(5): "5" resets the peak resident set size to what is resident now. */
const RESET_PEAK = '5';

/** Linux has a peak that can be reset. Other systems have samples, and the peak since the process started. */
const linuxPeak = (): PeakMemory | null =>
  orElse(() => {
    files.writeFileSync(CLEAR_REFS, RESET_PEAK);
    linuxPeakBytes();
    return { sample: () => undefined, bytes: linuxPeakBytes };
  }, null);

function linuxPeakBytes(): number {
  const found = /^VmHWM:\s+(\d+) kB/m.exec(files.readFileSync(STATUS, 'latin1'));
  if (!found) throw new Error(`no VmHWM in ${STATUS}`);
  return Number(found[1]) * 1024;
}

/** `maxRSS` (kB) never falls: it counts only when it has risen since the watch began. */
function sampledPeak(): PeakMemory {
  const before = processPeak();
  let most = process.memoryUsage.rss();
  const sample = (): void => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  return {
    sample,
    bytes: () => {
      sample();
      const peak = processPeak();
      return Math.max(most, peak > before ? peak : 0);
    },
  };
}

const processPeak = (): number => process.resourceUsage().maxRSS * 1024;

function watchGc() {
  let count = 0;
  let ns = 0;
  const add = (entries: PerformanceEntry[]) => {
    for (const entry of entries) {
      count++;
      ns += entry.duration * 1e6;
    }
  };
  const observer = new GcObserver((list) => add(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  return {
    stop: () => {
      add(observer.takeRecords());
      observer.disconnect();
      return { count, ns };
    },
  };
}

const shared = {
  peers: { 'ipc-json': childStart('json'), 'ipc-advanced': childStart('advanced') },
  local: { 'structured-clone': openClone, storage: openStorage },
  mayBlock: true,
  broadcastEndpoint: webBroadcastEndpoint,
  builtIns: [process, EventEmitter.prototype],
  sources: { ...fileReader, ...moduleLoader },
  turnOfEventLoop: () =>
    new Promise((resolve) => {
      immediate(resolve);
    }),
  compiling: (work) => work(),
  ...(process.platform !== 'win32' && { processorNs }),
  ownThread,
  coreClock: openCoreClock,
  markPeakMemory: () => linuxPeak() ?? sampledPeak(),
  onUncaught: (listener) => {
    process.on('uncaughtException', listener);
    process.on('unhandledRejection', listener);
  },
  printError: (text) => void process.stderr.write(`${text}\n`),
  writeFile: (folder, name, text) => files.writeFileSync(join(folder, name), text),
} satisfies Partial<Platform>;

const node: Platform = {
  ...shared,
  builtIns: [...shared.builtIns, Worker.prototype],
  peers: { ...shared.peers, ...toWorkers(spawnNodeWorker) },
  parentEndpoint: () => ipcParentEndpoint() ?? nodeEndpoint(parentPort as NodePort),
  portEndpoint: (port) => nodeEndpoint(port as typeof port & NodePort),
  receiveOnPort: (port) => receiveMessageOnPort(port as typeof port & NodePort),
  watchGc,
  collectGarbage: () => {
    setFlags('--expose-gc');
    runIn('gc')();
  },
  async startProfiler() {
    const addon = await startV8ProfilerNext(process.cwd());
    if (addon === null) return startInspector();
    return 'why' in addon ? startInspector({ what: 'v8-profiler-next', ...addon }) : addon;
  },
};

/** Uses web workers and ports: Bun implements `node:worker_threads` in JavaScript on top of them. */
const bun: Platform = {
  ...shared,
  peers: { ...shared.peers, ...toWorkers(webWorkers(startWebWorker)) },
  parentEndpoint: () => ipcParentEndpoint() ?? webParentEndpoint(),
  portEndpoint: webPortEndpoint,
  receiveOnPort: (port) => receiveMessageOnPort(port as typeof port & NodePort),
  postingChangesValues: true,
  collectGarbage: () => (globalThis as typeof globalThis & { Bun: { gc(sync: boolean): void } }).Bun.gc(true),
  // JavaScriptCore samples the stack of the interpreter and finds nothing while no JavaScript runs.
  startProfiler: () =>
    startInspector({
      what: 'deserializing and garbage collection',
      why: "Bun's profiler samples JavaScript only",
    }),
};

/** Deno calls the toJSON of what toJSON gives, and goes on for ever if that has one again. */
const MAX_TO_JSON = 100;

/** Deno asks each value for its kind first. */
function asDenoReads(_: string, given: unknown): unknown {
  let one = given as { toJSON?(): never } | null | undefined;
  if (ArrayBuffer.isView(one) || Object(one) instanceof BigInt) return 0;
  for (let calls = 0; typeof one?.toJSON === 'function'; calls++) {
    if (calls === MAX_TO_JSON) throw new Error('Deno never ends to call the toJSON of what toJSON gives');
    one = one.toJSON();
  }
  return one;
}

/**
 * The process ends if reading a value for JSON text throws: a cycle, a getter, `toJSON` (seen on 2.6 to 2.9.6). Values
 * that Deno refuses by kind, such as a bigint, do not end it, and are not read here either.
 */
function endsProcess(channel: Channel, value: unknown): string | null {
  if (channel !== 'ipc-json') return null;
  return thrownBy(() => JSON.stringify(value, asDenoReads));
}

const advancedChild: PeerStart = (entry) => {
  if (compareVersions(runningRuntime().version, '2.6.0') >= 0) return shared.peers['ipc-advanced'](entry);
  const detail = 'Deno has it from 2.6 on';
  throw new ToolError('channel-unsupported', { value: 'ipc-advanced', detail });
};

/** Uses web workers and ports, as programs for Deno do, and also Node's. */
const deno: Platform = {
  ...shared,
  peers: {
    ...shared.peers,
    ...toWorkers(webWorkers(startWebWorker)),
    ...{ 'ipc-advanced': advancedChild, 'node-worker': spawnNodeWorker },
  },
  parentEndpoint: () => ipcParentEndpoint() ?? nodeWorkerParent() ?? webParentEndpoint(),
  portEndpoint: webPortEndpoint,
  // Deno's receiveMessageOnPort walks the received value property by property in search of ports
  // (patchMessagePortIfFound, ext/node/polyfills/worker_threads.ts): 20 ms for 300 kB that an event brings in 0.1 ms.
  endsProcess,
  // It cannot be requested.
  collectGarbage: () => undefined,
  startProfiler: () => startInspector(),
};

const electron: Platform = {
  ...node,
  ...electronChannels,
  collectGarbage: () => globalThis.gc?.(),
  startProfiler: () => startInspector(),
};

export const PLATFORMS: Readonly<Record<ProcessRuntime, Platform>> = { node, bun, deno, electron };

export const runningPlatform = (): Platform => PLATFORMS[runningRuntime().name];
