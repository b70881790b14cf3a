import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { limitReached } from '../machine/limits.ts';
import { ToolError } from '../model/errors.ts';

/** Makes a server listen on a free port. The server does not keep this process alive. */
async function listenOn<S extends Server>(server: S, host: string): Promise<{ server: S; port: number }> {
  server.unref();
  // `once` has the error; nobody waits for a later one.
  server.on('error', () => undefined);
  server.listen({ host, port: 0 });
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

const portUnavailable = (host: string, cause: unknown) =>
  new ToolError('port-unavailable', { value: host, detail: (cause as Error).message }, { cause });

/** A server that listens on a random port of one host of this machine, from the first guest to the last. */
export class LoopbackServer {
  readonly #make: () => Server | HttpServer;
  readonly #host: string;
  #listening: Promise<{ server: Server | HttpServer; port: number }> | null = null;

  constructor(make: () => Server | HttpServer, host = '127.0.0.1') {
    this.#make = make;
    this.#host = host;
  }

  /**
   * The port. The server listens from now on; after a failure, the next call tries again.
   *
   * @throws ToolError 'port-unavailable', 'too-many-files'
   */
  async port(): Promise<number> {
    this.#listening ??= listenOn(this.#make(), this.#host);
    const listening = this.#listening;
    try {
      return (await listening).port;
    } catch (error) {
      if (this.#listening === listening) this.#listening = null;
      throw limitReached(error) ?? portUnavailable(this.#host, error);
    }
  }

  /** Ends the server, for HTTP with its connections. */
  close(): void {
    const closing = this.#listening;
    this.#listening = null;
    closing?.then(
      ({ server }) => {
        server.close();
        if ('closeAllConnections' in server) server.closeAllConnections();
      },
      () => {
        // The caller of `port` has the error.
      },
    );
  }
}
