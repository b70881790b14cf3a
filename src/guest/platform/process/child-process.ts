import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type MessagePort as NodePort, parentPort, Worker, workerData } from 'node:worker_threads';
import { runningRuntime } from '../../../engines/probe/running-runtime.ts';
import type { Serialization } from '../../../model/names.ts';
import { thrownMessage } from '../../user-code/thrown.ts';
import {
  copyingEndpoint,
  type Endpoint,
  noop,
  type Peer,
  type PeerEntry,
  peerAt,
} from '../common/platform.ts';
import { type Posting, postingEndpoint } from '../common/web.ts';
import { entryUrl } from '../common/web-worker.ts';

/** First argument of a child process that is a peer over IPC. */
const IPC_ARGUMENT = 'ipc';

/** Deno reports a refusal to the callback of `send`; without a callback its process ends. Other runtimes throw. */
const TELLS_LATE = runningRuntime().name === 'deno';

/**
 * One end of `process.send`. Nothing can be transferred between processes.
 *
 * @param onRefused nothing arrives any more after it: a part of the message was written (seen on Deno 2.6 to 2.9.6)
 */
function ipcEndpoint(
  end: NodeJS.Process | ChildProcess,
  onRefused: (reason: string) => void = noop,
): Endpoint {
  const refused = (error: Error | null): void => {
    if (error !== null) onRefused(thrownMessage(error));
  };
  const endpoint = copyingEndpoint(
    (message) =>
      TELLS_LATE
        ? end.send?.(message as object, undefined, undefined, refused)
        : end.send?.(message as object),
    () => end.connected && end.disconnect?.(),
  );
  const emitter: NodeJS.EventEmitter = end;
  emitter.on('message', (data: unknown) => endpoint.onMessage(data));
  return endpoint;
}

export const childStart =
  (serialization: Serialization) =>
  (entry: PeerEntry): Peer => {
    const child = fork(fileURLToPath(entryUrl(entry)), [IPC_ARGUMENT], {
      serialization,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const exited = once(child, 'exit').catch(noop);
    const endpoint = ipcEndpoint(child, (reason) => peer.exited(reason));
    const peer = peerAt(endpoint, () => {
      child.kill('SIGKILL');
      return exited;
    });
    child.on('error', (error) => peer.exited(thrownMessage(error)));
    child.on('exit', (code, signal) => peer.exited(`the child process ended (${signal ?? `code ${code}`})`));
    return peer;
  };

/** Inside a child process, which ends with its parent; null in a worker thread. */
export function ipcParentEndpoint(): Endpoint | null {
  if (process.argv[2] !== IPC_ARGUMENT) return null;
  process.on('disconnect', () => process.exit(0));
  return ipcEndpoint(process);
}

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
