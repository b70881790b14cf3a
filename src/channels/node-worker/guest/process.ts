import { type MessagePort as NodePort, parentPort, Worker, workerData } from 'node:worker_threads';
import { type Endpoint, type Peer, type PeerEntry, peerAt } from '../../../guest/platform/common/platform.ts';
import { type Posting, postingEndpoint } from '../../../guest/platform/common/web.ts';
import { entryUrl } from '../../../guest/platform/common/web-worker.ts';
import { thrownMessage } from '../../../guest/user-code/user-code.ts';

// Taken before user code loads, which may replace what is imported (`syncBuiltinESMExports`).
const NodeWorker = Worker;

/** Marks a worker of node:worker_threads, if the runtime has other workers too. */
const NODE_WORKER = 'clone-prof: node-worker';

/** Endpoint with event emitter listeners, as Node programs have them. */
export function nodeEndpoint(end: NodePort | Worker): Endpoint {
  const endpoint = postingEndpoint(end as Posting, () => !(end instanceof NodeWorker) && end.close());
  const emitter = end as NodeJS.EventEmitter;
  emitter.on('message', (data: unknown) => endpoint.onMessage(data));
  emitter.on('messageerror', (error: unknown) => {
    endpoint.onMessageError(`the message arrived but could not be read: ${thrownMessage(error)}`);
  });
  return endpoint;
}

export function spawnNodeWorker(entry: PeerEntry): Peer {
  const worker = new NodeWorker(entryUrl(entry), { workerData: NODE_WORKER });
  const peer = peerAt(nodeEndpoint(worker), () => worker.terminate());
  worker.on('error', (error) => peer.exited(thrownMessage(error)));
  worker.on('exit', (code) => peer.exited(`the worker ended with code ${code}`));
  return peer;
}

/** Inside such a worker; null in others. */
export const nodeWorkerParent = (): Endpoint | null =>
  workerData === NODE_WORKER ? nodeEndpoint(parentPort as NodePort) : null;
