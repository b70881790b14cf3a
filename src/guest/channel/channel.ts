import { ToolError } from '../../model/errors.ts';
import { type Channel, extensionChannel, isLocal } from '../../model/names.ts';
import { type Endpoint, noop, type Peer, type PeerStart } from '../platform/common/platform.ts';
import { currentPlatform } from '../platform/current.ts';
import { absent } from './absent.ts';
import { withLocal } from './local.ts';

/** Whether a peer still runs, and a way to wait for it that ends when it dies. */
export class PeerLife {
  /** The peer has ended, or is about to be ended. */
  over = false;
  readonly #died: Promise<never>;

  constructor(peer: Peer) {
    this.#died = new Promise((_, reject) => {
      peer.onExit = (reason) => {
        this.over = true;
        reject(new ToolError('measure-failed', { detail: reason }));
      };
    });
    this.#died.catch(() => undefined);
  }

  /** @throws ToolError 'measure-failed' when the peer dies first */
  whileAlive<T>(work: T | Promise<T>): Promise<T> {
    return Promise.race([work, this.#died]);
  }
}

/** @throws ToolError 'channel-unsupported' if this runtime, or this thread, does not have the channel */
export async function requireChannel(channel: Channel): Promise<void> {
  if (isLocal(channel)) await withLocal(channel, noop);
  // What a manifest asks for shows only in a message.
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

/** What the peer needs to open its end of a channel. */
export interface FarEnd {
  channel: Channel;
  /** Name of the broadcast channel. */
  token: string;
  /** null for channels that need no port. */
  port: MessagePort | null;
}

/** A channel to a peer: the near endpoint, and what to post to the peer with `transfer`. */
interface OpenChannel {
  endpoint: Endpoint;
  far: FarEnd;
  transfer: Transferable[];
}

export function openChannel(channel: Channel, peer: Peer): OpenChannel {
  const { portEndpoint, broadcastEndpoint } = currentPlatform();
  // `crypto.randomUUID` is absent in pages of the network that come by http.
  const token = crypto.getRandomValues(new Uint32Array(4)).join('-');
  if (channel === 'message-port') {
    const { port1, port2 } = new MessageChannel();
    const far = { channel, token, port: port2 };
    return { endpoint: portEndpoint(port1), far, transfer: [port2] };
  }
  const endpoint = channel === 'broadcast' ? broadcastEndpoint(token) : (peer.port ?? peer.endpoint);
  return { endpoint, far: { channel, token, port: null }, transfer: [] };
}

/** Opens the peer's end. `parent` is the endpoint to the guest that started it. */
export function farEndpoint({ channel, token, port }: FarEnd, parent: Endpoint): Endpoint {
  const { portEndpoint, parentPort, broadcastEndpoint } = currentPlatform();
  if (port) return portEndpoint(port);
  return channel === 'broadcast' ? broadcastEndpoint(token) : (parentPort?.() ?? parent);
}
