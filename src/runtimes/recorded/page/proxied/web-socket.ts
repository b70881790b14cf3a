/** The server's end of a WebSocket that takes texts. Who is at the other end is not trusted. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';

/** Longest message, bytes. */
const MAX_BYTES = 2 ** 25;

export interface TextSocket {
  send(text: string): void;
  closed: Promise<void>;
}

const server = new WebSocketServer({
  ...{ noServer: true, clientTracking: false, perMessageDeflate: false },
  maxPayload: MAX_BYTES,
});

/**
 * Answers the request, and passes on what comes. Anything that a page of ours does not send ends the connection.
 *
 * @param onOpen not called for a request that no browser makes
 */
export function acceptSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { onText, onOpen }: { onText: (text: string) => void; onOpen: (socket: TextSocket) => void },
): void {
  server.handleUpgrade(request, socket, head, (client) => {
    const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
    client.on('error', () => client.terminate());
    client.on('message', (data, isBinary) => {
      if (isBinary) client.terminate();
      else onText(String(data));
    });
    onOpen({ send: (text) => client.send(text), closed });
  });
}
