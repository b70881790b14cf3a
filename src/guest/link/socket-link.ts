import { connect } from 'node:net';
import { lineCutter } from '../../core/lines.ts';
import { type FromGuest, LINK_ENV, type NumberedRequest } from '../../model/wire.ts';

// Taken before user code can replace them.
const { parse, stringify } = JSON;
const exit = process.exit.bind(process);
const kill = process.kill.bind(process);
const { defineProperty, deleteProperty, getOwnPropertyDescriptor } = Reflect;

const STRINGIFIED = [
  Object.prototype,
  Array.prototype,
  String.prototype,
  Number.prototype,
  Boolean.prototype,
];

/** JSON text of a message, also where user code gave `Array.prototype` and the like a `toJSON`. */
function textOf(message: FromGuest): string {
  const found = STRINGIFIED.map((proto) => getOwnPropertyDescriptor(proto, 'toJSON'));
  for (const [i, patch] of found.entries()) if (patch) deleteProperty(STRINGIFIED[i]!, 'toJSON');
  try {
    return stringify(message);
  } finally {
    for (const [i, patch] of found.entries()) if (patch) defineProperty(STRINGIFIED[i]!, 'toJSON', patch);
  }
}

/** Ends this process and all that user code started in its group: the host is gone and nobody waits any more. */
function endGroup(): void {
  try {
    if (process.platform !== 'win32') kill(-process.pid, 'SIGKILL');
  } catch {
    // Not the leader of a group: there is only this process to end.
  }
  exit(0);
}

export interface Link {
  /** The host's secret for this guest, to be said in the hello. */
  token: string;
  send(message: FromGuest): void;
}

/**
 * The guest's side of the line to the host: NDJSON both ways over a loopback connection, so that nothing that user
 * code prints can be taken for an answer. Ends the process when the host is gone.
 */
export function openLink(onRequest: (request: NumberedRequest) => void): Link {
  const [port = '', token = ''] = (process.env[LINK_ENV] ?? '').split(':');
  delete process.env[LINK_ENV];
  const socket = connect({ host: '127.0.0.1', port: Number(port) });
  socket.setEncoding('utf8');
  socket.setNoDelay(true);
  socket.on(
    'data',
    lineCutter((line) => onRequest(parse(line) as NumberedRequest)) as (piece: Buffer | string) => void,
  );
  socket.on('error', endGroup);
  socket.on('close', endGroup);
  return {
    token,
    send: (message) => {
      socket.write(`${textOf(message)}\n`);
    },
  };
}

/** Ends this process the polite way, so that user code's exit handlers run. */
export function leave(): never {
  return exit(0);
}
