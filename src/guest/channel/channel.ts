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
  type LocalEndpoint,
  newToken,
  noop,
  type Observed,
  type Peer,
  type PeerStart,
} from '../platform/common/platform.ts';
import { thrownBy, thrownMessage } from '../user-code/thrown.ts';

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

export interface OpenChannel {
  peer: Peer;
  endpoint: Endpoint;
  /** Text that no payload contains: it marks messages of clone-prof. */
  token: string;
}

export async function openChannel(channel: Channel): Promise<OpenChannel> {
  const peer = await spawnPeer(channel);
  return { peer, endpoint: peer.port ?? peer.endpoint, token: newToken() };
}

/** A message within a machine arrives within microseconds; an engine may stop delivering altogether. */
const TIMEOUT_MS = 10_000;

const UNREADABLE = 'clone-prof: the message could not be deserialized';

/** Chromium gives a listener null for a message that it cannot read. JSON text writes null for some objects. */
function withNull(seen: Observed, channel: Channel, value: unknown): Observed {
  const isLost =
    seen.arrived?.data === null && typeof value === 'object' && value !== null && !isJson(channel);
  return isLost ? { lost: 'null arrives in place of the message' } : seen;
}

async function openEcho(channel: Channel): Promise<OpenChannel> {
  const opened = await openChannel(channel);
  await opened.peer.ask({ acknowledges: opened.token } satisfies EchoStart);
  return opened;
}

export interface EchoStart {
  acknowledges: string;
}

/** For values that may be refused: acknowledges each message, posts it back in a list, answers the token with itself. */
export function acknowledgeMessages(parent: Endpoint, endpoint: Endpoint, token: string): void {
  endpoint.onMessage = (data) => {
    endpoint.post(data === token ? data : EMPTY);
    // The message has arrived. Data that must be in a transfer list cannot be posted back.
    if (data !== token) attempt(() => endpoint.post([data]));
  };
  endpoint.onMessageError = () => endpoint.post(UNREADABLE);
  parent.post(EMPTY);
}

async function observe(
  { peer, endpoint, token }: OpenChannel,
  value: unknown,
  transfer: Transferable[],
): Promise<Observed> {
  const refused = thrownBy(() => endpoint.post(value, transfer.length === 0 ? undefined : transfer));
  if (refused !== null) return { refused };
  // Messages arrive in order: if this message is here, an earlier message that is missing is lost.
  let observed: Observed = { lost: 'the message never arrives' };
  const answered = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('no message arrives any more')), TIMEOUT_MS);
    endpoint.onMessage = (answer) => {
      if (answer === UNREADABLE) observed = { lost: 'the message arrived but could not be deserialized' };
      else if (answer !== token)
        // The first is the acknowledgement. Bun up to 1.2.21 never delivers a Blob that is posted back in a list.
        observed = Array.isArray(answer) ? { arrived: { data: answer[0] } } : {};
      else {
        clearTimeout(late);
        resolve();
      }
    };
  });
  endpoint.post(token);
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

const observeLocal = (channel: Channel, value: unknown, transfer: Transferable[]): Promise<Observed> =>
  withLocal(channel, async (local) => {
    const endpoint = local.endpoint('serialized');
    const refused = thrownBy(() => endpoint.post(value, transfer));
    return refused === null ? readBack(endpoint) : { refused };
  });

/** Until it ends, the call has thrown nothing. @throws ToolError if the store is at fault, not the value */
async function readBack(endpoint: LocalEndpoint): Promise<Observed> {
  try {
    await endpoint.written?.();
  } catch (error) {
    if (error instanceof ToolError) throw error;
    return { lost: thrownMessage(error) };
  }
  try {
    await endpoint.asked?.();
    return { arrived: { data: endpoint.received } };
  } catch (error) {
    return { lost: `what was written cannot be read: ${thrownMessage(error)}` };
  }
}

/** All else is the error of a refusal that ends the connection instead of the call. */
const ENDED = /^the (child process|worker|renderer) ended/;

/** One open channel for each name, until the guest ends. */
const channels = new Map<Channel, Promise<OpenChannel>>();

/** Opens a new channel if the peer has ended: browsers end a service worker that received no message for half a minute. */
async function openedEcho(channel: Channel): Promise<OpenChannel> {
  const known = channels.get(channel);
  const echo = await known?.catch(noop);
  if (known && echo?.peer.over) await endEcho(channel, known);
  const opened = channels.get(channel) ?? openEcho(channel);
  channels.set(channel, opened);
  return opened;
}

/** Called before a build: an RTCDataChannel can be moved only in the task that created it. The post reports errors. */
export async function openBeforeBuild(channel: Channel): Promise<void> {
  if (isLocal(channel) || currentPlatform().echoed) return;
  await openedEcho(channel).catch(noop);
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
  const opened = openedEcho(channel);
  try {
    const echo = await opened;
    const seen = await observe(echo, value, transfer);
    // A message that a child cannot read ends it, perhaps only after it has answered.
    if (echo.peer.over || seen.lost !== undefined) await endEcho(channel, opened);
    return withNull(seen, channel, value);
  } catch {
    await endEcho(channel, opened);
    return undefined;
  }
}

/** Deno's child lives on without a connection. */
async function endEcho(channel: Channel, opened: Promise<OpenChannel>): Promise<void> {
  channels.delete(channel);
  await opened.then(({ peer }) => peer.end()).catch(noop);
}

/** In an object, because a promise would look for `then` on the data. `read` gets it while its store exists. */
export type Deliver = (
  message: unknown,
  transfer?: Transferable[],
  read?: (data: unknown) => Promise<unknown>,
) => Promise<{ data: unknown; fileBytes?: number }>;

/** Data that a real message channel delivers. @throws the error of postMessage, NotDelivered */
export const deliver: Deliver = (message, transfer = []) =>
  postHere(message, transfer, ({ data }) => ({ data }));

const asJson: Deliver = async (message) => ({ data: JSON.parse(JSON.stringify(message)) });

const asStored =
  (channel: Channel, content: FileContent): Deliver =>
  (message, _, read) =>
    withLocal(channel, async (store) => {
      const endpoint = store.endpoint(content);
      endpoint.post(message);
      await endpoint.written?.();
      await endpoint.asked?.();
      const stored = endpoint.received;
      const data = read ? await read(stored) : stored;
      const fileBytes = store.bytes?.() ?? null;
      return { data, ...(fileBytes !== null && { fileBytes }) };
    });

/** Posts over the real channel, because some values that a port clones do not arrive. */
const asPosted =
  (channel: Channel): Deliver =>
  async (message, transfer) => {
    const seen = await observePost(channel, message, transfer);
    if (seen?.arrived) return seen.arrived;
    throw new Error(seen?.refused ?? seen?.lost ?? 'what arrives cannot come back');
  };

/** Delivery of data over a channel. Most channels deliver as a port does. */
export function deliveryOver(channel: Channel, content: FileContent): Deliver {
  if (isStore(channel)) return asStored(channel, content);
  if (isJson(channel)) return asJson;
  return channelRow(channel).ownSteps ? asPosted(channel) : deliver;
}
