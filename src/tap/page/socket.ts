/**
 * What leaves a page that came through the proxy: by a socket, which no service worker of the page sees. A worker may be
 * terminated before its socket is open: until then what it tells goes by way of the page that has started it, too.
 */
import { END, PAGE_MESSAGES, type SocketTapSettings } from '../../model/recording/page-tap.ts';
import { apply, getOwnPropertyDescriptor, unbound } from '../realm/intrinsics.ts';
import { listen } from '../realm/listen.ts';
import type { Send } from './outbox.ts';

/** What waits for the socket to open. */
const MAX_WAITING = 1 << 22;

const { WebSocket: Socket, BroadcastChannel: Channel } = globalThis;
const write = unbound(Socket.prototype.send) as (socket: object, text: string) => void;
const close = unbound(Socket.prototype.close) as (socket: object) => void;
const post = unbound(Channel.prototype.postMessage) as (channel: object, text: string) => void;
const leave = unbound(Channel.prototype.close) as (channel: object) => void;
const dataOf = getOwnPropertyDescriptor(MessageEvent.prototype, 'data')!.get!;

/** Another each time that a service worker starts or a document is loaded. */
const { timeOrigin } = performance;

/** @param end the host asks for the end */
export function openSocket({ socket: address, id, parent }: SocketTapSettings, end: () => void): Send {
  const socket = new Socket(`${address}${id}/${timeOrigin}`);
  const beside = parent === null ? null : new Channel(address + parent);
  let waiting: string[] | null = [];
  let [units, count] = [0, 0];
  listen(socket, 'open', () => {
    for (let i = 0; waiting !== null && i < waiting.length; i++) write(socket, waiting[i]!);
    waiting = null;
    if (beside !== null) leave(beside);
  });
  listen(socket, 'message', (event) => {
    if (apply(dataOf, event, []) !== END) return;
    end();
    close(socket);
  });
  return (message) => {
    // By its number the host knows what it has already.
    const text = `${count++} ${message}`;
    if (waiting === null) return write(socket, text);
    units += text.length;
    if (units < MAX_WAITING) waiting[waiting.length] = text;
    if (beside !== null) post(beside, `${id} ${timeOrigin} ${text}`);
  };
}

/** Passes on what workers of this document or worker tell before their sockets are open. */
export function passOn({ socket: address, id }: SocketTapSettings, send: Send): void {
  listen(new Channel(address + id), 'message', (event) => {
    const text: unknown = apply(dataOf, event, []);
    if (typeof text === 'string') send(PAGE_MESSAGES.passedOn + text);
  });
}
