/** One way between the two sides, with the calls and events that a program of that runtime uses. */
export interface Endpoint {
  /** False for ways that take no transfer list: their messages are copied. */
  readonly transfers: boolean;
  post(message: unknown): void;
  postWith(message: unknown, transfer: Transferable[]): void;
  /** Set by whoever listens at the moment. */
  onMessage: (data: unknown) => void;
  /** A message arrived that cannot be deserialized. */
  onMessageError: (why: string) => void;
  close(): void;
}

/** The thread or process at the other end. */
export interface Peer {
  /** Its own two-way lane: the worker's messages, the child's IPC. */
  readonly endpoint: Endpoint;
  /** Called at most once, with the reason, when it ends before `end` was asked for. */
  onExit: (why: string) => void;
  end(): Promise<void>;
}

/** How many, and ns in all. */
export interface GcPauses {
  count: number;
  ns: number;
}

export interface GcWatch {
  /** Pauses since the watch began. */
  stop(): GcPauses;
}

/** What differs between runtimes, and nothing else. */
export interface Platform {
  /** A fresh worker that runs the peer bundle. */
  spawnWorker(file: URL): Peer;
  /** A child process that runs the peer bundle over IPC with advanced serialization; null where there is none. */
  spawnChild: ((file: URL) => Peer) | null;
  /** Inside the worker: the lane to the one who made it. */
  parentEndpoint(): Endpoint;
  portEndpoint(port: MessagePort): Endpoint;
  broadcastEndpoint(name: string): Endpoint;
  /** `receiveMessageOnPort` does what a message event does, and no more. */
  readonly receivesByPort: boolean;
  /** Posting changes how the engine stores what was posted, also what was parsed. */
  readonly postingChangesValues: boolean;
  watchGc: (() => GcWatch) | null;
}

export const noop = (): void => undefined;
