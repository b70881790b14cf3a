import { ToolError } from '../../model/errors.ts';
import { type Channel, isJson, isLocal } from '../../model/names.ts';
import { attempt } from '../../model/or-else.ts';
import {
  type Endpoint,
  type LocalEndpoint,
  nextMessage,
  noop,
  type Peer,
  type Platform,
} from '../platform/common/platform.ts';
import { currentPlatform } from '../platform/current.ts';
import { thrownMessage } from '../user-code/thrown.ts';
import { type FarEnd, farEndpoint, openChannel, spawnPeer, withLocal } from './channel.ts';
import { EMPTY } from './empty.ts';

/** A message within a machine arrives within microseconds; an engine may stop delivering altogether. */
const TIMEOUT_MS = 10_000;

/** Answer of a receiver that could not read the message. */
const UNREADABLE = 'clone-prof: the message could not be deserialized';

/** Outcome of one post. */
export interface Observed {
  /** Error that the call threw. */
  refused: string | null;
  /** Reason for which nothing was received, although the call did not throw. */
  lost: string | null;
  /** Received data; null also if it could not be posted back. */
  arrived: { data: unknown } | null;
}

const NOTHING: Observed = { refused: null, lost: null, arrived: null };
const refused = (error: unknown): Observed => ({ ...NOTHING, refused: thrownMessage(error) });

/** Chromium gives a listener null for a message that it cannot read. JSON text writes null for some objects. */
function withNull(seen: Observed, channel: Channel, value: unknown): Observed {
  const isLost =
    seen.arrived?.data === null && typeof value === 'object' && value !== null && !isJson(channel);
  return isLost ? { ...NOTHING, lost: 'null arrives in place of the message' } : seen;
}

/** A channel to a peer that posts back what arrives. */
interface EchoChannel {
  peer: Peer;
  endpoint: Endpoint;
  token: string;
}

/** @throws ToolError 'channel-unsupported' */
async function openEcho(channel: Channel): Promise<EchoChannel> {
  const peer = await spawnPeer(channel);
  const { endpoint, far, transfer } = openChannel(channel, peer);
  await peer.whileAlive(nextMessage(peer.endpoint, () => peer.endpoint.postWith(far, transfer)));
  return { peer, endpoint, token: far.token };
}

/**
 * The other end of values that may be refused: acknowledges every message in its listener, posts it back in a list, and answers
 * the token with itself.
 */
export function acknowledgeMessages(parent: Endpoint, far: FarEnd): void {
  const endpoint = farEndpoint(far, parent);
  endpoint.onMessage = (data) => {
    endpoint.post(data === far.token ? data : EMPTY);
    // The message has arrived. Data that must be in a transfer list cannot be posted back.
    if (data !== far.token) attempt(() => endpoint.post([data]));
  };
  endpoint.onMessageError = () => endpoint.post(UNREADABLE);
  parent.post(EMPTY);
}

async function observe(
  { peer, endpoint, token }: EchoChannel,
  value: unknown,
  transfer: Transferable[],
): Promise<Observed> {
  try {
    if (transfer.length === 0) endpoint.post(value);
    else endpoint.postWith(value, transfer);
  } catch (error) {
    return refused(error);
  }
  // Messages arrive in order: if this message is here, an earlier message that is missing is lost.
  let observed: Observed = { ...NOTHING, lost: 'the message never arrives' };
  const answered = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('no message arrives any more')), TIMEOUT_MS);
    endpoint.onMessage = (answer) => {
      if (answer === UNREADABLE)
        observed = { ...NOTHING, lost: 'the message arrived but could not be deserialized' };
      else if (answer !== token)
        // The first is the acknowledgement. Bun up to 1.2.21 never delivers a Blob that is posted back in a list.
        observed = Array.isArray(answer) ? { ...NOTHING, arrived: { data: answer[0] } } : NOTHING;
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
    if (observed.lost !== null)
      return ENDED.test(detail) ? { ...NOTHING, lost: `it ends the receiver: ${detail}` } : refused(detail);
  }
  return observed;
}

const observeLocal = (channel: Channel, value: unknown, transfer: Transferable[]): Promise<Observed> =>
  withLocal(channel, async (local) => {
    const endpoint = local.endpoint('serialized');
    try {
      endpoint.postWith(value, transfer);
    } catch (error) {
      return refused(error);
    }
    return { ...NOTHING, ...(await readBack(endpoint)) };
  });

/** Until it ends, the call has thrown nothing. @throws ToolError if the store is at fault, not the value */
async function readBack(endpoint: LocalEndpoint): Promise<Partial<Observed>> {
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

async function observeCall(echoed: NonNullable<Platform['echoed']>, value: unknown): Promise<Observed> {
  const came = await echoed(value);
  if (came === null) return NOTHING;
  return 'data' in came ? { ...NOTHING, arrived: came } : { ...NOTHING, ...came };
}

/** All else is the error of a refusal that ends the connection instead of the call. */
const ENDED = /^the (child process|worker|renderer) ended/;

/** One open channel for each name, until the guest ends. */
const channels = new Map<Channel, Promise<EchoChannel>>();

/** Opens it anew if its peer is over: browsers end a service worker that has had no message for half a minute. */
async function openedEcho(channel: Channel): Promise<EchoChannel> {
  const known = channels.get(channel);
  const echo = await known?.catch(noop);
  if (known && echo?.peer.over) await endEcho(channel, known);
  const opened = channels.get(channel) ?? openEcho(channel);
  channels.set(channel, opened);
  return opened;
}

/**
 * Opens a channel before the value is built that is posted over it: an RTCDataChannel can be moved only in the task that
 * made it. If it cannot be opened, the post says so.
 */
export async function openBeforeBuild(channel: Channel): Promise<void> {
  if (isLocal(channel) || currentPlatform().echoed) return;
  await openedEcho(channel).catch(noop);
}

/**
 * Posts a value over a real channel of this kind: channels differ in what they take and in what arrives.
 *
 * @returns undefined if that cannot be seen
 */
export async function observePost(
  channel: Channel,
  value: unknown,
  transfer: Transferable[] = [],
): Promise<Observed | undefined> {
  if (isLocal(channel)) return withNull(await observeLocal(channel, value, transfer), channel, value);
  const { echoed, endsProcess } = currentPlatform();
  const thrown = endsProcess?.(channel, value) ?? null;
  if (thrown !== null) return { ...NOTHING, refused: thrown };
  if (echoed) return observeCall(echoed, value);
  const opened = openedEcho(channel);
  try {
    const echo = await opened;
    const seen = await observe(echo, value, transfer);
    // A message that a child cannot read ends it, perhaps only after it has answered.
    if (echo.peer.over || seen.lost !== null) await endEcho(channel, opened);
    return withNull(seen, channel, value);
  } catch {
    await endEcho(channel, opened);
    return undefined;
  }
}

/** Deno's child lives on without a connection. */
async function endEcho(channel: Channel, opened: Promise<EchoChannel>): Promise<void> {
  channels.delete(channel);
  await opened.then(({ peer }) => peer.end()).catch(noop);
}
