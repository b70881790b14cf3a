import { filter, map } from '../../../core/value/lists.ts';
import { ToolError } from '../../../model/errors.ts';
import { channelRow } from '../../../model/names.ts';
import type { Recipe } from '../../../model/report/recipe.ts';
import type { Measured, RequestOf, Variant } from '../../../model/wire/wire.ts';
import { type FarEnd, openChannel, spawnPeer } from '../../channel/channel.ts';
import { buildPayload } from '../../payload/materialize.ts';
import { type CoreClock, type GcPauses, nextMessage, type Peer } from '../../platform/common/platform.ts';
import { currentPlatform } from '../../platform/current.ts';
import { type HandedValues, type PreparedVariant, prepareVariants } from '../variants/prepare.ts';
import {
  FINISH,
  hasSharedMemory,
  type Instructions,
  PostedInstructions,
  SharedInstructions,
} from './instructions.ts';
import type { ProfileTarget, SideProfile } from './side-profiler.ts';

/**
 * Why a variant failed in the peer, which posts the token, which no payload contains, and the reason; null when `data` is an
 * ordinary answer.
 */
export const failureIn = (token: string, data: unknown): string | null =>
  typeof data === 'string' && data.startsWith(token) ? data.slice(token.length) : null;

/** First message to a fresh peer, on its own channel, which is not measured. */
export interface PeerStart {
  recipe: Recipe;
  variants: Variant[];
  /** Its token also marks failures among the answers. */
  far: FarEnd;
  /** Memory of the shared instructions; null between processes. */
  memory: SharedArrayBuffer | null;
  /** The port on which messages are received without an event; null if they are received by event. */
  oneWay: MessagePort | null;
  /** File of the peer's profile; null without profiling. */
  profile: ProfileTarget | null;
  /** True: the peer keeps the messages that arrive, and answers with nothing, so it does not build values. */
  retains: boolean;
}

/** The peer's answer when it has values for every variant. */
export interface PeerReady {
  /** Why the payload could not be built there. */
  failed: string | null;
  /** Index of each variant that cannot be timed, and why. */
  failures: [number, string][];
  /** See `Platform.ownThread`. */
  thread: string | null;
}

/** The peer's answer to the last instruction. */
export interface PeerResults {
  gc: GcPauses | null;
  /** null without profiling; a text is the reason why it failed. */
  profile: SideProfile | string | null;
}

/** Subject and settings of a measurement with a peer. */
export type MeasureSpec = Pick<RequestOf<'measure'>, 'channel' | 'recipe' | 'variants'> & {
  profile?: ProfileTarget;
  retains?: boolean;
};

/** All that is open to one peer. */
export type PeerSession = ReturnType<typeof openPeerSession>;

/** Opens the channels that the spec asks for. */
function openPeerSession(spec: MeasureSpec, peer: Peer) {
  const { channel, recipe, variants, profile = null, retains = false } = spec;
  const platform = currentPlatform();
  const { endpoint, far, transfer } = openChannel(channel, peer);
  // Processes do not share memory. A frame runs in the thread of its page, in an extension too: neither may block for
  // the other, so that one way cannot be timed, and WebKit copies shared memory that is posted to a window.
  const shared = channelRow(channel).toThread && hasSharedMemory() ? new SharedInstructions() : null;
  const ports = shared && platform.receiveOnPort ? new MessageChannel() : null;
  const [memory, port] = [shared?.memory ?? null, ports?.port2 ?? null];
  const start: PeerStart = { recipe, variants, far, memory, oneWay: port, profile, retains };
  const oneWay = ports && platform.portEndpoint(ports.port1);
  const instructions: Instructions = shared ?? new PostedInstructions(far.token);
  const asked = (post: () => void) => nextMessage(peer.endpoint, post) as Promise<PeerReady>;
  return {
    peer,
    endpoint,
    instructions,
    /** See `failureIn`. */
    token: far.token,
    /** null between processes, in one thread, and between threads that share no memory: one way cannot be timed. */
    shared,
    /** Endpoint of messages that are received without an event; null if one-way messages use `endpoint`. */
    oneWay,
    /** Sends the peer its ends of the channels and waits until it is ready. */
    handshake: () => asked(() => peer.endpoint.postWith(start, port ? [...transfer, port] : transfer)),
    /** Posts values to a peer that could not build them. @throws the error of posting */
    handOver: (values: HandedValues) => asked(() => peer.endpoint.post(values)),
    /** Posts the last instruction and waits for the results. */
    finish: () => nextMessage(endpoint, () => instructions.post(endpoint, FINISH, 0)) as Promise<PeerResults>,
    close: () => {
      endpoint.close();
      oneWay?.close();
    },
  };
}

/**
 * Starts a fresh peer and does the work with it. The peer has ended when this settles.
 *
 * @throws ToolError 'measure-failed' when the peer dies, 'channel-unsupported', and what the work throws
 */
export async function withPeer<T>(spec: MeasureSpec, work: (session: PeerSession) => Promise<T>): Promise<T> {
  const peer = await spawnPeer(spec.channel);
  const session = openPeerSession(spec, peer);
  try {
    return await peer.whileAlive(work(session));
  } finally {
    peer.over = true;
    session.close();
    await peer.end();
  }
}

/**
 * Prepares both sides: they all hold their first values when this resolves.
 *
 * @param other session with the peer of the other channel
 * @throws ToolError when the payload cannot be built
 */
export async function prepareBothSides(
  session: PeerSession,
  spec: MeasureSpec,
  other: PeerSession | null = null,
): Promise<{ variants: PreparedVariant[]; answers: Measured['answers']; clock: CoreClock | null }> {
  const [variants, first, ...others] = await Promise.all([
    prepareVariants(spec.variants, spec.recipe, session.endpoint.transfers, 'sender'),
    session.handshake(),
    ...(other === null ? [] : [other.handshake()]),
  ]);
  const { ready, answers } = await withHandedValues(session, spec, first);
  for (const { failed, failures } of [ready, ...others]) {
    if (failed !== null) throw new ToolError('measure-failed', { detail: failed });
    for (const [index, reason] of failures) variants[index]!.samples.error ??= reason;
  }
  for (const { factory } of variants) factory.isAnsweredEmpty = answers?.with === 'empty';
  return { variants, answers, clock: clockOf([ready, ...others]) };
}

/** Core clock of this thread and its peers (one works at a time); null if the system does not report their times. */
function clockOf(peers: readonly PeerReady[]): CoreClock | null {
  const { ownThread, coreClock } = currentPlatform();
  const threads = [ownThread?.() ?? null, ...map(peers, ({ thread }) => thread)];
  const known = filter(threads, (thread) => thread !== null);
  return known.length < threads.length ? null : (coreClock?.(known) ?? null);
}

/**
 * Only a page has a document: a worker that cannot build the payload gets one from the page, and answers with copies of
 * it. A value that can only be moved cannot be copied: such answers are empty.
 */
async function withHandedValues(
  session: PeerSession,
  { recipe, variants }: MeasureSpec,
  first: PeerReady,
): Promise<{ ready: PeerReady; answers?: Measured['answers'] }> {
  const { failed: why } = first;
  const isPage = currentPlatform().peers.window !== undefined;
  if (why === null || !isPage) return { ready: first };
  const recipes = [recipe, ...map(variants, (one) => one.recipe)];
  const built = await Promise.all(map(recipes, (one) => one && buildPayload(one)));
  const copied = await session.handOver(map(built, (one) => one?.value)).catch(() => null);
  if (copied?.failed === null) return { ready: copied, answers: { with: 'handed', why } };
  return { ready: await session.handOver(null), answers: { with: 'empty', why } };
}
