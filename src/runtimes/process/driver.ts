import { cpSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { movedEnv, packageFile, projectRoot } from '../../machine/folders.ts';
import { ownedFolder, ownedPath, WORK } from '../../machine/temp-folders.ts';
import type { ProcessRuntime } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import { FILES_ENV, type FoundRuntime, PROJECT_ENV, type StartOptions } from '../../model/run/runtime.ts';
import { HIDDEN, LINK_ENV, type NumberedRequest } from '../../model/wire/wire.ts';
import { helloIn, messageIn } from '../guests/connected-guest.ts';
import { type Beginning, GuestLink, HELLO_BYTES, type Listening, listenOn } from '../guests/start-guest.ts';
import { type Environment, RUNTIME_KINDS } from './kinds.ts';
import { ProcessGroup, WITHOUT_IPC } from './supervisor.ts';

const HELLO_MS = 10_000;

/** A line for each message. It listens until its guest has come; a connection must begin with its token. */
class SocketLink extends GuestLink {
  #socket: Socket | null = null;
  #listening: Listening | null = null;

  /** Returns the address for the guest. @throws ToolError as `listenOn` */
  async listen(): Promise<string> {
    this.#listening = await listenOn(createServer((socket) => this.#accept(socket)));
    return `${this.#listening.port}:${this.token}`;
  }

  stopListening(): void {
    this.#listening?.close();
  }

  send(message: NumberedRequest): void {
    this.#socket?.write(`${JSON.stringify(message)}\n`);
  }

  close(): void {
    this.#socket?.destroy();
  }

  #accept(socket: Socket): void {
    socket.unref().setNoDelay(true);
    const cut = lineCutter(
      NEWLINE,
      () => (this.#socket === socket ? this.mostBytes : HELLO_BYTES),
      (line) => (this.#socket === socket ? this.receive(line) : this.#begin(socket, line)),
      (mostBytes) => {
        if (this.#socket !== socket) socket.destroy();
        else this.refuse(`a line of more than ${mostBytes.toLocaleString('en-US')} bytes`);
      },
    );
    socket.setTimeout(HELLO_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('data', (piece) => {
      if (!socket.destroyed) cut(piece as Buffer);
    });
  }

  #begin(socket: Socket, line: Uint8Array): void {
    const hello = orElse(() => helloIn(messageIn(line)), null);
    if (this.#socket !== null || hello?.token !== this.token) return void socket.destroy();
    this.stopListening();
    this.#socket = socket.setTimeout(0);
    socket.once('close', () => this.ended());
    this.receive(line);
  }
}

const NEWLINE = 10;

/**
 * @param ending last byte of each line @param mostBytes maximum length of a line now
 * @param onTooLong called as soon as a line is longer, and for each further piece
 */
export function lineCutter(
  ending: number,
  mostBytes: () => number,
  onLine: (line: Buffer) => void,
  onTooLong: (mostBytes: number) => void,
): (piece: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  return (piece) => {
    for (let from = 0, end = 0; end !== -1; from = end + 1) {
      end = piece.indexOf(ending, from);
      const part = piece.subarray(from, end === -1 ? piece.length : end);
      const most = mostBytes();
      length += part.length;
      if (length > most) return onTooLong(most);
      parts.push(part);
      if (end === -1) return;
      const line = Buffer.concat(parts);
      [parts, length] = [[], 0];
      onLine(line);
    }
  };
}

/** An inspector would make the guest wait, or take the port of the user's session. */
const INSPECTOR = /(^|\s)--(?:inspect|debug)(?:-[a-z-]+)?(?:=\S+| \d+)?(?=\s|$)/g;

/** The user's environment without the variables that break a guest. @param link address of the host */
export function guestEnv(user: Environment, kind: Environment, link: string): Record<string, string> {
  const env: Record<string, string | undefined> = {
    ...{ ...user, ...WITHOUT_IPC, NODE_UNIQUE_ID: undefined, NO_COLOR: '1', FORCE_COLOR: undefined, ...kind },
  };
  for (const name of ['NODE_OPTIONS', 'BUN_OPTIONS']) {
    if (env[name] !== undefined) env[name] = env[name].replace(INSPECTOR, '$1').trim() || undefined;
  }
  env[LINK_ENV] = link;
  return Object.fromEntries(Object.entries(env).filter((e): e is [string, string] => e[1] !== undefined));
}

/** Variables that CI services set (github.com/watson/ci-info). */
const OF_CI =
  /^(CI|CONTINUOUS_INTEGRATION|BUILD_(ID|NUMBER)|RUN_ID|NETLIFY|VERCEL|TF_BUILD|(CI|GITHUB|GITLAB|RUNNER|AGENT|TRAVIS|CIRCLE|CIRCLECI|CIRRUS|JENKINS|BUILDKITE|APPVEYOR|TEAMCITY|BITBUCKET|CODEBUILD|DRONE|SEMAPHORE)(_.*)?)$/;

/** The environment on a machine of a developer, for CI; the other way round elsewhere. */
function otherMachine(env: Environment): Environment {
  const own = Object.entries(env).filter(([name]) => !OF_CI.test(name));
  const isCi = own.length < Object.keys(env).length;
  return isCi ? Object.fromEntries(own) : { ...env, CI: 'true', GITHUB_ACTIONS: 'true' };
}

let copiedGuest: string | null = null;

/**
 * Bun takes a question mark in a path for the start of a query and finds no such file, through a link neither: it gets
 * a copy in another folder, which is removed when this process ends, or by a later run.
 */
function guestFile(runtime: ProcessRuntime): string {
  const file = packageFile('dist/guest/main.mjs');
  if (runtime !== 'bun' || !file.includes('?')) return file;
  if (copiedGuest === null) {
    const [from, into] = [dirname(file), ownedFolder('clone-prof-guest-')];
    process.once('exit', () => rmSync(into, { recursive: true, force: true }));
    cpSync(from, into, { recursive: true, filter: (path) => path !== join(from, 'page') });
    copiedGuest = into;
  }
  return join(copiedGuest, basename(file));
}

export async function beginProcess(
  { name, binary }: FoundRuntime,
  { cwd, forModules = false, elsewhere = false, moved }: StartOptions,
): Promise<Beginning> {
  const kind = RUNTIME_KINDS[name as ProcessRuntime];
  const guest = guestFile(name as ProcessRuntime);
  const link = new SocketLink();
  const files = ownedPath(WORK) + link.token.slice(0, 6);
  const args = [...kind.guestArgs((forModules && kind.configFile?.(cwd)) || null, files), guest];
  const given = moved ? movedEnv(process.env, moved) : process.env;
  const user = elsewhere ? otherMachine(given) : given;
  const own = { ...kind.guestEnv, [PROJECT_ENV]: undefined };
  try {
    const address = (await link.listen()) + (elsewhere ? `:${HIDDEN}` : '');
    const env = guestEnv(user, own, address);
    const body = new ProcessGroup(binary, args, {
      cwd: kind.readsWorkingFolder && !forModules ? dirname(guest) : cwd,
      env: { ...env, [FILES_ENV]: files, ...(forModules && { PWD: cwd, [PROJECT_ENV]: projectRoot(cwd) }) },
      ...{ endsStrays: forModules, folder: files },
    });
    void body.exited.then(() => link.stopListening());
    return { body, link, terms: { asksToExit: forModules }, sameVersion: true };
  } catch (error) {
    link.stopListening();
    throw error;
  }
}
