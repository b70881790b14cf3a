import type { Channel } from '../../../model/names.ts';
import type { Endpoint, Peer } from '../../platform/endpoint.ts';
import type { Platform } from '../../platform/platform.ts';

/** What the worker needs to open its end of the channel. */
export interface FarEnd {
  channel: Channel;
  /** Name of the broadcast channel. */
  token: string;
  /** null for channels that need no port. */
  port: MessagePort | null;
}

/** A channel to a worker: the near endpoint, and what to post to the worker with `transfer`. */
export interface OpenChannel {
  endpoint: Endpoint;
  far: FarEnd;
  transfer: Transferable[];
}

export function openChannel(
  channel: Channel,
  platform: Platform,
  peer: Peer,
  token: string = crypto.randomUUID(),
): OpenChannel {
  if (channel === 'message-port') {
    const { port1, port2 } = new MessageChannel();
    const far = { channel, token, port: port2 };
    return { endpoint: platform.portEndpoint(port1), far, transfer: [port2] };
  }
  const endpoint = channel === 'broadcast' ? platform.broadcastEndpoint(token) : peer.endpoint;
  return { endpoint, far: { channel, token, port: null }, transfer: [] };
}

/** Inside the peer. `parent` is the endpoint to the guest that started it. */
export function farEndpoint(
  { channel, token, port }: FarEnd,
  platform: Platform,
  parent: Endpoint,
): Endpoint {
  if (port) return platform.portEndpoint(port);
  return channel === 'broadcast' ? platform.broadcastEndpoint(token) : parent;
}
