import { type Endpoint, noop, type Peer } from './endpoint.ts';
import { entryUrl, type PeerEntry } from './platform.ts';

/** What a worker, a port and the global scope of a worker have in common. */
interface PostTarget {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
}

const NOT_DESERIALIZED = 'the message arrived but could not be deserialized';

/** Listeners of the web kind. Reading `event.data` belongs to the trip: some engines deserialize only then. */
export class WebEndpoint implements Endpoint {
  readonly transfers = true;
  onMessage: (data: unknown) => void = noop;
  onMessageError: (reason: string) => void = noop;
  readonly #target: PostTarget;
  readonly #close: () => void;

  constructor(target: PostTarget, close: () => void = noop) {
    this.#target = target;
    this.#close = close;
    target.onmessage = (event) => this.onMessage(event.data);
    target.onmessageerror = () => this.onMessageError(NOT_DESERIALIZED);
  }

  post(message: unknown): void {
    this.#target.postMessage(message);
  }

  postWith(message: unknown, transfer: Transferable[]): void {
    this.#target.postMessage(message, transfer);
  }

  close(): void {
    this.#close();
  }
}

/** Has no transfer list: what a remedy would transfer is copied. */
export class BroadcastEndpoint implements Endpoint {
  readonly transfers = false;
  onMessage: (data: unknown) => void = noop;
  onMessageError: (reason: string) => void = noop;
  readonly #channel: BroadcastChannel;

  constructor(name: string) {
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = (event) => this.onMessage(event.data);
    this.#channel.onmessageerror = () => this.onMessageError(NOT_DESERIALIZED);
  }

  post(message: unknown): void {
    this.#channel.postMessage(message);
  }

  postWith(message: unknown): void {
    this.#channel.postMessage(message);
  }

  close(): void {
    this.#channel.close();
  }
}

export function spawnWebWorker(entry: PeerEntry): Peer {
  const worker = new Worker(entryUrl(entry), { type: 'module' });
  const peer: Peer = {
    endpoint: new WebEndpoint(worker),
    onExit: noop,
    end: async () => {
      peer.onExit = noop;
      worker.terminate();
    },
  };
  worker.onerror = (event) => {
    event.preventDefault();
    peer.onExit(event.message);
  };
  // Bun's own event. Deno has none: the host's deadline notices a worker that ends by itself there.
  worker.addEventListener('close', () => peer.onExit('the worker ended'));
  return peer;
}

export const webParentEndpoint = (): Endpoint => new WebEndpoint(globalThis as unknown as PostTarget);
export const webPortEndpoint = (port: MessagePort): Endpoint => new WebEndpoint(port, () => port.close());
