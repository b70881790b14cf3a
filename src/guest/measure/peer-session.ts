import type { Profile } from '../../model/documents/profile.ts';
import { ToolError } from '../../model/errors.ts';
import { channelRow } from '../../model/names.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { ProfiledSide, ProfilerName } from '../../model/vocabulary/words.ts';
import type { Measured, RequestOf, Variant } from '../../model/wire/wire.ts';
import { type FunctionTime, functionTimes } from '../../stats/profile/summary.ts';
import { filter, map } from '../../value/read/lists.ts';
import { spawnPeer } from '../channel/channel.ts';
import { buildPayload } from '../payload/materialize.ts';
import {
  type CoreClock,
  currentPlatform,
  type Endpoint,
  newToken,
  nextMessage,
  type Pauses,
  type Peer,
} from '../platform/common/platform.ts';
import { thrownMessage } from '../user-code/user-code.ts';
import { type HandedValues, type PreparedVariant, prepareVariants } from './variants.ts';

/** Restore the message and answer with an own one. */
export const ANSWER = 0;
/** Build a fresh value for this variant, then report that it is ready. */
export const PREPARE = 1;
export const RECEIVE = 2;
export const FINISH = 3;
/** Receive messages once all of them are queued, and keep what they bring. */
export const RETAIN = 4;

/** They announce each message: an envelope around it would change the measured path. The peer calls `read` first. */
export type Instructions = SharedInstructions | PostedInstructions;

const INSTRUCTION = 0;
const VARIANT = 1;
const READY = 2;
const POSTED = 3;
const RECEIVED = 4;
const MESSAGES = 5;
const DURATION_BYTE = 24;
const BYTES = 32;

const WAITING = 0;
const DONE = 1;
const GIVEN_UP = 2;

/**
 * Time for which the sender blocks between two turns of the event loop, ms. A turn notices the end of the peer, and
 * older Bun (seen to 1.3.9) delivers broadcast messages in it.
 */
const BLOCKED_MS = 2;

/** Between two short waits a terminated worker is sure to end. */
const WAIT_MS = 100;

/** Only isolated pages have it; WebKit needs an option too. */
export const hasSharedMemory = (): boolean => typeof SharedArrayBuffer === 'function';

/** Between threads, in shared memory. Posting a message orders the plain stores before it. */
export class SharedInstructions {
  /** Each block of messages must be announced by another. */
  readonly announces = false;
  instruction = ANSWER;
  variant = -1;
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #duration: Float64Array;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(BYTES)) {
    this.memory = memory;
    this.#words = new Int32Array(memory);
    this.#duration = new Float64Array(memory, DURATION_BYTE, 1);
  }

  post(endpoint: Endpoint, instruction: number, variant: number): void {
    this.expect(variant, instruction);
    endpoint.post('');
  }

  /** The next message on the endpoint is the variant's own. */
  expect(variant: number, instruction = ANSWER): void {
    this.#words[INSTRUCTION] = instruction;
    this.#words[VARIANT] = variant;
  }

  read(_data: unknown): void {
    this.instruction = this.#words[INSTRUCTION] as number;
    this.variant = this.#words[VARIANT] as number;
  }

  /** Number of messages that follow a RECEIVE or RETAIN. Set it before `post`; later only before `reportPosted`. */
  get messages(): number {
    return this.#words[MESSAGES] as number;
  }

  set messages(count: number) {
    this.#words[MESSAGES] = count;
  }

  /** Sender, before it posts RECEIVE: resets the three states. */
  reset(): void {
    for (const word of [READY, POSTED, RECEIVED]) Atomics.store(this.#words, word, WAITING);
  }

  /** Sender: true once the peer waits for the message, false after BLOCKED_MS. `awaitReceived`: has received it. */
  awaitReady(): boolean {
    return waitFor(this.#words, READY, BLOCKED_MS);
  }

  /** Sender: the message is in the peer's queue, or will not come. */
  reportPosted(posted: boolean): void {
    Atomics.store(this.#words, POSTED, posted ? DONE : GIVEN_UP);
    Atomics.notify(this.#words, POSTED);
  }

  /** Peer: blocks the thread until the message is queued; false when the sender has given up. */
  awaitPosted(): boolean {
    Atomics.store(this.#words, READY, DONE);
    Atomics.notify(this.#words, READY);
    while (!waitFor(this.#words, POSTED, WAIT_MS));
    return Atomics.load(this.#words, POSTED) === DONE;
  }

  /** Peer: receiving took this many ns; negative when it failed. */
  reportReceived(ns: number): void {
    this.#duration[0] = ns;
    Atomics.store(this.#words, RECEIVED, DONE);
    Atomics.notify(this.#words, RECEIVED);
  }

  awaitReceived(): boolean {
    return waitFor(this.#words, RECEIVED, BLOCKED_MS);
  }

  get duration(): number {
    return this.#duration[0] as number;
  }
}

/** True when the word is no longer WAITING. It answers at once if this thread must not block. */
function waitFor(words: Int32Array, word: number, ms: number): boolean {
  if (Atomics.load(words, word) !== WAITING) return true;
  return currentPlatform().mayBlock && Atomics.wait(words, word, WAITING, ms) !== 'timed-out';
}

/**
 * Between processes, and threads that share no memory: a small message announces each block of messages, which begins when
 * the peer has answered. The token marks an instruction, because an announced message may fail to be posted.
 */
export class PostedInstructions {
  readonly announces = true;
  instruction = ANSWER;
  variant = -1;
  messages = 1;
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  post(endpoint: Endpoint, instruction: number, variant: number): void {
    endpoint.post([this.#token, instruction, variant, this.messages]);
  }

  expect(_variant: number): void {
    // PREPARE has announced it.
  }

  read(data: unknown): void {
    this.instruction = ANSWER;
    if (!Array.isArray(data) || data[0] !== this.#token) return;
    [, this.instruction, this.variant, this.messages] = data as [string, number, number, number];
  }
}

/** Why a variant failed in the peer, which posts the token and the reason; null for an ordinary answer. */
export const failureIn = (token: string, data: unknown): string | null =>
  typeof data === 'string' && data.startsWith(token) ? data.slice(token.length) : null;

/** First message to a fresh peer, on its own channel, which is not measured. */
export interface PeerStart {
  recipe: Recipe;
  variants: Variant[];
  token: string;
  /** Memory of the shared instructions; null between processes. */
  memory: SharedArrayBuffer | null;
  /** The port on which messages are received without an event; null if they are received by event. */
  oneWay: MessagePort | null;
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
  thread: string | null;
}

export interface PeerResults {
  gc: Pauses | null;
  profile: SideProfile | null;
}

export type MeasureSpec = Pick<RequestOf<'measure'>, 'channel' | 'recipe' | 'variants'> & {
  profile?: ProfileTarget;
  retains?: boolean;
};

export type PeerSession = ReturnType<typeof openPeerSession>;

function openPeerSession(spec: MeasureSpec, peer: Peer) {
  const { port: endpoint = peer.endpoint } = peer;
  /** Text that no payload contains: it marks messages of clone-prof. */
  const token = newToken();
  const { channel, recipe, variants, profile = null, retains = false } = spec;
  const platform = currentPlatform();
  // Processes do not share memory. A frame runs in the thread of its page, in an extension too: neither may block for
  // the other, so that one way cannot be timed, and WebKit copies shared memory that is posted to a window.
  const shared = channelRow(channel).toThread && hasSharedMemory() ? new SharedInstructions() : null;
  const ports = shared && platform.receiveOnPort ? new MessageChannel() : null;
  const [memory, port2] = [shared?.memory ?? null, ports?.port2 ?? null];
  const start: PeerStart = { recipe, variants, token, memory, oneWay: port2, profile, retains };
  const oneWay = ports && platform.portEndpoint(ports.port1);
  const instructions: Instructions = shared ?? new PostedInstructions(token);
  return {
    peer,
    endpoint,
    instructions,
    token,
    /** null between processes, in one thread, and between threads that share no memory: one way cannot be timed. */
    shared,
    /** Endpoint of messages that are received without an event; null if one-way messages use `endpoint`. */
    oneWay,
    handshake: () => peer.ask(start, port2 ? [port2] : undefined) as Promise<PeerReady>,
    /** Posts values to a peer that could not build them. @throws the error of posting */
    handOver: (values: HandedValues) => peer.ask(values) as Promise<PeerReady>,
    finish: () => nextMessage(endpoint, () => instructions.post(endpoint, FINISH, 0)) as Promise<PeerResults>,
    close: () => {
      endpoint.close();
      oneWay?.close();
    },
  };
}

/** The fresh peer has ended when this settles. @throws ToolError 'measure-failed' if it dies first, 'channel-unsupported' */
export async function withPeer<T>(spec: MeasureSpec, work: (session: PeerSession) => Promise<T>): Promise<T> {
  const session = openPeerSession(spec, await spawnPeer(spec.channel));
  const { peer } = session;
  try {
    return await peer.whileAlive(work(session));
  } finally {
    peer.over = true;
    session.close();
    await peer.end();
  }
}

/** Both sides hold their first values when this resolves. @throws ToolError if the payload cannot be built */
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

/** Names of the files that a thread writes: `<folder>/<name>.<side>.cpuprofile`. */
type ProfileTarget = Pick<RequestOf<'profile'>, 'folder' | 'name'>;

/** The profile of one thread; small, because it is posted as a message. */
export interface SideProfile {
  by: ProfilerName | null;
  files: string[];
  spent: FunctionTime[];
  missing: Profile['missing'];
}

export const NO_PROFILE: SideProfile = { by: null, files: [], spent: [], missing: [] };

/** The result ends the profiler of this thread and writes its files. @throws ToolError 'output-unwritable' */
export async function startProfile(
  side: ProfiledSide,
  { folder, name }: ProfileTarget,
): Promise<() => Promise<SideProfile>> {
  const endProfiler = await currentPlatform().startProfiler!();
  const written = (ending: string, content: object | null): string[] => {
    if (content === null) return [];
    const file = `${name}.${side}.${ending}`;
    try {
      currentPlatform().writeFile!(folder, file, JSON.stringify(content));
      return [file];
    } catch (error) {
      throw new ToolError('output-unwritable', { file, detail: thrownMessage(error) });
    }
  };
  return async () => {
    const { by, tool, cpu, heap, missing } = await endProfiler();
    return {
      by: cpu === null ? null : by,
      files: [...written('cpuprofile', cpu), ...written('heapprofile', heap)],
      spent: cpu === null ? [] : functionTimes(cpu, { tool, by }),
      missing: map(missing, ({ what, why }) => ({ what: `${side} ${what}`, why })),
    };
  };
}
