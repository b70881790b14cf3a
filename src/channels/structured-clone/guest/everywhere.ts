import type { LocalChannel } from '../../../guest/platform/common/platform.ts';

export function openClone(): LocalChannel {
  const endpoint = {
    received: undefined as unknown,
    post(message: unknown, transfer?: Transferable[]): void {
      endpoint.received =
        transfer === undefined ? structuredClone(message) : structuredClone(message, { transfer });
    },
  };
  return {
    ...{ transfers: true, isRead: false },
    endpoint: () => endpoint,
    close: () => {
      endpoint.received = undefined;
    },
  };
}
