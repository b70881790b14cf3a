import { PerformanceObserver } from 'node:perf_hooks';
import {
  type MessagePort as NodePort,
  type Transferable as NodeTransferable,
  parentPort,
  Worker,
} from 'node:worker_threads';
import { type Endpoint, type GcWatch, noop, type Peer, type Platform } from '../measure/peer/endpoint.ts';
import { messageOf } from '../user-code/user-code.ts';
import { spawnChild } from './child-process.ts';
import { BroadcastEndpoint } from './web.ts';

/** Listeners of the emitter kind, as Node programs have them: they get the bare value. */
class NodeEndpoint implements Endpoint {
  readonly transfers = true;
  onMessage: (data: unknown) => void = noop;
  onMessageError: (why: string) => void = noop;
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
    if (!(this.#end instanceof Worker)) this.#end.close();
  }
}

function spawnWorker(file: URL): Peer {
  const worker = new Worker(file);
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
  const tell = (entries: PerformanceEntry[]) => {
    for (const entry of entries) {
      count++;
      ns += entry.duration * 1e6;
    }
  };
  const observer = new PerformanceObserver((list) => tell(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  return {
    stop: () => {
      tell(observer.takeRecords());
      observer.disconnect();
      return { count, ns };
    },
  };
}

export const NODE: Platform = {
  spawnWorker,
  spawnChild,
  parentEndpoint: () => new NodeEndpoint(parentPort as NodePort),
  portEndpoint: (port) => new NodeEndpoint(port as unknown as NodePort),
  broadcastEndpoint: (name) => new BroadcastEndpoint(name),
  receivesByPort: true,
  postingChangesValues: false,
  watchGc,
};
