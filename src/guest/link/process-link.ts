import type { Buffer } from 'node:buffer';
import { writeSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { attempt } from '../../model/or-else.ts';
import { HIDDEN, LINK_ENV, type NumberedRequest } from '../../model/wire/wire.ts';
import { type Connected, type GuestLink, writeMessage } from './message-text.ts';

// Taken before user code can replace them.
const { parse } = JSON;
const exit = process.exit.bind(process);
const kill = process.kill.bind(process);
const print = writeSync;
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const { hasOwn } = Object;

function endGroup(): void {
  // If the host still reads it, user code has closed the connection; or the host has ended.
  attempt(() => print(2, 'The connection to clone-prof was closed.\n'));
  // This process may not be the leader of a group.
  if (process.platform !== 'win32') attempt(() => kill(-process.pid, 'SIGKILL'));
  exit(0);
}

/**
 * Connects to the host: NDJSON both ways over a loopback socket, so that output of user code cannot be mistaken for an
 * answer. User code that looks for the socket (`process._getActiveHandles()`, the file descriptor) can write to it. It
 * can replace the clock too: it spoils its own results, and the checks of the host (`runtimes/guests/connected-guest.ts`) keep
 * it from spoiling more. Ends the process when the link closes.
 */
export function connectToHost(beforeRequest: () => void): Connected {
  const [port = '', token = '', hidden] = (process.env[LINK_ENV] ?? '').split(':');
  delete process.env[LINK_ENV];
  if (hidden === HIDDEN) hideTool();
  const socket = connect({ host: '127.0.0.1', port: Number(port) });
  socket.setEncoding('utf8');
  socket.setNoDelay(true);
  keepMethods(socket);
  const link: GuestLink = {
    send: (message) => socket.write(`${writeMessage(message)}\n`),
    onMessage: () => undefined,
  };
  let held = '';
  socket.on('data', (piece: Buffer | string) => {
    beforeRequest();
    // Searches only the new piece, so that a line of many megabytes in small pieces takes linear time.
    const lines = (piece as string).split('\n');
    lines[0] = held + lines[0];
    held = lines.pop() ?? '';
    for (const line of lines) if (line !== '') link.onMessage(parse(line) as NumberedRequest);
  });
  // Listeners, not promises: user code may have replaced `then`.
  socket.on('error', endGroup);
  socket.on('close', endGroup);
  return { link, token };
}

function hideTool(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('CLONE_PROF_')) delete process.env[name];
  process.argv.length = 1;
}

/** Gives the socket its methods as own properties: user code can reach its classes and replace their methods. */
function keepMethods(socket: Socket): void {
  for (let at: object | null = getPrototypeOf(socket); at !== null; at = getPrototypeOf(at)) {
    for (const key of ownKeys(at)) {
      const found = getOwnPropertyDescriptor(at, key);
      if (typeof found?.value === 'function' && key !== 'constructor' && !hasOwn(socket, key))
        defineProperty(socket, key, found);
    }
  }
}

/** Ends this process. Exit handlers of user code run. */
export const exitGuest = (): never => exit(0);

/** The files are the last two words: requests and answers, each a line of JSON. */
export async function answerFile(answer: (request: unknown) => Promise<unknown>): Promise<void> {
  const [requests, answers] = process.argv.slice(-2) as [string, string];
  const told: string[] = [];
  for (const line of (await readFile(requests, 'utf8')).split('\n'))
    if (line !== '') told.push(JSON.stringify(await answer(JSON.parse(line))));
  await writeFile(answers, told.join('\n'), { mode: 0o600 });
}
