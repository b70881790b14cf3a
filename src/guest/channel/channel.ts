import { ToolError } from '../../model/errors.ts';
import { type Channel, channelRow, extensionChannel, isLocal } from '../../model/names.ts';
import {
  currentPlatform,
  type Endpoint,
  type LocalChannel,
  noop,
  type Peer,
  type PeerStart,
} from '../platform/common/platform.ts';

/** The cheapest message on every runtime: Bun shares only strings among primitives, and Deno's codec takes them too. */
export const EMPTY = '';

/** The error 'channel-unsupported' of a channel that this runtime, or this thread, does not have. */
function absent(channel: Channel): ToolError {
  const { local, peers, senders } = currentPlatform();
  const detail =
    channelRow(channel).lacking ??
    `its channels are -c ${Object.keys({ ...peers, ...senders, ...local }).join(' ')}`;
  return new ToolError('channel-unsupported', { value: channel, detail });
}

/** Opens a channel without a peer until `use` ends. @throws ToolError 'channel-unsupported', and errors of `use` */
export async function withLocal<T>(
  channel: Channel,
  use: (local: LocalChannel) => T | Promise<T>,
): Promise<T> {
  const open = currentPlatform().local[channel];
  if (open === undefined) throw absent(channel);
  const local = await open();
  try {
    return await use(local);
  } finally {
    await local.close();
  }
}

/** @throws ToolError 'channel-unsupported' if this runtime, or this thread, does not have the channel */
export async function requireChannel(channel: Channel): Promise<void> {
  if (isLocal(channel)) await withLocal(channel, noop);
  // The first message shows if the extension's manifest takes effect.
  else if (extensionChannel(channel) !== null) await (await spawnPeer(channel)).end();
  else peerStart(channel);
}

/** @throws ToolError 'channel-unsupported' */
function peerStart(channel: Channel): PeerStart {
  const start = currentPlatform().peers[channel];
  if (start === undefined) throw absent(channel);
  return start;
}

/** @throws ToolError 'channel-unsupported' */
export const spawnPeer = async (channel: Channel): Promise<Peer> => peerStart(channel)('peer');

/** Data with which the peer opens its end of a channel. */
export interface FarEnd {
  channel: Channel;
  /** Name of the broadcast channel. */
  token: string;
  /** null for channels that need no port. */
  port: MessagePort | null;
}

/** A channel to a fresh peer: the near endpoint, and what to post to the peer with `transfer`. */
export interface OpenChannel {
  peer: Peer;
  endpoint: Endpoint;
  far: FarEnd;
  transfer: Transferable[];
}

/** @throws ToolError 'channel-unsupported' */
export async function openChannel(channel: Channel): Promise<OpenChannel> {
  const peer = await spawnPeer(channel);
  const { portEndpoint, broadcastEndpoint } = currentPlatform();
  // `crypto.randomUUID` is absent in pages of the network that come by http.
  const token = crypto.getRandomValues(new Uint32Array(4)).join('-');
  if (channel === 'message-port') {
    const { port1, port2 } = new MessageChannel();
    const far = { channel, token, port: port2 };
    return { peer, endpoint: portEndpoint(port1), far, transfer: [port2] };
  }
  const endpoint = channel === 'broadcast' ? broadcastEndpoint(token) : (peer.port ?? peer.endpoint);
  return { peer, endpoint, far: { channel, token, port: null }, transfer: [] };
}

/** Opens the peer's end. `parent` is the endpoint to the guest that started it. */
export function farEndpoint({ channel, token, port }: FarEnd, parent: Endpoint): Endpoint {
  const { portEndpoint, parentPort, broadcastEndpoint } = currentPlatform();
  if (port) return portEndpoint(port);
  return channel === 'broadcast' ? broadcastEndpoint(token) : (parentPort?.() ?? parent);
}
