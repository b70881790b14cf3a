import { type LocalChannel, type LocalEndpoint, noop } from './platform.ts';

/** By `structuredClone`: what is posted is received at once. */
class CloneEndpoint implements LocalEndpoint {
  readonly transfers = true;
  onMessage = noop;
  onMessageError = noop;
  received: unknown;

  post(message: unknown): void {
    this.received = structuredClone(message);
  }

  postWith(message: unknown, transfer: Transferable[]): void {
    this.received = structuredClone(message, { transfer });
  }

  close(): void {
    this.received = undefined;
  }
}

export function openClone(): LocalChannel {
  const endpoint = new CloneEndpoint();
  return {
    ...{ transfers: true, isRead: false },
    endpoint: () => endpoint,
    bytes: () => null,
    discard: noop,
    close: () => endpoint.close(),
  };
}
