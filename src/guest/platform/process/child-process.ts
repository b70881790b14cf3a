import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Serialization } from '../../../model/names.ts';
import { runningRuntime } from '../../../probe/running-runtime.ts';
import { thrownMessage } from '../../user-code/thrown.ts';
import { type Endpoint, noop, type Peer, type PeerEntry, peerAt } from '../common/platform.ts';
import { entryUrl } from '../common/web-worker.ts';

/** First argument of a child process that is a peer over IPC. */
const IPC_ARGUMENT = 'ipc';

/** Deno tells what it refuses to the callback of `send`; without one its process ends. Others throw. */
const TELLS_LATE = runningRuntime().name === 'deno';

/** One end of `process.send`. Nothing can be transferred between processes. */
class IpcEndpoint implements Endpoint {
  readonly transfers = false;
  onMessage: (data: unknown) => void = noop;
  onMessageError: (reason: string) => void = noop;
  /** Nothing arrives any more after it: a part of the message was written (seen on Deno 2.6 to 2.9.6). */
  onRefused: (reason: string) => void = noop;
  readonly #end: NodeJS.Process | ChildProcess;

  constructor(end: NodeJS.Process | ChildProcess) {
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

  postWith(message: unknown): void {
    this.post(message);
  }

  close(): void {
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
