import { PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type MessagePort as NodePort, parentPort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { compareVersions } from '../../../core/versions.ts';
import { ToolError } from '../../../model/errors.ts';
import type { Channel, ProcessRuntime } from '../../../model/names.ts';
import { runningRuntime } from '../../../probe/running-runtime.ts';
import { thrownMessage } from '../../user-code/thrown.ts';
import { type PeerStart, type Platform, toWorkers } from '../common/platform.ts';
import { webParentEndpoint, webPortEndpoint, webWorkers } from '../common/web.ts';
import { startWebWorker } from '../common/web-worker.ts';
import { InspectorProfiler } from '../profilers/inspector.ts';
import { v8ProfilerNext } from '../profilers/v8-profiler-next.ts';
import { ipcParentEndpoint, nodeEndpoint, nodeWorkerParent, spawnNodeWorker } from './child-process.ts';
import { electronChannels } from './electron.ts';
import { freshQueryUrl, uncachedUrl } from './module-loader.ts';
import { processPlatform } from './process-platform.ts';

// Taken before user code loads, which may replace what is imported (`syncBuiltinESMExports`).
const GcObserver = PerformanceObserver;
const [setFlags, runIn] = [setFlagsFromString, runInNewContext];

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

/** Node and Deno. */
const shared = processPlatform(freshQueryUrl);

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
  async createProfiler() {
    const addon = await v8ProfilerNext(process.cwd());
    if (addon === null) return new InspectorProfiler();
    return 'why' in addon ? new InspectorProfiler({ what: 'v8-profiler-next', ...addon }) : addon;
  },
};

const ofBun = processPlatform(uncachedUrl);

/** Uses web workers and ports: Bun implements `node:worker_threads` in JavaScript on top of them. */
const bun: Platform = {
  ...ofBun,
  peers: { ...ofBun.peers, ...toWorkers(webWorkers(startWebWorker)) },
  parentEndpoint: () => ipcParentEndpoint() ?? webParentEndpoint(),
  portEndpoint: webPortEndpoint,
  receiveOnPort: (port) => receiveMessageOnPort(port as typeof port & NodePort),
  postingChangesValues: true,
  collectGarbage: () => (globalThis as typeof globalThis & { Bun: { gc(sync: boolean): void } }).Bun.gc(true),
  async createProfiler() {
    // JavaScriptCore samples the stack of the interpreter and finds nothing while no JavaScript runs.
    return new InspectorProfiler({
      what: 'deserializing and garbage collection',
      why: "Bun's profiler samples JavaScript only",
    });
  },
};

/** Deno asks each value for its kind first. */
const withoutBigInts = (_: string, one: unknown) =>
  ArrayBuffer.isView(one) || Object(one) instanceof BigInt ? 0 : one;

/**
 * The process ends if reading a value for JSON text throws: a cycle, a getter, `toJSON` (seen on 2.6 to 2.9.6). Values
 * that Deno refuses by kind, such as a bigint, do not end it, and are not read here either.
 */
function endsProcess(channel: Channel, value: unknown): string | null {
  if (channel !== 'ipc-json') return null;
  try {
    JSON.stringify(value, withoutBigInts);
    return null;
  } catch (error) {
    return thrownMessage(error);
  }
}

/** @throws ToolError 'channel-unsupported' */
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
  // Deno cannot be asked to collect garbage at run time.
  collectGarbage: () => undefined,
  async createProfiler() {
    return new InspectorProfiler();
  },
};

const electron: Platform = {
  ...node,
  ...electronChannels,
  collectGarbage: () => globalThis.gc?.(),
  createProfiler: deno.createProfiler!,
};

export const PLATFORMS: Readonly<Record<ProcessRuntime, Platform>> = { node, bun, deno, electron };

/** The platform of the runtime that this code runs in. */
export const runningPlatform = (): Platform => PLATFORMS[runningRuntime().name];
