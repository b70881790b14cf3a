/** One end of the conversation between host and guest: a socket for processes; other transports implement the same. */
export interface Link<Sent, Received> {
  send(message: Sent): void;
  /** Set once by the listener. Messages that arrive before are lost. */
  onMessage: (message: Received) => void;
  /** Settles when nothing more will arrive, whichever side closed the link. */
  readonly closed: Promise<void>;
  close(): void;
}
