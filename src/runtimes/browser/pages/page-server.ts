import { createReadStream, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { packageFile } from '../../../machine/package-file.ts';
import { ToolError } from '../../../model/errors.ts';
import { MODULE_KIND, type PageModule } from '../../../model/page-module.ts';
import { LoopbackServer } from '../../loopback-server.ts';
import { MEMORY_QUESTIONS, type MemoryQuestion, type PageMemory } from '../processes.ts';
import type { PageSession } from './page-session.ts';

const head = (scriptTag: string, style = '') => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>clone-prof</title>
${style}${scriptTag}`;

const STYLE = `<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.25rem }
#status { min-height: 3em; overflow-wrap: anywhere }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { text-align: left; padding: .3rem 1rem .3rem 0; border-bottom: 1px solid #8884; vertical-align: top }
th, td { overflow-wrap: break-word }
td:not(:first-child, :last-child), th { white-space: nowrap }
td { max-width: 24rem }
@media (max-width: 40rem) {
  tr { display: block; padding: .5rem 0; border-bottom: 1px solid #8884 }
  tr:first-child, td:empty { display: none }
  td { display: grid; grid-template-columns: 6.5rem 1fr; padding: 0; border: 0 }
  td::before { content: attr(data-head); opacity: .7 }
}
</style>
`;

const scriptTag = (path: string) => `<script type="module" src="${path}"></script>\n`;
const SCRIPT = scriptTag('guest/main.mjs');

/** Page of a browser without a viewer. */
const GUEST_PAGE = head(SCRIPT);

/** Page of a frame in one. */
const FRAME_PAGE = head(scriptTag('guest/peer.mjs'));

/** Page of a browser that a user opened the link with. */
const VISITOR_PAGE = `${head(SCRIPT, STYLE)}<main>
<h1>clone-prof</h1>
<p id="status" role="status">Connecting.</p>
<div id="results"></div>
</main>
`;

/** Page for a visitor who opens the link when all expected browsers are there. */
const IN_USE_PAGE = `${head('', STYLE)}<main>
<h1>clone-prof</h1>
<p>This link is already in use. Every browser that it was made for has joined.</p>
</main>
`;

/** The bundles of a page and its workers. */
const GUEST_FOLDER = 'dist/guest/page';

/**
 * Isolated, so that the clock is fine and memory can be shared; nothing is kept, and no other site can read or embed it.
 * `unsafe-eval`: natives of V8 are compiled by the guest's own code.
 */
const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy':
    "default-src 'none'; script-src 'self' 'unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src 'self'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** For clients that send slowly on purpose. An answer of a page may be long; its event stream and its files are not requests. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16_384,
};
/** Connections that no request with a token has come by. */
const MAX_STRANGERS = 64;

/** Target of a link. */
export interface Invited {
  readonly host: string;
  readonly token: string;
  /** Address of a separate page for the visitor who opened the link; null when no more browsers are expected. */
  enter(): Promise<string | null>;
}

/**
 * Serves the pages of guests on loopback addresses and random ports: each in the folder of its secret token, on the host of
 * its session. Everything else is 404.
 */
export class PageServer {
  readonly #sessions = new Map<string, PageSession>();
  readonly #invited = new Map<string, { invitation: Invited; port: number }>();
  /** Servers by host. */
  #listeners = new Map<string, LoopbackServer>();
  /** Connections without a session, the oldest first. */
  readonly #strangers = new Set<Socket>();

  /** The address of the page of a session, which is served from now on. */
  async open(session: PageSession): Promise<string> {
    const { host, token } = session;
    this.#sessions.set(token, session);
    session.port = await this.#portOf(host);
    return `http://${host}:${session.port}/${token}/`;
  }

  /** The address of a link, which is served as long as this process lives. */
  async invite(invitation: Invited): Promise<string> {
    const { host, token } = invitation;
    const port = await this.#portOf(host);
    this.#invited.set(token, { invitation, port });
    return `http://${host}:${port}/${token}/`;
  }

  #portOf(host: string): Promise<number> {
    const listener = this.#listeners.get(host) ?? new LoopbackServer(() => this.#made(), host);
    this.#listeners.set(host, listener);
    return listener.port();
  }

  #made() {
    const server = createServer(LIMITS, (request, response) => void this.#answer(request, response));
    return server.on('connection', (socket) => this.#admit(socket.unref().setNoDelay(true)));
  }

  /** Anyone who reaches the port could hold all connections: the oldest stranger makes room for a newcomer. */
  #admit(socket: Socket): void {
    this.#strangers.add(socket);
    socket.once('close', () => this.#strangers.delete(socket));
    const [oldest] = this.#strangers;
    if (this.#strangers.size > MAX_STRANGERS) oldest?.destroy();
  }

  /** The session of this token. */
  find(token: string): PageSession | undefined {
    return this.#sessions.get(token);
  }

  get isIdle(): boolean {
    return this.#sessions.size + this.#invited.size === 0;
  }

  /** Closes a finished session; without sessions the servers end. */
  close(session: PageSession): void {
    session.close();
    this.#sessions.delete(session.token);
    if (!this.isIdle) return;
    const closing = [...this.#listeners.values()];
    this.#listeners = new Map();
    for (const listener of closing) listener.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    try {
      const [, token = '', path = ''] = /^\/([0-9a-f]+)\/([^?]*)(?:\?.*)?$/.exec(request.url ?? '') ?? [];
      const session = this.find(token);
      const invited = this.#invited.get(token);
      const isEntering = invited && path === '' && request.method === 'GET';
      if (isEntering && isFor(invited.invitation.host, invited.port, request))
        return await this.#enter(invited.invitation, response);
      if (!session || !isFor(session.host, session.port, request, session.origin)) return notFound(response);
      if (session.origin !== null) admit(session.origin, response);
      this.#strangers.delete(request.socket);
      session.requests++;
      await this.#route(session, path, request, response);
    } catch {
      if (!response.headersSent) response.statusCode = 400;
      response.end();
    }
  }

  async #route(
    session: PageSession,
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (request.method === 'POST') return answerPost(session, path, request, response);
    if (request.method !== 'GET' && request.method !== 'HEAD') return notFound(response);
    const [, folder, name = ''] = /^(guest|files|modules)\/([\w-]+)(?:\.mjs)?$/.exec(path) ?? [];
    if (path === '') return sent(response, 'text/html', session.isLookedAt ? VISITOR_PAGE : GUEST_PAGE);
    if (path === 'frame') return sent(response, 'text/html', FRAME_PAGE);
    if (path === 'events') return answerListen(session, response);
    if (path === 'next') {
      const location = await session.next();
      if (location === null) response.writeHead(204).end();
      else response.writeHead(303, { location }).end();
      return session.leave();
    }
    if (folder === 'guest') return script(response, packageFile(`${GUEST_FOLDER}/${name}.mjs`));
    if (folder === 'files') return file(session.files.fileOf(name), request, response);
    return folder === 'modules' ? userModule(session.module(name), response) : notFound(response);
  }

  async #enter(invitation: Invited, response: ServerResponse): Promise<void> {
    this.#strangers.delete(response.req.socket);
    const location = await invitation.enter();
    if (location !== null) response.writeHead(303, { location }).end();
    else {
      response.statusCode = 410;
      sent(response, 'text/html', IN_USE_PAGE);
    }
  }
}

/**
 * Asked for by the name that we gave it, and not by another site: a browser names the site that asks (Fetch, "origin").
 */
function isFor(
  host: string,
  port: number,
  { headers }: IncomingMessage,
  origin: string | null = null,
): boolean {
  const here = `${host}:${port}`;
  const isAsked = [undefined, `http://${here}`, origin].includes(headers.origin);
  return headers.host === here && isAsked;
}

/** A page of this origin may read the answer. */
function admit(origin: string, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', MODULE_KIND);
  response.setHeader('cross-origin-resource-policy', 'cross-origin');
}

// Responses of the server, and the reading of posted data.

/** Answers without a body. The posted data is not read: the connection ends. */
export function notFound(response: ServerResponse): void {
  response.statusCode = 404;
  response.setHeader('connection', 'close');
  response.end();
}

export function sent(response: ServerResponse, type: string, body: string): void {
  response.setHeader('content-type', `${type}; charset=utf-8`);
  response.end(body);
}

export function script(response: ServerResponse, path: string): void {
  response.setHeader('content-type', 'text/javascript; charset=utf-8');
  if (existsSync(path)) createReadStream(path).pipe(response);
  else notFound(response);
}

export function answerListen(session: PageSession, response: ServerResponse): void {
  response.setHeader('content-type', 'text/event-stream');
  response.flushHeaders();
  if (!session.listen(response)) response.end();
}

/** Answers with `{bytes}`, or with `{reason}` if they are unknown. */
function answerMemory(page: PageMemory | null, question: MemoryQuestion, response: ServerResponse): void {
  let answer: { bytes: number } | { reason: string };
  try {
    if (page === null) throw new Error('the browser was not started by clone-prof');
    answer = { bytes: page(question) };
  } catch (error) {
    answer = { reason: error instanceof Error ? error.message : String(error) };
  }
  sent(response, 'application/json', JSON.stringify(answer));
}

function refused(session: PageSession, response: ServerResponse, reason: string): void {
  session.refuse(reason);
  notFound(response);
}

/** All of it, or more than may come: then the link ends. */
async function receive(
  session: PageSession,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // Pages post one after the other: no page can fill the memory with several.
  if (session.isReceiving) return refused(session, response, 'two answers at once');
  session.isReceiving = true;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of request as AsyncIterable<Uint8Array>) {
      bytes += part.byteLength;
      if (bytes > session.mostBytes) {
        const most = session.mostBytes.toLocaleString('en-US');
        return refused(session, response, `an answer of more than ${most} bytes`);
      }
      parts.push(part);
    }
    session.receive(await session.located(Buffer.concat(parts)));
  } finally {
    // A browser posts again over another connection when one was lost.
    session.isReceiving = false;
  }
  response.writeHead(204).end();
}

/**
 * The current content of a file that a request named. `range: bytes=a-b` for one line of a large one. There is no
 * length, because the file may grow or shrink while it is read.
 */
export async function file(
  path: string | null,
  { headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  const range = from === undefined ? {} : { start: Number(from), end: Number(to) };
  if (path === null) return notFound(response);
  try {
    const opened = await open(path);
    response.setHeader('content-type', 'application/octet-stream');
    await pipeline(opened.createReadStream(range), response);
  } catch (error) {
    // Its reading failed, or the page left.
    if (response.destroyed || response.headersSent) return void response.destroy();
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') notFound(response);
    else failed(response, new ToolError('file-unreadable', { file: path, detail: message }));
  }
}

/** The page knows the name of what it asked for. */
function failed(response: ServerResponse, { code, facts }: ToolError): void {
  response.statusCode = 422;
  sent(response, 'application/json', JSON.stringify({ code, facts }));
}

export async function userModule(
  bundled: Promise<PageModule | null>,
  response: ServerResponse,
): Promise<void> {
  try {
    const module = await bundled;
    if (module === null) return notFound(response);
    response.setHeader(MODULE_KIND, module.kind);
    sent(response, 'text/javascript', module.code);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    failed(response, error);
  }
}

/** Handles data that a guest posts. */
export async function answerPost(
  session: PageSession,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (path === 'answers') return receive(session, request, response);
  const question = MEMORY_QUESTIONS.find((one) => path === `memory/${one}`);
  if (question) return answerMemory(session.memory, question, response);
  if (path !== 'compile' || session.compile === null) return notFound(response);
  await session.compile();
  response.writeHead(204).end();
}
