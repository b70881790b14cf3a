import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { packageFile } from '../../../machine/package-file.ts';
import { MODULE_KIND } from '../../../model/page-module.ts';
import { LoopbackServer } from '../../loopback-server.ts';
import type { PageSession } from './page-session.ts';
import { answerListen, answerPost, file, notFound, position, script, sent, userModule } from './responses.ts';

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
    const [, folder, name = '', at] =
      /^(guest|files|modules)\/([\w-]+)(?:\.mjs)?(?:\/(\d+:\d+))?$/.exec(path) ?? [];
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
    if (folder !== 'modules') return notFound(response);
    return at === undefined
      ? userModule(session.module(name), response)
      : position(session.module(name), at, response);
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
