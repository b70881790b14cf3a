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
export function openLocal(channel: Channel): LocalChannel {
  if (channel === 'storage') {
    const { openStorage } = currentPlatform();
    if (openStorage !== undefined) return openStorage();
    throw new ToolError('channel-unsupported', { value: channel, detail: 'a page has no files' });
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
  const local = openLocal(channel);
  try {
    return await use(local);
  } finally {
    local.close();
  }
}
