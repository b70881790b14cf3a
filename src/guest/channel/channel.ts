/** Channels of this runtime: to a fresh peer, without a peer, and what arrives of a value that is posted over one. */

import { postHere } from '../../engines/probe/post-here.ts';
import { ToolError } from '../../model/errors.ts';
import {
  type Channel,
  channelRow,
  extensionChannel,
  type FileContent,
  isJson,
  isLocal,
  isStore,
} from '../../model/names.ts';
import { attempt } from '../../model/or-else.ts';
import {
  currentPlatform,
  type Endpoint,
  type LocalChannel,
  noop,
  type Observed,
  type Peer,
  type PeerStart,
} from '../platform/common/platform.ts';
import { thrownBy, thrownMessage } from '../user-code/user-code.ts';

/** The cheapest message on every runtime: Bun shares only strings among primitives, and Deno's codec takes them too. */
export const EMPTY = '';

function channelUnsupported(channel: Channel): ToolError {
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
  if (open === undefined) throw channelUnsupported(channel);
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

function peerStart(channel: Channel): PeerStart {
  const start = currentPlatform().peers[channel];
  if (start === undefined) throw channelUnsupported(channel);
  return start;
}

export const spawnPeer = async (channel: Channel): Promise<Peer> => peerStart(channel)('peer');

/** One peer of each channel, until the guest ends; a new one if it has ended. @param begin what it does first */
export function keptPeers(begin: (peer: Peer) => Promise<unknown>): (channel: Channel) => Promise<Peer> {
  const kept = new Map<Channel, Promise<Peer>>();
  return async (channel) => {
    const known = await kept.get(channel)?.catch(noop);
    if (known && !known.over) return known;
    const started = spawnPeer(channel).then(async (peer) => {
      await begin(peer);
      return peer;
    });
    kept.set(channel, started);
    return started;
  };
}

/** A message within a machine arrives within microseconds; an engine may stop delivering altogether. */
const TIMEOUT_MS = 10_000;

const UNREADABLE = 'clone-prof: the message could not be deserialized';
/** Follows each message: they arrive in order, so that an earlier one that is missing is lost. */
const FOLLOWS = 'clone-prof: the message before this';

/** Chromium gives a listener null for a message that it cannot read. JSON text writes null for some objects. */
function withNull(seen: Observed, channel: Channel, value: unknown): Observed {
  const isLost =
    seen.arrived?.data === null && typeof value === 'object' && value !== null && !isJson(channel);
  return isLost ? { lost: 'null arrives in place of the message' } : seen;
}

export interface EchoStart {
  acknowledges: true;
}

const echoes = keptPeers((peer) => peer.ask({ acknowledges: true } satisfies EchoStart));

/** For values that may be refused: acknowledges each message, posts it back in a list, answers FOLLOWS with itself. */
export function acknowledgeMessages(parent: Endpoint, endpoint: Endpoint): void {
  endpoint.onMessage = (data) => {
    endpoint.post(data === FOLLOWS ? data : EMPTY);
    // The message has arrived. Data that must be in a transfer list cannot be posted back.
    if (data !== FOLLOWS) attempt(() => endpoint.post([data]));
  };
  endpoint.onMessageError = () => endpoint.post(UNREADABLE);
  parent.post(EMPTY);
}

async function observe(peer: Peer, value: unknown, transfer: Transferable[]): Promise<Observed> {
  const { port: endpoint = peer.endpoint } = peer;
  const refused = thrownBy(() => endpoint.post(value, transfer.length === 0 ? undefined : transfer));
  if (refused !== null) return { refused };
  let observed: Observed = { lost: 'the message never arrives' };
  const answered = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('no message arrives any more')), TIMEOUT_MS);
    endpoint.onMessage = (answer) => {
      if (answer === UNREADABLE) observed = { lost: 'the message arrived but could not be deserialized' };
      else if (answer !== FOLLOWS)
        // The first is the acknowledgement. Bun up to 1.2.21 never delivers a Blob that is posted back in a list.
        observed = Array.isArray(answer) ? { arrived: { data: answer[0] } } : {};
      else {
        clearTimeout(late);
        resolve();
      }
    };
  });
  endpoint.post(FOLLOWS);
  try {
    await peer.whileAlive(answered);
  } catch (error) {
    const { detail } = error instanceof ToolError ? error.facts : {};
    if (detail === undefined) throw error;
    if (observed.lost !== undefined)
      return ENDED.test(detail) ? { lost: `it ends the receiver: ${detail}` } : { refused: detail };
  }
  return observed;
}

/** Gets the data while its store exists. */
type Read = (data: unknown) => Promise<unknown>;

/** @throws ToolError if the store is at fault, not the value; errors of `read` */
const observeLocal = (
  channel: Channel,
  value: unknown,
  transfer: Transferable[] = [],
  { content = 'serialized', read }: { content?: FileContent; read?: Read | undefined } = {},
): Promise<Observed> =>
  withLocal(channel, async (local) => {
    const endpoint = local.endpoint(content);
    const refused = thrownBy(() => endpoint.post(value, transfer));
    if (refused !== null) return { refused };
    let data: unknown;
    try {
      await endpoint.written?.();
    } catch (error) {
      if (error instanceof ToolError) throw error;
      return { lost: thrownMessage(error) };
    }
    try {
      await endpoint.asked?.();
      data = endpoint.received;
    } catch (error) {
      return { lost: `what was written cannot be read: ${thrownMessage(error)}` };
    }
    const fileBytes = local.bytes?.() ?? null;
    return { arrived: { data: read ? await read(data) : data, ...(fileBytes !== null && { fileBytes }) } };
  });

/** All else is the error of a refusal that ends the connection instead of the call. */
const ENDED = /^the (child process|worker|renderer) ended/;

/** Called before a build: an RTCDataChannel can be moved only in the task that created it. The post reports errors. */
export async function openBeforeBuild(channel: Channel): Promise<void> {
  if (isLocal(channel) || currentPlatform().echoed) return;
  await echoes(channel).catch(noop);
}

/** Posts over a real channel: channels differ in what they take and what arrives. Undefined if that cannot be seen. */
export async function observePost(
  channel: Channel,
  value: unknown,
  transfer: Transferable[] = [],
): Promise<Observed | undefined> {
  if (isLocal(channel)) return withNull(await observeLocal(channel, value, transfer), channel, value);
  const { echoed, endsProcess } = currentPlatform();
  const thrown = endsProcess?.(channel, value) ?? null;
  if (thrown !== null) return { refused: thrown };
  if (echoed) return echoed(value);
  let peer: Peer | undefined;
  try {
    peer = await echoes(channel);
    const seen = await observe(peer, value, transfer);
    // A message that a child cannot read ends it, perhaps only after it has answered. Deno's lives on without a connection.
    if (peer.over || seen.lost !== undefined) await peer.end();
    return withNull(seen, channel, value);
  } catch {
    await peer?.end().catch(noop);
    return undefined;
  }
}

/** In an object, because a promise would look for `then` on the data. */
export type Deliver = (
  message: unknown,
  transfer?: Transferable[],
  read?: Read,
) => Promise<NonNullable<Observed['arrived']>>;

/** Data that a real message channel delivers. @throws the error of postMessage, NotDelivered */
export const deliver: Deliver = (message, transfer = []) =>
  postHere(message, transfer, ({ data }) => ({ data }));

const asJson: Deliver = async (message) => ({ data: JSON.parse(JSON.stringify(message)) });

/** Over the real channel, because some values that a port clones do not arrive. */
const asObserved =
  (channel: Channel, content: FileContent): Deliver =>
  async (message, transfer, read) => {
    const seen = isLocal(channel)
      ? await observeLocal(channel, message, [], { content, read })
      : await observePost(channel, message, transfer);
    if (seen?.arrived) return seen.arrived;
    const detail = seen?.refused ?? seen?.lost ?? 'what arrives cannot come back';
    throw new ToolError('measure-failed', { detail });
  };

export function deliveryOver(channel: Channel, content: FileContent): Deliver {
  if (isJson(channel)) return asJson;
  return isStore(channel) || channelRow(channel).ownSteps ? asObserved(channel, content) : deliver;
}
