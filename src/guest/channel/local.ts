/** Channels without a peer: what is posted comes back in this thread. */
import type { Channel } from '../../model/names.ts';
import type { LocalChannel, LocalEndpoint } from '../platform/common/platform.ts';
import { currentPlatform } from '../platform/current.ts';
import { absent } from './absent.ts';

/** @throws ToolError 'channel-unsupported' */
export async function openLocal(channel: Channel): Promise<LocalChannel> {
  const open = currentPlatform().local[channel];
  if (open === undefined) throw absent(channel);
  return open();
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
