import type { LocalChannel, LocalEndpoint } from './platform.ts';

/** Endpoint of `structuredClone`: a posted value is received at once. */
class CloneEndpoint implements LocalEndpoint {
  received: unknown;

  post(message: unknown): void {
    this.received = structuredClone(message);
  }

  postWith(message: unknown, transfer: Transferable[]): void {
    this.received = structuredClone(message, { transfer });
  }
}

export function openClone(): LocalChannel {
  const endpoint = new CloneEndpoint();
  return {
    ...{ transfers: true, isRead: false },
    endpoint: () => endpoint,
    close: () => {
      endpoint.received = undefined;
    },
  };
}
