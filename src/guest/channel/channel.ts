import { ToolError } from '../../model/errors.ts';
import {
  type Channel,
  ELECTRON_CHANNELS,
  extensionChannel,
  IPC_CHANNELS,
  isLocal,
} from '../../model/names.ts';
import { type Endpoint, noop, type Peer, type PeerEntry } from '../platform/common/platform.ts';
import { currentPlatform } from '../platform/current.ts';
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

const NO_EXTENSION =
  'only Chromium has extensions of clone-prof: one that it started, and that sends from the main thread';

/** Why a runtime has nothing at the other end; null: it has what is at the other end of a worker's messages. */
const ABSENT: Readonly<Record<Channel, string | null>> = {
  worker: null,
  'message-port': null,
  broadcast: null,
  'structured-clone': 'a clone has no other end',
  'ipc-json': 'this runtime has no child process with process.send',
  'ipc-advanced': 'this runtime has no child process with process.send and advanced serialization',
  'node-worker': 'the workers of node:worker_threads are those of the channel worker here',
  window: 'only a page of a browser has windows, and posts to them from its main thread',
  storage: 'a file has no other end',
  indexeddb: 'a database has no other end',
  'electron-ipc': 'only Electron has renderers',
  'electron-port': 'only Electron has renderers',
  rpc: 'only services of workerd call each other by RPC',
  extension: NO_EXTENSION,
  'extension-clone': NO_EXTENSION,
};

/** @throws ToolError 'channel-unsupported' */
function refuseOthers(channel: Channel): void {
  const { channels } = currentPlatform();
  if (channels === undefined || channels.includes(channel)) return;
  const detail = `only messages between its processes are looked at: -c ${channels.join(' ')}`;
  throw new ToolError('channel-unsupported', { value: channel, detail });
}

/** @throws ToolError 'channel-unsupported' where this runtime, or this thread, has no such channel */
export async function requireChannel(channel: Channel): Promise<void> {
  refuseOthers(channel);
  if (isLocal(channel)) await withLocal(channel, noop);
  // What a manifest asks for shows only in a message.
  else if (extensionChannel(channel) !== null)
    await (await spawnPeer(channel, 'acknowledging-receiver')).end();
  else peerStart(channel);
}

/** Starts what a message over the channel arrives in: a worker, a child process or a frame. */
type PeerStart = (entry: PeerEntry) => Peer | Promise<Peer>;

/** @throws ToolError 'channel-unsupported' */
function peerStart(channel: Channel): PeerStart {
  refuseOthers(channel);
  const {
    spawnChild,
    spawnExtension,
    spawnFrame,
    spawnNodeWorker,
    spawnRenderer,
    spawnService,
    spawnWorker,
  } = currentPlatform();
  const detail = ABSENT[channel] ?? 'workerd starts no workers: -c rpc structured-clone';
  if (ABSENT[channel] === null && spawnWorker) return spawnWorker;
  if (channel === 'rpc' && spawnService) return spawnService;
  if (ELECTRON_CHANNELS.includes(channel) && spawnRenderer) return spawnRenderer;
  if (IPC_CHANNELS.includes(channel) && spawnChild)
    return (entry) => spawnChild(entry, channel === 'ipc-json' ? 'json' : 'advanced');
  if (channel === 'node-worker' && spawnNodeWorker) return spawnNodeWorker;
  if (channel === 'window' && spawnFrame) return spawnFrame;
  const extension = extensionChannel(channel);
  if (extension !== null && spawnExtension) return (entry) => spawnExtension(entry, extension);
  throw new ToolError('channel-unsupported', { value: channel, detail });
}

/** @throws ToolError 'channel-unsupported' */
export const spawnPeer = async (channel: Channel, entry: PeerEntry): Promise<Peer> =>
  peerStart(channel)(entry);

/** What the peer needs to open its end of a channel. */
export interface FarEnd {
  channel: Channel;
  /** Name of the broadcast channel. */
  token: string;
  /** null for channels that need no port. */
  port: MessagePort | null;
  /** The receiver posts back what arrives, in a list. */
  echoes?: true;
}

/** A channel to a peer: the near endpoint, and what to post to the peer with `transfer`. */
export interface OpenChannel {
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
  if (channel === 'electron-port' && peer.port)
    return { endpoint: peer.port, far: { channel, token, port: null }, transfer: [] };
  const endpoint = channel === 'broadcast' ? broadcastEndpoint(token) : peer.endpoint;
  return { endpoint, far: { channel, token, port: null }, transfer: [] };
}

/** Opens the peer's end. `parent` is the endpoint to the guest that started it. */
export function farEndpoint({ channel, token, port }: FarEnd, parent: Endpoint): Endpoint {
  const { portEndpoint, parentPort, broadcastEndpoint } = currentPlatform();
  if (port) return portEndpoint(port);
  if (channel === 'electron-port' && parentPort) return parentPort();
  return channel === 'broadcast' ? broadcastEndpoint(token) : parent;
}
