import type { Channel } from '../../../model/words.ts';
import type { Endpoint, Peer, Platform } from './endpoint.ts';

/** What the far thread needs to find its end of the way. */
export interface FarEnd {
  channel: Channel;
  /** Names the broadcast channel. */
  token: string;
  /** null for channels that bring their own lane. */
  port: MessagePort | null;
}

/** The way of a channel to a worker: the near lane, and what to hand over with `list`. */
export interface OpenChannel {
  endpoint: Endpoint;
  far: FarEnd;
  transfer: Transferable[];
}

export function openChannel(channel: Channel, ground: Platform, peer: Peer): OpenChannel {
  const token = crypto.randomUUID();
  if (channel === 'message-port') {
    const { port1, port2 } = new MessageChannel();
    return { endpoint: ground.portEndpoint(port1), far: { channel, token, port: port2 }, transfer: [port2] };
  }
  const lane = channel === 'broadcast' ? ground.broadcastEndpoint(token) : peer.endpoint;
  return { endpoint: lane, far: { channel, token, port: null }, transfer: [] };
}

/** Inside the worker. */
export function farEndpoint({ channel, token, port }: FarEnd, ground: Platform, home: Endpoint): Endpoint {
  if (port) return ground.portEndpoint(port);
  return channel === 'broadcast' ? ground.broadcastEndpoint(token) : home;
}
