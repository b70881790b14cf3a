import { type Endpoint, noop, type Peer } from '../measure/peer/endpoint.ts';

/** What a worker and a port have in common; `globalThis` of a worker too. */
interface Post {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
}

const BROKEN = 'the message arrived but could not be deserialized';

/** Listeners of the web kind: reading `event.data` belongs to the trip, some engines deserialize only then. */
export class WebEndpoint implements Endpoint {
  readonly transfers = true;
  onMessage: (data: unknown) => void = noop;
  onMessageError: (why: string) => void = noop;
  readonly #end: Post;
  readonly #close: () => void;

  constructor(end: Post, close: () => void = noop) {
    this.#end = end;
    this.#close = close;
    end.onmessage = (event) => this.onMessage(event.data);
    end.onmessageerror = () => this.onMessageError(BROKEN);
  }

  post(message: unknown): void {
    this.#end.postMessage(message);
  }

  postWith(message: unknown, transfer: Transferable[]): void {
    this.#end.postMessage(message, transfer);
  }

  close(): void {
    this.#close();
  }
}

/** Takes no transfer list: what a remedy would transfer is copied. */
export class BroadcastEndpoint implements Endpoint {
  readonly transfers = false;
  onMessage: (data: unknown) => void = noop;
  onMessageError: (why: string) => void = noop;
  readonly #channel: BroadcastChannel;

  constructor(name: string) {
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = (event) => this.onMessage(event.data);
    this.#channel.onmessageerror = () => this.onMessageError(BROKEN);
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

export function spawnWebWorker(file: URL): Peer {
  const worker = new Worker(file, { type: 'module' });
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
  // Bun's own event. Deno has none: there a worker that ends by itself is noticed by the deadline of the host.
  worker.addEventListener('close', () => peer.onExit('the worker ended'));
  return peer;
}

export const webParentEndpoint = (): Endpoint => new WebEndpoint(globalThis as unknown as Post);
export const webPortEndpoint = (port: MessagePort): Endpoint => new WebEndpoint(port, () => port.close());
