import type { Buffer } from 'node:buffer';
import { connect } from 'node:net';
import { lineCutter } from '../../core/lines.ts';
import { map } from '../../core/value/lists.ts';
import type { Link } from '../../model/link.ts';
import { type FromGuest, LINK_ENV, type NumberedRequest } from '../../model/wire.ts';

// Taken before user code can replace them.
const { parse, stringify } = JSON;
const exit = process.exit.bind(process);
const kill = process.kill.bind(process);
const { defineProperty, deleteProperty, getOwnPropertyDescriptor } = Reflect;

const PROTOTYPES = [Object.prototype, Array.prototype, String.prototype, Number.prototype, Boolean.prototype];

/** JSON text of a message, also when user code has added a `toJSON` to `Array.prototype` or another prototype. */
function textOf(message: FromGuest): string {
  const patches = map(PROTOTYPES, (proto) => getOwnPropertyDescriptor(proto, 'toJSON'));
  for (const [i, patch] of patches.entries()) if (patch) deleteProperty(PROTOTYPES[i]!, 'toJSON');
  try {
    return stringify(message);
  } finally {
    for (const [i, patch] of patches.entries()) if (patch) defineProperty(PROTOTYPES[i]!, 'toJSON', patch);
  }
}

/** Ends this process and all that user code started in its process group. */
function endGroup(): void {
  try {
    if (process.platform !== 'win32') kill(-process.pid, 'SIGKILL');
  } catch {
    // This process is not the leader of a group.
  }
  exit(0);
}

/**
 * Connects to the host: NDJSON both ways over a loopback socket, so that output of user code cannot be mistaken for an
 * answer. Ends the process when the link closes. `token` is the host's secret, to be sent with the hello.
 */
export function connectToHost(): { link: Link<FromGuest, NumberedRequest>; token: string } {
  const [port = '', token = ''] = (process.env[LINK_ENV] ?? '').split(':');
  delete process.env[LINK_ENV];
  const socket = connect({ host: '127.0.0.1', port: Number(port) });
  socket.setEncoding('utf8');
  socket.setNoDelay(true);
  const link: Link<FromGuest, NumberedRequest> = {
    send: (message) => {
      socket.write(`${textOf(message)}\n`);
    },
    onMessage: () => undefined,
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
    close: () => socket.destroy(),
  };
  const cut = lineCutter((line) => link.onMessage(parse(line) as NumberedRequest));
  socket.on('data', cut as (piece: Buffer | string) => void);
  // Listeners, not promises: user code may have replaced `then`.
  socket.on('error', endGroup);
  socket.on('close', endGroup);
  return { link, token };
}

/** Ends this process. Exit handlers of user code run. */
export function exitGuest(): never {
  return exit(0);
}
