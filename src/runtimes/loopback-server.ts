import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { limitReached } from '../machine/limits.ts';
import { ToolError } from '../model/errors.ts';

/** A server that listens. Closing it ends its connections too, for HTTP. */
export interface Listening {
  port: number;
  close(): void;
}

/**
 * Makes a server listen on a random port of one host of this machine. It does not keep this process alive.
 *
 * @throws ToolError 'port-unavailable', 'too-many-files'
 */
export async function listenOn(server: Server | HttpServer, host = '127.0.0.1'): Promise<Listening> {
  server.unref();
  // `once` has the error; nobody waits for a later one.
  server.on('error', () => undefined);
  server.listen({ host, port: 0 });
  try {
    await once(server, 'listening');
  } catch (cause) {
    const { message: detail } = cause as Error;
    throw limitReached(cause) ?? new ToolError('port-unavailable', { value: host, detail }, { cause });
  }
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
    },
  };
}
