/** One end of a channel, with the calls and events that a program of that runtime uses. */
export interface Endpoint {
  /** False for channels without a transfer list: their messages are copied. */
  readonly transfers: boolean;
  post(message: unknown): void;
  postWith(message: unknown, transfer: Transferable[]): void;
  /** The current listener. */
  onMessage: (data: unknown) => void;
  /** Called for a message that cannot be deserialized. */
  onMessageError: (reason: string) => void;
  close(): void;
}

/** The thread or process at the other end. */
export interface Peer {
  /** Its own channel: the worker's messages, or the child's IPC. */
  readonly endpoint: Endpoint;
  /** Called at most once, with the reason, when the peer ends before `end` was called. */
  onExit: (reason: string) => void;
  end(): Promise<void>;
}

export const noop = (): void => undefined;

/** Posts, and resolves to the next message that arrives. */
export function nextMessage(endpoint: Endpoint, post: () => void): Promise<unknown> {
  return new Promise((resolve) => {
    endpoint.onMessage = resolve;
    post();
  });
}
