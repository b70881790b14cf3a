import { open, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { packageFile } from '../../../machine/folders.ts';
import { ToolError } from '../../../model/errors.ts';
import { MODULE_KIND, type PageModule } from '../../../model/run/runtime.ts';
import { type Listening, listenOn } from '../../guests/start-guest.ts';
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
</style>
`;

const scriptTag = (path: string) => `<script type="module" src="${path}"></script>\n`;

/** @param root address of the session, if the page is in a different folder */
export const guestPage = (root = ''): string => head(scriptTag(`${root}guest/main.mjs`));

const FRAME_PAGE = head(scriptTag('guest/peer.mjs'));

const VISITOR_PAGE = `${head(scriptTag('guest/main.mjs'), STYLE)}<main>
<h1>clone-prof</h1>
<p id="status" role="status">Leave this page open and in front until it says that it is done.</p>
</main>
`;

const LINK_IN_USE = 'This link is already in use. Every browser that it was made for has joined.';

const guestBundle = (target: 'page' | 'workerd', name: string): string =>
  packageFile(`dist/guest/${target}/${name}.mjs`);

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

export interface Invited extends Pick<PageSession, 'host' | 'token' | 'port' | 'origin'> {
  /** Address of a separate page for the visitor who opened the link; null when no more browsers are expected. */
  enter(): Promise<string | null>;
}

/** "/<token>/modules/1.mjs?fresh=2" */
const ADDRESS = /^\/([0-9a-f]+)\/([^?]*)(?:\?.*)?$/;

/** Each session is a folder of a secret name, on a random port of its host. Everything else is 404. */
class PageServer {
  /** Sessions and links by token. A link is served as long as this process lives. */
  readonly #served = new Map<string, PageSession | Invited>();
  #listening = new Map<string, Promise<Listening>>();
  /** Connections without a session, the oldest first. */
  readonly #strangers = new Set<Socket>();

  /** Returns its address. @throws ToolError of `listenOn` */
  async open(served: PageSession | Invited): Promise<string> {
    const { host, token } = served;
    this.#served.set(token, served);
    const listening = this.#listening.get(host) ?? listenOn(this.#made(), host);
    this.#listening.set(host, listening);
    // After a failure the next page tries again.
    listening.catch(() => this.#listening.delete(host));
    served.port = (await listening).port;
    return `http://${host}:${served.port}/${token}/`;
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

  /** The servers end with the last session. */
  close(session: PageSession): void {
    session.close();
    this.#served.delete(session.token);
    if (this.#served.size > 0) return;
    for (const listening of this.#listening.values())
      listening.then(
        (one) => one.close(),
        () => undefined,
      );
    this.#listening = new Map();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    try {
      const url = request.url ?? '';
      const asked = url.startsWith('/?') ? new URLSearchParams(url.slice(2)).get('specifier') : null;
      const [, token = '', path = ''] = ADDRESS.exec(asked ?? url) ?? [];
      const served = this.#served.get(token);
      const isAsked =
        served && (asked === null ? isFor(served, request) : 'isOfWorkerd' in served && served.isOfWorkerd);
      if (!isAsked) return notFound(response);
      this.#strangers.delete(request.socket);
      // Previews of links ask with HEAD: they would take the place of a page.
      const isOpened = path === '' && request.method === 'GET';
      if ('enter' in served) await (isOpened ? enter(served, response) : notFound(response));
      else await answerFor(path, { session: served, specifier: asked, request, response });
    } catch (error) {
      if (error instanceof ToolError) return failed(response, error);
      if (!response.headersSent) response.statusCode = 400;
      response.end();
    }
  }
}

/** Asked for by the name that we gave it, and not by another site: a browser names the site that asks (Fetch, "origin"). */
function isFor({ host, port, origin }: PageSession | Invited, { headers }: IncomingMessage): boolean {
  const here = `${host}:${port}`;
  return headers.host === here && [undefined, `http://${here}`, origin].includes(headers.origin);
}

export const server = new PageServer();

/** Answers without a body. The posted data is not read: the connection ends. */
function notFound(response: ServerResponse): void {
  response.statusCode = 404;
  response.setHeader('connection', 'close');
  response.end();
}

function sent(response: ServerResponse, type: string, body: string): void {
  response.setHeader('content-type', `${type}; charset=utf-8`);
  response.end(body);
}

/** A request to the folder of a session. `name`: last part of the address, without its ending. */
interface Asked {
  session: PageSession;
  name: string;
  /** Name of a module that workerd imports, with its query: a name with a different query is a different module. */
  specifier: string | null;
  request: IncomingMessage;
  response: ServerResponse;
}

/** Answers by method and folder. IMPORT: workerd imports a module, of the guest or the user. */
const ROUTES: Readonly<Record<string, (asked: Asked) => unknown>> = {
  'GET ': ({ session, response }) =>
    sent(response, 'text/html', session.isLookedAt ? VISITOR_PAGE : guestPage()),
  'GET frame': ({ response }) => sent(response, 'text/html', FRAME_PAGE),
  'GET events': ({ session, response }) => {
    response.setHeader('content-type', 'text/event-stream');
    response.flushHeaders();
    if (!session.listen(response)) response.end();
  },
  'GET next': async ({ session, response }) => {
    const location = await session.next();
    if (location === null) response.writeHead(204).end();
    else response.writeHead(303, { location }).end();
    session.leave();
  },
  'GET guest/': (asked) => sendFile(guestBundle('page', asked.name), 'text/javascript; charset=utf-8', asked),
  'GET files/': (asked) =>
    sendFile(asked.session.files.fileOf(asked.name), 'application/octet-stream', asked),
  'GET modules/': userModule,
  'IMPORT guest/': (asked) => imported(asked, readFile(guestBundle('workerd', asked.name), 'utf8')),
  'IMPORT modules/': (asked) => imported(asked, asked.session.module(asked.name)),
  'POST answers': receive,
  'POST memory/': answerMemory,
  'POST compile': async ({ session, response }) => {
    if (session.compile === null) return notFound(response);
    await session.compile();
    response.writeHead(204).end();
  },
};

async function answerFor(path: string, asked: Omit<Asked, 'name'>): Promise<unknown> {
  const { session, specifier, request, response } = asked;
  if (session.origin !== null) {
    // A page of this origin may read the answer.
    response.setHeader('access-control-allow-origin', session.origin);
    response.setHeader('access-control-expose-headers', MODULE_KIND);
    response.setHeader('cross-origin-resource-policy', 'cross-origin');
  }
  const [, alone, folder = alone, name = ''] = /^([a-z]*)$|^([a-z]+\/)([\w-]+)(?:\.mjs)?$/.exec(path) ?? [];
  const method = specifier !== null ? 'IMPORT' : request.method === 'HEAD' ? 'GET' : request.method;
  const route = ROUTES[`${method} ${folder}`];
  return route ? route({ ...asked, name }) : notFound(response);
}

async function enter(invitation: Invited, response: ServerResponse): Promise<void> {
  const location = await invitation.enter();
  if (location !== null) response.writeHead(303, { location }).end();
  else {
    response.statusCode = 410;
    sent(response, 'text/plain', LINK_IN_USE);
  }
}

async function imported(
  { specifier, response }: Asked,
  module: Promise<string | PageModule | null>,
): Promise<void> {
  // An error: the guest asked for that of a build before.
  const found = await module.catch(() => null);
  if (found === null) return notFound(response);
  const esModule = typeof found === 'string' ? found : found.code;
  sent(response, 'application/json', JSON.stringify({ name: specifier?.slice(1), esModule }));
}

function answerMemory({ session, name, response }: Asked): void {
  let answer: { bytes: number } | { reason: string };
  try {
    if (session.memory === null) throw new Error('the browser was not started by clone-prof');
    answer = { bytes: session.memory(name) };
  } catch (error) {
    answer = { reason: error instanceof Error ? error.message : String(error) };
  }
  sent(response, 'application/json', JSON.stringify(answer));
}

function refused(session: PageSession, response: ServerResponse, reason: string): void {
  session.refuse(reason);
  notFound(response);
}

async function receive({ session, request, response }: Asked): Promise<void> {
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

/** Sends a file, or a line of it (`range: bytes=a-b`), without a length: it may grow or shrink while it is read. */
async function sendFile(
  path: string | null,
  type: string,
  { request: { headers }, response }: Asked,
): Promise<void> {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  const range = from === undefined ? {} : { start: Number(from), end: Number(to) };
  if (path === null) return notFound(response);
  try {
    const opened = await open(path);
    response.setHeader('content-type', type);
    await pipeline(opened.createReadStream(range), response);
  } catch (error) {
    // Its reading failed, or the page left.
    if (response.destroyed || response.headersSent) return void response.destroy();
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return notFound(response);
    throw new ToolError('file-unreadable', { file: path, detail: message });
  }
}

function failed(response: ServerResponse, { code, facts }: ToolError): void {
  response.statusCode = 422;
  sent(response, 'application/json', JSON.stringify({ code, facts }));
}

async function userModule({ session, name, response }: Asked): Promise<void> {
  const module = await session.module(name);
  if (module === null) return notFound(response);
  response.setHeader(MODULE_KIND, module.kind);
  sent(response, 'text/javascript', module.code);
}
