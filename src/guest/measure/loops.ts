/** Loops of messages: round trips to a peer, one way to it, and over a channel without a peer. */
import { measureStep, now } from '../platform/common/clock.ts';
import {
  type CoreClock,
  currentPlatform,
  type Endpoint,
  type LocalChannel,
  type LocalEndpoint,
  nextMessage,
} from '../platform/common/platform.ts';
import { thrownMessage } from '../user-code/user-code.ts';
import { type Schedule, type StopWhen, type TimedLoop, takeTurns } from './interleave.ts';
import { failureIn, type PeerSession, PREPARE, RECEIVE, type SharedInstructions } from './peer-session.ts';
import type { MessageFactory, PreparedVariant, VariantSamples } from './variants.ts';

/** Send sums have clock steps of 5 µs (Chromium) or 20 µs (WebKit). In pages without isolation they are coarser. */
const COARSE_STEP_NS = 50_000;

/**
 * Reading the time on cores takes 10 to 40 µs a round trip. If no round trip is longer than this, most of the time is
 * waking, which time on cores does not include, and few messages are interrupted.
 */
const MIN_CORE_NS = 500_000;

/**
 * Round trips as a program sees them: post, return to the event loop, receive the echo. With a coarse clock a turn is a
 * block of such trips, and a sample the mean of its trips. This is a state machine in the message listener. It makes no
 * promise, closure or object for a message, because a hand-written ping-pong makes none either.
 */
export class RoundTripLoop implements TimedLoop {
  keeping = false;
  readonly schedule: Schedule;
  readonly #sessionOf: (index: number) => PeerSession;
  readonly #variants: readonly PreparedVariant[];
  /** True if no one-way loop times the send, and the clock can. */
  readonly #timesSend: boolean;
  #stop: StopWhen = () => true;
  #resolve: () => void = () => undefined;
  /** Set while the peer builds a value: called with its failure, or null. */
  #onPrepared: ((failure: string | null) => void) | null = null;
  #turn = 0;
  #cold = true;
  /** Time at which the clock was started; null while it stands. The time for building values does not count. */
  #began: number | null = null;
  /** Sums of the block: ns until the clock was stopped, ns of posting, round trips. */
  #spent = 0;
  #sending = 0;
  #trips = 0;
  /** Core clock of both threads; null if it adds no information. */
  #clock: CoreClock | null;
  #ranBefore = 0;
  #waitedBefore = 0;
  /** Sums of all round trips whose core time was read. */
  #coreTrips = 0;
  #waited = 0;

  constructor(
    sessionOf: (index: number) => PeerSession,
    variants: readonly PreparedVariant[],
    schedule: Schedule,
    clock: CoreClock | null = null,
  ) {
    this.#clock = clock;
    this.#sessionOf = sessionOf;
    this.#variants = variants;
    this.#timesSend = sessionOf(0).shared === null && measureStep() < COARSE_STEP_NS;
    this.schedule = schedule;
  }

  get #session(): PeerSession {
    return this.#sessionOf(this.#turn);
  }

  run(stop: StopWhen): Promise<void> {
    this.#stop = stop;
    // Decided before the first sample: one list has as many as the other.
    if (this.keeping && this.#coreTrips === 0 && !this.#hasSlow) this.#clock = null;
    for (let index = 0; index < this.#variants.length; index++) {
      const { endpoint } = this.#sessionOf(index);
      endpoint.onMessage = (data) => this.#receive(data);
      endpoint.onMessageError = (reason) => this.#fail(reason);
    }
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#next();
    });
  }

  get #hasSlow(): boolean {
    return this.#variants.some(
      ({ samples: { fastest } }) => Number.isFinite(fastest) && fastest >= MIN_CORE_NS,
    );
  }

  /** Share of the round trips that each of the two threads spent waiting for a core; null if it is not known. */
  get waited(): number | null {
    return this.#coreTrips === 0 ? null : this.#waited / 2 / this.#coreTrips;
  }

  #next(): void {
    while (!this.schedule.empty) {
      this.#turn = this.schedule.current;
      this.#spent = this.#sending = this.#trips = 0;
      this.#began = null;
      const { factory } = this.#variants[this.#turn]!;
      if (factory.consumed || this.#session.instructions.announces) {
        void this.#prepare(factory);
        return;
      }
      if (this.#send(factory)) return;
    }
    this.#resolve();
  }

  /** Both sides build at the same time; the turn begins when both are ready. */
  async #prepare(factory: MessageFactory): Promise<void> {
    const theirs = new Promise<string | null>((resolve) => {
      this.#onPrepared = resolve;
    });
    this.#session.instructions.post(this.#session.endpoint, PREPARE, this.#turn);
    const ours = factory.consumed ? factory.fill().then(() => null, thrownMessage) : null;
    const failures = await Promise.all([ours, theirs]);
    const failure = failures[0] ?? failures[1];
    if (failure !== null) this.#fail(failure);
    else if (!this.#send(factory)) this.#next();
  }

  /** False when posting failed, so that no message is in flight. */
  #send(factory: MessageFactory): boolean {
    this.#session.instructions.expect(this.#turn);
    if (this.#clock && this.#began === null) {
      const { ranNs, waitedNs } = this.#clock.read();
      [this.#ranBefore, this.#waitedBefore] = [ranNs, waitedNs];
    }
    try {
      const began = this.#began === null || this.#timesSend ? now() : 0;
      this.#began ??= began;
      factory.post(this.#session.endpoint);
      if (this.#timesSend) this.#sending += now() - began;
      return true;
    } catch (error) {
      this.#drop(thrownMessage(error));
      return false;
    }
  }

  #receive(data: unknown): void {
    const { token } = this.#session;
    if (this.#onPrepared) {
      const onPrepared = this.#onPrepared;
      this.#onPrepared = null;
      onPrepared(failureIn(token, data));
      return;
    }
    let arrived = 0;
    let failure: string | null = null;
    try {
      this.#variants[this.#turn]!.factory.restore(data);
      arrived = now();
    } catch (error) {
      failure = thrownMessage(error);
    }
    failure = failureIn(token, data) ?? failure;
    if (failure !== null) this.#fail(failure);
    else this.#arrived(arrived);
  }

  #arrived(at: number): void {
    const { factory, samples } = this.#variants[this.#turn]!;
    const spent = this.#spent + at - (this.#began ?? at);
    this.#trips++;
    if (this.#cold && samples.trips.isLongEnough(spent)) samples.cold = Math.round(spent);
    this.#cold = false;
    if (this.#trips >= samples.trips.messages && !samples.trips.mustGoOn(spent)) {
      this.#keep(samples, spent);
      this.schedule.advance();
      this.#continue(at);
    } else if (factory.consumed) {
      this.#spent = spent;
      this.#began = null;
      void this.#prepare(factory);
    } else if (!this.#send(factory)) this.#next();
  }

  #keep(samples: VariantSamples, spent: number): void {
    const trip = spent / this.#trips;
    if (trip < samples.fastest) samples.fastest = trip;
    if (this.keeping) {
      samples.roundTrip.push(trip);
      if (this.#clock) this.#keepCoreTime(this.#clock, samples, spent);
      if (this.#timesSend) samples.send.push(this.#sending / this.#trips);
    }
    samples.trips.took(spent);
  }

  #keepCoreTime(clock: CoreClock, { onCore }: VariantSamples, spent: number): void {
    const { ranNs, waitedNs } = clock.read();
    onCore.push((ranNs - this.#ranBefore) / this.#trips);
    this.#coreTrips += spent;
    this.#waited += waitedNs - this.#waitedBefore;
  }

  #fail(reason: string): void {
    this.#drop(reason);
    this.#continue(now());
  }

  #continue(at: number): void {
    if (this.#stop(at)) this.#resolve();
    else this.#next();
  }

  #drop(reason: string): void {
    this.#variants[this.#turn]!.samples.error = reason;
    this.schedule.drop(this.#turn);
  }
}

/**
 * Times send and receive apart. When a message event fires, the receiver has already deserialized (Node, Deno).
 * Therefore the peer gets a notice that a message will come, waits on shared memory until it is queued, and times
 * receiving it on its own clock: a duration, so that two clocks need not agree. The send is timed while the peer waits
 * there: a peer that the message wakes is often scheduled on the sender's core, and `postMessage` then seems to last as
 * long as the peer's whole work (seen on two busy cores: 40 µs or 155 µs for the same 256 rows). With a coarse clock it
 * is a burst of messages, which the peer receives one after the other.
 */
export function oneWayLoop(
  { peer, endpoint, oneWay, token }: PeerSession,
  shared: SharedInstructions,
  variants: readonly PreparedVariant[],
  schedule: Schedule,
): TimedLoop {
  const sendOne = async (variant: PreparedVariant, index: number): Promise<void> => {
    const { factory, samples } = variant;
    if (factory.consumed) await factory.fill();
    const { messages } = samples.bursts;
    const failure = nextMessage(endpoint, () => shared.reset());
    shared.messages = messages;
    shared.post(endpoint, RECEIVE, index);
    while (!shared.awaitReady() && !peer.over) await currentPlatform().turnOfEventLoop();
    const posted = await postBurst(factory, oneWay ?? endpoint, messages);
    // The peer waits for as many as were posted.
    if (posted.error !== null) shared.messages = posted.messages;
    shared.reportPosted(posted.messages > 0);
    // Also when nothing was posted: the instructions must not change before the peer has read them.
    while (!shared.awaitReceived() && !peer.over) await currentPlatform().turnOfEventLoop();
    const { duration } = shared;
    // The failure is awaited even if posting failed: the peer's report must not reach the next variant.
    const reason = duration < 0 ? (failureIn(token, await failure) ?? '') : null;
    if (posted.error !== null) throw posted.error;
    if (reason !== null) throw new Error(reason);
    const shorter = Math.min(posted.ns, duration);
    // A burst that may have been shorter than a step of the clock is repeated, and is longer now.
    if (samples.bursts.mustGoOn(shorter)) return sendOne(variant, index);
    samples.bursts.took(shorter);
    if (!loop.keeping) return;
    samples.send.push(posted.ns / messages);
    samples.receive.push(duration / messages);
  };
  const loop: TimedLoop = {
    keeping: false,
    schedule,
    run: (stop) => takeTurns(schedule, variants, stop, sendOne),
  };
  return loop;
}

/** Posts a burst. The time for building values does not count. */
async function postBurst(factory: MessageFactory, endpoint: Endpoint, messages: number) {
  const posted: { messages: number; ns: number; error: unknown } = { messages: 0, ns: 0, error: null };
  try {
    let began = now();
    while (posted.messages < messages) {
      if (factory.consumed) {
        posted.ns += now() - began;
        await factory.fill();
        began = now();
      }
      factory.post(endpoint);
      posted.messages++;
    }
    posted.ns += now() - began;
  } catch (error) {
    posted.error = error ?? new Error('undefined was thrown');
  }
  return posted;
}

/** Times in ns (sums of a block, later per message): until the message can be requested, all after that, reading it. */
type Parts = Record<'written' | 'receive' | 'result', number>;

/** Keeps the last received value alive until the next value comes. */
type Latest = { received?: unknown };

/** @returns the time at which the posted message can be requested */
async function arrived(endpoint: LocalEndpoint, parts: Parts, latest: Latest): Promise<number> {
  const posted = now();
  await endpoint.written?.();
  const written = now();
  parts.written += written - posted;
  await endpoint.asked?.();
  const asked = now();
  // Read here once, it is not deserialized again.
  latest.received = endpoint.received;
  parts.result += now() - asked;
  return written;
}

function keep(
  samples: VariantSamples,
  trip: number,
  { written, receive, result }: Parts,
  { isRead, isReadLate }: LocalChannel,
): void {
  samples.roundTrip.push(trip);
  samples.send.push(trip - receive - written);
  if (isRead) samples.receive.push(receive);
  if (isReadLate !== undefined) samples.written.push(written);
  if (isReadLate) samples.result.push(result);
}

/**
 * Loop of a channel without a peer. One call of structuredClone serializes and deserializes, so it counts as the round
 * trip and as the send; with conversion the round trip ends when the clone is restored. A receiver cannot be timed. For
 * a file, writing it is the send, and reading it back is the receive. For a database, the call that puts a record is
 * the send, because it blocks this thread. The wait for the end of the transaction is timed apart.
 */
export function localLoop(
  channel: LocalChannel,
  variants: readonly PreparedVariant[],
  schedule: Schedule,
): TimedLoop {
  const latest: Latest = {};
  let cold = true;

  const pass = async ({ factory, samples }: PreparedVariant): Promise<void> => {
    const endpoint = channel.endpoint(factory.content);
    const isSplit = channel.isRead || factory.converts;
    const parts: Parts = { written: 0, receive: 0, result: 0 };
    let [spent, done] = [0, 0];
    const prepare = async () => {
      if (factory.consumed) await factory.fill();
      channel.discard?.();
    };
    await prepare();
    let began = now();
    do {
      for (; done < samples.trips.messages; done++) {
        if (factory.consumed || (done > 0 && channel.isRead)) {
          spent += now() - began;
          await prepare();
          began = now();
        }
        factory.post(endpoint);
        const sent = endpoint.written ? await arrived(endpoint, parts, latest) : isSplit ? now() : 0;
        const restored = factory.restore(endpoint.received);
        latest.received = factory.isAwaited ? await restored : restored;
        if (isSplit) parts.receive += now() - sent;
      }
      const at = now();
      spent += at - began;
      began = at;
    } while (samples.trips.mustGoOn(spent));
    const trip = spent / done;
    if (cold && samples.trips.isLongEnough(trip)) samples.cold = Math.round(trip);
    cold = false;
    if (trip < samples.fastest) samples.fastest = trip;
    for (const part of ['written', 'receive', 'result'] as const) parts[part] /= done;
    if (loop.keeping) keep(samples, trip, parts, channel);
    samples.trips.took(spent);
  };

  const loop: TimedLoop = {
    keeping: false,
    schedule,
    async run(stop) {
      // Finalizers of the garbage collector and the link to the host need the event loop.
      await currentPlatform().turnOfEventLoop();
      await takeTurns(schedule, variants, stop, pass);
      latest.received = undefined;
    },
  };
  return loop;
}
