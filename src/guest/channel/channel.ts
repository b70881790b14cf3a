import type { Channel } from '../../model/names.ts';
import { currentPlatform } from '../platform/current.ts';
import type { Endpoint, Peer } from '../platform/endpoint.ts';

/** What the peer needs to open its end of a channel. */
export interface FarEnd {
  channel: Channel;
  /** Name of the broadcast channel. */
  token: string;
  /** null for channels that need no port. */
  port: MessagePort | null;
}

/** A channel to a peer: the near endpoint, and what to post to the peer with `transfer`. */
export interface OpenChannel {
  endpoint: Endpoint;
  far: FarEnd;
  transfer: Transferable[];
}

/** `crypto.randomUUID` is absent in pages of the network that come by http. */
const freshToken = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

export function openChannel(channel: Channel, peer: Peer, token: string = freshToken()): OpenChannel {
  const { portEndpoint, broadcastEndpoint } = currentPlatform();
  if (channel === 'message-port') {
    const { port1, port2 } = new MessageChannel();
    const far = { channel, token, port: port2 };
    return { endpoint: portEndpoint(port1), far, transfer: [port2] };
  }
  const endpoint = channel === 'broadcast' ? broadcastEndpoint(token) : peer.endpoint;
  return { endpoint, far: { channel, token, port: null }, transfer: [] };
}

/** Opens the peer's end. `parent` is the endpoint to the guest that started it. */
export function farEndpoint({ channel, token, port }: FarEnd, parent: Endpoint): Endpoint {
  const { portEndpoint, broadcastEndpoint } = currentPlatform();
  if (port) return portEndpoint(port);
  return channel === 'broadcast' ? broadcastEndpoint(token) : parent;
}
