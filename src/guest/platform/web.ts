import { type Lane, type Peer, silent } from '../measure/peer/endpoint.ts';

/** What a worker and a port have in common; `globalThis` of a worker too. */
interface Post {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
}

const BROKEN = 'the message arrived but could not be deserialized';

/** Listeners of the web kind: reading `event.data` belongs to the trip, some engines deserialize only then. */
export class WebLane implements Lane {
  readonly transfers = true;
  onMessage: (data: unknown) => void = silent;
  onBroken: (why: string) => void = silent;
  readonly #end: Post;
  readonly #close: () => void;

  constructor(end: Post, close: () => void = silent) {
    this.#end = end;
    this.#close = close;
    end.onmessage = (event) => this.onMessage(event.data);
    end.onmessageerror = () => this.onBroken(BROKEN);
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
export class BroadcastLane implements Lane {
  readonly transfers = false;
  onMessage: (data: unknown) => void = silent;
  onBroken: (why: string) => void = silent;
  readonly #channel: BroadcastChannel;

  constructor(name: string) {
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = (event) => this.onMessage(event.data);
    this.#channel.onmessageerror = () => this.onBroken(BROKEN);
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
    lane: new WebLane(worker),
    onDeath: silent,
    end: async () => {
      peer.onDeath = silent;
      worker.terminate();
    },
  };
  worker.onerror = (event) => {
    event.preventDefault();
    peer.onDeath(event.message);
  };
  // Bun's own event. Deno has none: there a worker that ends by itself is noticed by the deadline of the host.
  worker.addEventListener('close', () => peer.onDeath('the worker ended'));
  return peer;
}

export const webParentLane = (): Lane => new WebLane(globalThis as unknown as Post);
export const webPortLane = (port: MessagePort): Lane => new WebLane(port, () => port.close());
