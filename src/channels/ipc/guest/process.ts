import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runningRuntime } from '../../../engines/probe/process.ts';
import {
  copyingEndpoint,
  type Endpoint,
  noop,
  type Peer,
  type PeerEntry,
  peerAt,
} from '../../../guest/platform/common/platform.ts';
import { entryUrl } from '../../../guest/platform/common/web-worker.ts';
import { thrownMessage } from '../../../guest/user-code/user-code.ts';
import type { Serialization } from '../../../model/names.ts';

const IPC_ARGUMENT = 'ipc';

/** Deno reports a refusal to the callback of `send`, and its process ends if there is none. Other runtimes throw. */
const TELLS_LATE = runningRuntime().name === 'deno';

/** @param onRefused nothing arrives any more after it: a part of the message was written (seen on Deno 2.6 to 2.9.6) */
function ipcEndpoint(end: NodeJS.Process | ChildProcess, onRefused: (reason: string) => void = noop) {
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
    // A broken pipe alone says that it ends: its exit says how.
    child.on('error', (error) => /\bEPIPE\b/.test(error.message) || peer.exited(thrownMessage(error)));
    child.on('exit', (code, signal) => peer.exited(`the child process ended (${signal ?? `code ${code}`})`));
    return peer;
  };

/** Inside a child process, which ends with its parent; null in a worker thread. */
export function ipcParentEndpoint(): Endpoint | null {
  if (process.argv[2] !== IPC_ARGUMENT) return null;
  process.on('disconnect', () => process.exit(0));
  return ipcEndpoint(process);
}
