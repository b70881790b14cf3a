import { type Endpoint, noop, type Peer, type PeerEntry, peerAt } from './platform.ts';

const UNREADABLE = 'the message arrived but could not be deserialized';

export interface Posting {
  postMessage(message: unknown, transfer?: Transferable[]): void;
}

interface PostTarget extends Posting {
  onmessage: ((event: MessageEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
}

export const postingEndpoint = (target: Posting, close = noop, transfers = true): Endpoint => ({
  ...{ transfers, onMessage: noop, onMessageError: noop, close },
  post(message, transfer) {
    if (transfer === undefined) target.postMessage(message);
    else target.postMessage(message, transfer);
  },
});

/** Endpoint with `onmessage`. Reading `event.data` belongs to the round trip: some engines deserialize only then. */
export function webEndpoint(target: PostTarget, close = noop, transfers = true): Endpoint {
  const endpoint = postingEndpoint(target, close, transfers);
  target.onmessage = (event) => endpoint.onMessage(event.data);
  target.onmessageerror = () => endpoint.onMessageError(UNREADABLE);
  return endpoint;
}

/** Endpoint of a target that several senders reach. @param isOwn true for a message of the other end */
export function filteredEndpoint(
  target: EventTarget,
  other: Posting,
  isOwn: (event: MessageEvent) => boolean,
): Endpoint {
  const listen = (name: string, tell: (event: MessageEvent) => void) => {
    const listener = (event: Event): void => {
      if (isOwn(event as MessageEvent)) tell(event as MessageEvent);
    };
    target.addEventListener(name, listener);
    return () => target.removeEventListener(name, listener);
  };
  const ends = [
    listen('message', ({ data }) => endpoint.onMessage(data)),
    listen('messageerror', () => endpoint.onMessageError(UNREADABLE)),
  ];
  const endpoint = postingEndpoint(other, () => {
    for (const end of ends) end();
  });
  return endpoint;
}

/** Firefox collects a worker that only its own listeners reach, and its thread ends. */
const running = new Set<Worker>();

export const webWorkers =
  (start: (entry: PeerEntry) => Worker) =>
  (entry: PeerEntry): Peer => {
    const worker = start(entry);
    running.add(worker);
    const peer = peerAt(webEndpoint(worker), () => {
      worker.terminate();
      running.delete(worker);
    });
    worker.onerror = (event) => {
      event.preventDefault();
      // The event of a script that does not load lacks a message.
      peer.exited(event.message ?? 'its script could not be loaded');
    };
    // An event of Bun only. On Deno the host's deadline ends a guest whose worker has ended by itself.
    worker.addEventListener('close', () => peer.exited('the worker ended'));
    return peer;
  };

export const webParentEndpoint = (): Endpoint => webEndpoint(globalThis as typeof globalThis & PostTarget);
export const webPortEndpoint = (port: MessagePort): Endpoint => webEndpoint(port, () => port.close());

export function webBroadcastEndpoint(name: string): Endpoint {
  const channel = new BroadcastChannel(name);
  return webEndpoint(channel, () => channel.close(), false);
}
