/** Workers and ports of node:worker_threads. */
import {
  type MessagePort as NodePort,
  type Transferable as NodeTransferable,
  parentPort,
  Worker,
  workerData,
} from 'node:worker_threads';
import { thrownMessage } from '../../user-code/thrown.ts';
import { type Endpoint, noop, type Peer, type PeerEntry, peerAt } from '../common/platform.ts';
import { entryUrl } from '../common/web-worker.ts';

// Taken before user code loads, which may replace what is imported (`syncBuiltinESMExports`).
const NodeWorker = Worker;

/** Tells a worker that it is one of these, where the runtime has others. */
const NODE_WORKER = 'clone-prof: node-worker';

/** With event emitter listeners, as Node programs have them. */
export class NodeEndpoint implements Endpoint {
  readonly transfers = true;
  onMessage: (data: unknown) => void = noop;
  onMessageError: (reason: string) => void = noop;
  readonly #end: NodePort | Worker;

  constructor(end: NodePort | Worker) {
    this.#end = end;
    const emitter = end as NodeJS.EventEmitter;
    emitter.on('message', (data: unknown) => this.onMessage(data));
    emitter.on('messageerror', (error: unknown) => {
      this.onMessageError(`the message arrived but could not be read: ${thrownMessage(error)}`);
    });
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

export function spawnNodeWorker(entry: PeerEntry): Peer {
  const worker = new NodeWorker(entryUrl(entry), { workerData: NODE_WORKER });
  const peer = peerAt(new NodeEndpoint(worker), () => worker.terminate());
  worker.on('error', (error) => peer.onExit(thrownMessage(error)));
  worker.on('exit', (code) => peer.onExit(`the worker ended with code ${code}`));
  return peer;
}

/** Inside such a worker; null in others. */
export const nodeWorkerParent = (): Endpoint | null =>
  workerData === NODE_WORKER ? new NodeEndpoint(parentPort as NodePort) : null;
