/**
 * A proxy on a loopback address for a browser of ours: it puts the recorder into the page's documents and workers, and takes
 * what they tell. What comes by https is passed on as it is.
 */
import {
  request as ask,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { listenOn } from '../../../process/guest-server.ts';
import { type Asked, answerWith, askedFor, headersOf } from './injected.ts';
import type { Realms } from './realms.ts';
import { acceptSocket, type TextSocket } from './web-socket.ts';

/** For clients that send slowly on purpose. What a page uploads may take long. */
const LIMITS = { headersTimeout: 10_000, requestTimeout: 0, keepAliveTimeout: 60_000, maxHeaderSize: 65_536 };
const MAX_CONNECTIONS = 1024;

/** What would be answered by what the browser has already. */
const CONDITIONS = /^if-(?:none-match|modified-since)$/i;

/** Of Firefox itself, which asks for settings, its region and the like whatever its profile says. */
const OWN_SERVICES =
  /(?:^|\.)(?:services\.mozilla\.com|cdn\.mozilla\.net|telemetry\.mozilla\.org|ads\.mozilla\.org)$/i;

const BY_HTTPS = 'A document that came by https: it is not recorded. Use Chromium.';

export class PageProxy {
  readonly #realms: Realms;
  readonly #server: Server;
  readonly #tunnels = new Set<Duplex>();
  /** The first document could not be had. */
  onUnreachable: (detail: string) => void = () => undefined;

  constructor(realms: Realms) {
    this.#realms = realms;
    this.#server = createServer(LIMITS, (request, response) => void this.#answer(request, response));
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.on('connect', (request, socket, head) => this.#connect(request, socket, head));
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  async open(): Promise<number> {
    const { port } = await listenOn(this.#server, '127.0.0.1');
    this.#realms.port = port;
    return port;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    for (const socket of this.#tunnels) socket.destroy();
  }

  /** A browser asks its proxy by whole addresses; by a path only what is the proxy's own. null for all else. */
  #addressOf({ url = '', headers }: IncomingMessage): URL | null {
    const own = `127.0.0.1:${this.#realms.port}`;
    const whole = url.startsWith('/') && headers.host === own ? `http://${own}${url}` : url;
    const address = URL.canParse(whole) ? new URL(whole) : null;
    const isOwn = address !== null && this.#isOwn(address);
    if (address?.host === own && !isOwn) return null;
    return address !== null && /^(?:http|ws):$/.test(address.protocol) ? address : null;
  }

  #isOwn({ pathname }: URL): boolean {
    return pathname.startsWith(this.#realms.folder);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = this.#addressOf(request);
    if (address === null) {
      response.writeHead(404, { connection: 'close' }).end();
      return;
    }
    if (this.#isOwn(address)) return this.#realms.serve(address.pathname, address.origin, response);
    const asked = askedFor(request);
    try {
      const answer = await answerOf(address, request, response, asked);
      if (asked === 'document' && /^https:/i.test(answer.headers.location ?? '')) this.#realms.miss(BY_HTTPS);
      if (asked !== null && (await answerWith(asked, address, answer, response, this.#realms))) return;
      const headers = headersOf(answer.rawHeaders, () => true).flat();
      response.writeHead(answer.statusCode!, answer.statusMessage, headers);
      await pipeline(answer, response);
    } catch (error) {
      if (asked === 'document')
        this.onUnreachable((error as NodeJS.ErrnoException).code ?? (error as Error).message);
      // As without a proxy: no answer.
      response.destroy();
    }
  }

  #connect({ url = '' }: IncomingMessage, socket: Duplex, head: Buffer): void {
    const [, host = '', port = ''] = /^\[?([^\]]*?)\]?:(\d+)$/.exec(url) ?? [];
    if (OWN_SERVICES.test(host)) return void socket.destroy();
    this.#tunnel(socket, host, Number(port), (server) => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      server.write(head);
    });
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const address = this.#addressOf(request);
    if (address === null) return void socket.destroy();
    if (this.#isOwn(address)) this.#listen(address, request, socket, head);
    else this.#passUpgrade(address, request, socket, head);
  }

  #passUpgrade(address: URL, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { hostname, port, pathname, search } = address;
    const raw = headersOf(request.rawHeaders, () => true);
    const lines = [...raw, ['Connection', 'Upgrade']]
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    this.#tunnel(socket, hostname, Number(port || 80), (server) => {
      server.write(`GET ${pathname}${search} HTTP/1.1\r\n${lines}\r\n`, 'latin1');
      server.write(head);
    });
  }

  #listen({ pathname }: URL, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const onText = this.#realms.listener(pathname);
    if (onText === null) return void socket.destroy();
    this.#keep(socket);
    const onOpen = (opened: TextSocket) => this.#realms.connected(opened);
    acceptSocket(request, socket, head, { onText, onOpen });
  }

  #tunnel(socket: Duplex, host: string, port: number, opened: (server: Socket) => void): void {
    if (!(port > 0 && port < 65_536)) return void socket.destroy();
    const server = connect({ host: host.replace(/^\[|\]$/g, ''), port });
    for (const [one, other] of [
      [socket, server],
      [server, socket],
    ] as const) {
      this.#keep(one);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    server.on('connect', () => {
      opened(server);
      server.pipe(socket).pipe(server);
    });
  }

  #keep(socket: Duplex): void {
    this.#tunnels.add(socket);
    socket.on('close', () => this.#tunnels.delete(socket));
  }
}

/** Asks the page's server, as the browser would. */
function answerOf(
  { hostname, port, pathname, search }: URL,
  request: IncomingMessage,
  response: ServerResponse,
  asked: Asked | null,
): Promise<IncomingMessage> {
  const { method, rawHeaders } = request;
  const headers = headersOf(rawHeaders, (name) => asked === null || !CONDITIONS.test(name));
  const host = hostname.replace(/^\[|\]$/g, '');
  const path = pathname + search;
  return new Promise((resolve, reject) => {
    const options = { host, port: port || 80, method, path, headers: headers.flat(), agent: false as const };
    const sent = ask(options, resolve).on('error', reject);
    response.on('close', () => sent.destroy());
    request.pipe(sent);
  });
}
