import { PerformanceObserver } from 'node:perf_hooks';
import {
  type MessagePort as NodePort,
  type Transferable as NodeTransferable,
  parentPort,
  Worker,
} from 'node:worker_threads';
import { type GcWatch, type Ground, type Lane, type Peer, silent } from '../measure/peer/endpoint.ts';
import { sayingOf } from '../user-code/user-code.ts';
import { spawnChild } from './child-process.ts';
import { BroadcastLane } from './web.ts';

/** Listeners of the emitter kind, as Node programs have them: they get the bare value. */
class NodeLane implements Lane {
  readonly transfers = true;
  onMessage: (data: unknown) => void = silent;
  onBroken: (why: string) => void = silent;
  readonly #end: NodePort | Worker;

  constructor(end: NodePort | Worker) {
    this.#end = end;
    const emitter = end as NodeJS.EventEmitter;
    emitter.on('message', (data: unknown) => this.onMessage(data));
    emitter.on('messageerror', (error: unknown) => this.onBroken(sayingOf(error)));
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
    lane: new NodeLane(worker),
    onDeath: silent,
    end: async () => {
      peer.onDeath = silent;
      await worker.terminate();
    },
  };
  worker.on('error', (error) => peer.onDeath(sayingOf(error)));
  worker.on('exit', (code) => peer.onDeath(`the worker ended with code ${code}`));
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

export const NODE: Ground = {
  spawnWorker,
  spawnChild,
  parentLane: () => new NodeLane(parentPort as NodePort),
  portLane: (port) => new NodeLane(port as unknown as NodePort),
  broadcastLane: (name) => new BroadcastLane(name),
  takesByPort: true,
  leavesTraces: false,
  watchGc,
};
