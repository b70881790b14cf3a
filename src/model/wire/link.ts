/**
 * One end of the connection between host and guest: a socket for process runtimes. A kind of runtime with another
 * transport brings both ends: the host's with its driver, the guest's in `guest/link/`.
 */
export interface Link<Sent, Received> {
  send(message: Sent): void;
  /** Set once by the receiver. Earlier messages are lost. */
  onMessage: (message: Received) => void;
  /**
   * Resolves when no more messages will arrive, whichever side closed the link; with the reason when what arrived was
   * not from the other end, or not a message.
   */
  readonly closed: Promise<string | null>;
  close(): void;
}
