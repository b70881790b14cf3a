import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../../user-code/thrown.ts';
import { type Endpoint, noop, type Peer } from '../common/endpoint.ts';
import { entryUrl } from '../common/entry-url.ts';
import type { PeerEntry } from '../common/platform.ts';

/** First argument of a child process that is a peer over IPC. */
const IPC_ARGUMENT = 'ipc';

/** One end of `process.send` with advanced serialization. Nothing can be transferred between processes. */
class IpcEndpoint implements Endpoint {
  readonly transfers = false;
  onMessage: (data: unknown) => void = noop;
  onMessageError: (reason: string) => void = noop;
  readonly #end: NodeJS.Process | ChildProcess;

  constructor(end: NodeJS.Process | ChildProcess) {
    this.#end = end;
    const emitter: NodeJS.EventEmitter = end;
    emitter.on('message', (data: unknown) => this.onMessage(data));
  }

  post(message: unknown): void {
    this.#end.send?.(message as object);
  }

  postWith(message: unknown): void {
    this.post(message);
  }

  close(): void {
    if (this.#end.connected) this.#end.disconnect?.();
  }
}

export function spawnChild(entry: PeerEntry): Peer {
  const child = fork(fileURLToPath(entryUrl(entry)), [IPC_ARGUMENT], {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const peer: Peer = {
    endpoint: new IpcEndpoint(child),
    onExit: noop,
    end: async () => {
      peer.onExit = noop;
      child.kill('SIGKILL');
      await exited;
    },
  };
  child.on('error', (error) => peer.onExit(messageOf(error)));
  child.on('exit', (code, signal) => peer.onExit(`the child process ended (${signal ?? `code ${code}`})`));
  return peer;
}

/** Inside a child process, which ends with its parent; null in a worker thread. */
export function ipcParentEndpoint(): Endpoint | null {
  if (process.argv[2] !== IPC_ARGUMENT) return null;
  process.on('disconnect', () => process.exit(0));
  return new IpcEndpoint(process);
}
