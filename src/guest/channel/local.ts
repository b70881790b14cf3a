/** Channels without a peer: what is posted comes back in this thread. */
import { ToolError } from '../../model/errors.ts';
import type { Channel } from '../../model/names.ts';
import { type LocalChannel, type LocalEndpoint, noop } from '../platform/common/platform.ts';
import { currentPlatform } from '../platform/current.ts';

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

/** @throws ToolError 'channel-unsupported' */
export async function openLocal(channel: Channel): Promise<LocalChannel> {
  const { openStorage, openDatabase } = currentPlatform();
  const absent = (detail: string) => new ToolError('channel-unsupported', { value: channel, detail });
  if (channel === 'storage') {
    if (openStorage !== undefined) return openStorage();
    throw absent('a page has no files');
  }
  if (channel === 'indexeddb') {
    if (openDatabase !== null) return openDatabase();
    throw absent('only pages of a server have IndexedDB');
  }
  const endpoint = new CloneEndpoint();
  return {
    ...{ transfers: true, isRead: false },
    endpoint: () => endpoint,
    bytes: () => null,
    discard: noop,
    close: () => endpoint.close(),
  };
}

/** @throws ToolError 'channel-unsupported', and what `use` throws */
export async function withLocal<T>(
  channel: Channel,
  use: (local: LocalChannel) => T | Promise<T>,
): Promise<T> {
  const local = await openLocal(channel);
  try {
    return await use(local);
  } finally {
    await local.close();
  }
}

/** What arrives, in an object, because a promise would look for `then` on it. @throws what posting, storing or reading throws */
export async function roundTrip(
  endpoint: LocalEndpoint,
  message: unknown,
  transfer?: Transferable[],
): Promise<{ data: unknown }> {
  if (transfer) endpoint.postWith(message, transfer);
  else endpoint.post(message);
  await endpoint.written?.();
  await endpoint.asked?.();
  return { data: endpoint.received };
}
