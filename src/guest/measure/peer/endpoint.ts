/** One way between the two sides, with the calls and events that a program of that runtime uses. */
export interface Lane {
  /** False for ways that take no transfer list: their messages are copied. */
  readonly transfers: boolean;
  post(message: unknown): void;
  postWith(message: unknown, transfer: Transferable[]): void;
  /** Set by whoever listens at the moment. */
  onMessage: (data: unknown) => void;
  /** A message arrived that cannot be deserialized. */
  onBroken: (why: string) => void;
  close(): void;
}

/** The thread or process at the other end. */
export interface Peer {
  /** Its own two-way lane: the worker's messages, the child's IPC. */
  readonly lane: Lane;
  /** Called at most once, with the reason, when it ends before `end` was asked for. */
  onDeath: (why: string) => void;
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
export interface Ground {
  /** A fresh worker that runs the peer bundle. */
  spawnWorker(file: URL): Peer;
  /** A child process that runs the peer bundle over IPC with advanced serialization; null where there is none. */
  spawnChild: ((file: URL) => Peer) | null;
  /** Inside the worker: the lane to the one who made it. */
  parentLane(): Lane;
  portLane(port: MessagePort): Lane;
  broadcastLane(name: string): Lane;
  /** `receiveMessageOnPort` does what a message event does, and no more. */
  readonly takesByPort: boolean;
  /** Posting changes how the engine stores what was posted, also what was parsed. */
  readonly leavesTraces: boolean;
  watchGc: (() => GcWatch) | null;
}

export const silent = (): void => undefined;
