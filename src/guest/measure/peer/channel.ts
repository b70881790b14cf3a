import type { Channel } from '../../../model/words.ts';
import type { Ground, Lane, Peer } from './endpoint.ts';

/** What the far thread needs to find its end of the way. */
export interface FarEnd {
  channel: Channel;
  /** Names the broadcast channel. */
  token: string;
  /** null for channels that bring their own lane. */
  port: MessagePort | null;
}

/** The way of a channel to a worker: the near lane, and what to hand over with `list`. */
export interface Way {
  lane: Lane;
  far: FarEnd;
  list: Transferable[];
}

export function openWay(channel: Channel, ground: Ground, peer: Peer): Way {
  const token = crypto.randomUUID();
  if (channel === 'message-port') {
    const { port1, port2 } = new MessageChannel();
    return { lane: ground.portLane(port1), far: { channel, token, port: port2 }, list: [port2] };
  }
  const lane = channel === 'broadcast' ? ground.broadcastLane(token) : peer.lane;
  return { lane, far: { channel, token, port: null }, list: [] };
}

/** Inside the worker. */
export function farLane({ channel, token, port }: FarEnd, ground: Ground, home: Lane): Lane {
  if (port) return ground.portLane(port);
  return channel === 'broadcast' ? ground.broadcastLane(token) : home;
}
