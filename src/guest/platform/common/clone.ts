import type { LocalChannel, LocalEndpoint } from './platform.ts';

/** Endpoint of `structuredClone`: a posted value is received at once. */
class CloneEndpoint implements LocalEndpoint {
  received: unknown;

  post(message: unknown, transfer?: Transferable[]): void {
    this.received =
      transfer === undefined ? structuredClone(message) : structuredClone(message, { transfer });
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
