import { PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  type MessagePort as NodePort,
  type Transferable as NodeTransferable,
  parentPort,
  receiveMessageOnPort,
  Worker,
} from 'node:worker_threads';
import { messageOf } from '../user-code/thrown.ts';
import { type Endpoint, noop, type Peer } from './common/endpoint.ts';
import { entryUrl } from './common/entry-url.ts';
import type { GcWatch, PeerEntry, Platform } from './common/platform.ts';
import { ipcParentEndpoint, spawnChild } from './process/child-process.ts';
import { freshQueryUrl } from './process/module-loader.ts';
import { PROCESS_BUILT_INS, processPlatform } from './process/process-platform.ts';
import type { Profiler } from './profilers/profiler.ts';

// Taken before user code loads, which may replace what is imported (`syncBuiltinESMExports`).
const NodeWorker = Worker;
const GcObserver = PerformanceObserver;
const [setFlags, runIn] = [setFlagsFromString, runInNewContext];

/** With event emitter listeners, as Node programs have them. */
class NodeEndpoint implements Endpoint {
  readonly transfers = true;
  onMessage: (data: unknown) => void = noop;
  onMessageError: (reason: string) => void = noop;
  readonly #end: NodePort | Worker;

  constructor(end: NodePort | Worker) {
    this.#end = end;
    const emitter = end as NodeJS.EventEmitter;
    emitter.on('message', (data: unknown) => this.onMessage(data));
    emitter.on('messageerror', (error: unknown) => this.onMessageError(messageOf(error)));
  }

  post(message: unknown): void {
    this.#end.postMessage(message);
  }

  postWith(message: unknown, transfer: Transferable[]): void {
    this.#end.postMessage(message, transfer as NodeTransferable[]);
  }

  close(): void {
    if (!(this.#end instanceof NodeWorker)) this.#end.close();
  }
}

function spawnWorker(entry: PeerEntry): Peer {
  const worker = new NodeWorker(entryUrl(entry));
  const peer: Peer = {
    endpoint: new NodeEndpoint(worker),
    onExit: noop,
    end: async () => {
      peer.onExit = noop;
      await worker.terminate();
    },
  };
  worker.on('error', (error) => peer.onExit(messageOf(error)));
  worker.on('exit', (code) => peer.onExit(`the worker ended with code ${code}`));
  return peer;
}

function watchGc(): GcWatch {
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

function collectGarbage(): void {
  setFlags('--expose-gc');
  const collect = runIn('gc') as () => void;
  collect();
}

async function createProfiler(): Promise<Profiler> {
  const { v8ProfilerNext } = await import('./profilers/v8-profiler-next.ts');
  const { InspectorProfiler } = await import('./profilers/inspector.ts');
  return (await v8ProfilerNext(process.cwd())) ?? new InspectorProfiler();
}

export const node: Platform = {
  ...processPlatform(freshQueryUrl),
  builtIns: [...PROCESS_BUILT_INS, Worker.prototype],
  spawnWorker,
  spawnChild,
  parentEndpoint: () => ipcParentEndpoint() ?? new NodeEndpoint(parentPort as NodePort),
  portEndpoint: (port) => new NodeEndpoint(port as typeof port & NodePort),
  receiveOnPort: (port) => receiveMessageOnPort(port as typeof port & NodePort),
  postingChangesValues: false,
  mayBlock: true,
  watchGc,
  collectGarbage,
  createProfiler,
};
