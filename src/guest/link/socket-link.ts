import type { Buffer } from 'node:buffer';
import { writeSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { type SigningKey, signatureOf } from '../../core/signature.ts';
import type { Link } from '../../model/wire/link.ts';
import { type FromGuest, type FromHost, LINK_ENV, type NumberedRequest } from '../../model/wire/wire.ts';
import { lineCutter } from './lines.ts';
import { textOf } from './message-text.ts';

// Taken before user code can replace them.
const { parse } = JSON;
const exit = process.exit.bind(process);
const kill = process.kill.bind(process);
const print = writeSync;
const encode = TextEncoder.prototype.encode.bind(new TextEncoder());
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const { hasOwn } = Object;

/** Where the host still reads it, user code has closed the connection. */
function tellClosed(): void {
  try {
    print(2, 'The connection to clone-prof was closed.\n');
  } catch {
    // The host has ended.
  }
}

/** Ends this process and all that user code started in its process group. */
function endGroup(): void {
  tellClosed();
  try {
    if (process.platform !== 'win32') kill(-process.pid, 'SIGKILL');
  } catch {
    // This process is not the leader of a group.
  }
  exit(0);
}

/**
 * Connects to the host: NDJSON both ways over a loopback socket, so that output of user code cannot be mistaken for an
 * answer. User code can find the socket (`process._getActiveHandles()`, the file descriptor, a replaced method of its
 * class): it can read what the host asks, and write, but not sign. The key comes over the connection, before user code
 * loads, and is in no variable of the environment, which /proc/self/environ would show. Unless user code reads the memory
 * of the process (a debugger, a heap snapshot), a line of its own ends the guest. It can always spoil its own results;
 * the checks of the host (`runtimes/guests/answers.ts`) keep it from spoiling more. Ends the process when the link closes.
 *
 * @param beforeRequest called before each request is read
 * @returns `token`: the host's secret, to be sent with the hello
 */
export function connectToHost(beforeRequest: () => void): {
  link: Link<FromGuest, NumberedRequest>;
  token: string;
} {
  const [port = '', token = ''] = (process.env[LINK_ENV] ?? '').split(':');
  delete process.env[LINK_ENV];
  const socket = connect({ host: '127.0.0.1', port: Number(port) });
  socket.setEncoding('utf8');
  socket.setNoDelay(true);
  keepMethods(socket);
  const { link, receive } = signedLink(socket);
  const cut = lineCutter((line) => receive(parse(line) as FromHost));
  socket.on('data', (piece: Buffer | string) => {
    beforeRequest();
    cut(piece as string);
  });
  // Listeners, not promises: user code may have replaced `then`.
  socket.on('error', endGroup);
  socket.on('close', endGroup);
  return { link, token };
}

/** Gives the socket its methods as own properties: those of its classes are in reach of user code, which may replace them. */
function keepMethods(socket: Socket): void {
  for (let at: object | null = getPrototypeOf(socket); at !== null; at = getPrototypeOf(at)) {
    for (const key of ownKeys(at)) {
      const found = getOwnPropertyDescriptor(at, key);
      if (typeof found?.value === 'function' && key !== 'constructor' && !hasOwn(socket, key))
        defineProperty(socket, key, found);
    }
  }
}

/** The hello is not signed: there is no key yet. */
function signedLink(socket: Socket) {
  let key: SigningKey | null = null;
  let sent = 0;
  const link: Link<FromGuest, NumberedRequest> = {
    send: (message) => {
      const text = textOf(message);
      const signature = key === null ? '' : signatureOf(key, sent++, encode(text));
      socket.write(`${signature}${text}\n`);
    },
    onMessage: () => undefined,
    closed: new Promise((resolve) => socket.once('close', () => resolve(null))),
    close: () => socket.destroy(),
  };
  const receive = (message: FromHost) => {
    if (!('key' in message)) link.onMessage(message);
    else if (key === null) key = message.key;
  };
  return { link, receive };
}

/** Ends this process. Exit handlers of user code run. */
export function exitGuest(): never {
  return exit(0);
}
