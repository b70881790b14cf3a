import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  type MessagePort as NodePort,
  type Transferable as NodeTransferable,
  parentPort,
  Worker,
  workerData,
} from 'node:worker_threads';
import type { Serialization } from '../../../model/names.ts';
import { runningRuntime } from '../../../probe/running-runtime.ts';
import { thrownMessage } from '../../user-code/thrown.ts';
import {
  CopyingEndpoint,
  type Endpoint,
  noop,
  type Peer,
  type PeerEntry,
  peerAt,
} from '../common/platform.ts';
import { entryUrl } from '../common/web-worker.ts';

/** First argument of a child process that is a peer over IPC. */
const IPC_ARGUMENT = 'ipc';

/** Deno tells what it refuses to the callback of `send`; without one its process ends. Others throw. */
const TELLS_LATE = runningRuntime().name === 'deno';

/** One end of `process.send`. Nothing can be transferred between processes. */
class IpcEndpoint extends CopyingEndpoint {
  /** Nothing arrives any more after it: a part of the message was written (seen on Deno 2.6 to 2.9.6). */
  onRefused: (reason: string) => void = noop;
  readonly #end: NodeJS.Process | ChildProcess;

  constructor(end: NodeJS.Process | ChildProcess) {
    super();
    this.#end = end;
    const emitter: NodeJS.EventEmitter = end;
    emitter.on('message', (data: unknown) => this.onMessage(data));
  }

  post(message: unknown): void {
    if (!TELLS_LATE) this.#end.send?.(message as object);
    else this.#end.send?.(message as object, undefined, undefined, this.#refused);
  }

  #refused = (error: Error | null): void => {
    if (error !== null) this.onRefused(thrownMessage(error));
  };

  override close(): void {
    if (this.#end.connected) this.#end.disconnect?.();
  }
}

export const childStart =
  (serialization: Serialization) =>
  (entry: PeerEntry): Peer => {
    const child = fork(fileURLToPath(entryUrl(entry)), [IPC_ARGUMENT], {
      serialization,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const exited = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    const endpoint = new IpcEndpoint(child);
    const peer = peerAt(endpoint, () => {
      child.kill('SIGKILL');
      return exited;
    });
    endpoint.onRefused = (reason) => peer.onExit(reason);
    child.on('error', (error) => peer.onExit(thrownMessage(error)));
    child.on('exit', (code, signal) => peer.onExit(`the child process ended (${signal ?? `code ${code}`})`));
    return peer;
  };

/** Inside a child process, which ends with its parent; null in a worker thread. */
export function ipcParentEndpoint(): Endpoint | null {
  if (process.argv[2] !== IPC_ARGUMENT) return null;
  process.on('disconnect', () => process.exit(0));
  return new IpcEndpoint(process);
}

// Taken before user code loads, which may replace what is imported (`syncBuiltinESMExports`).
const NodeWorker = Worker;

/** Tells a worker that it is one of these, if the runtime has others. */
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
