import type { PeerLife } from '../../channel/peer-life.ts';
import { now } from '../../platform/common/clock.ts';
import { turnOfEventLoop } from '../../platform/event-loop.ts';
import { messageOf } from '../../user-code/thrown.ts';
import { RECEIVE, type SharedInstructions } from '../peer/instructions.ts';
import type { PeerSession } from '../peer/peer-session.ts';
import type { MessageFactory } from '../variants/message-factory.ts';
import type { PreparedVariant } from '../variants/prepare.ts';
import type { VariantSamples } from '../variants/samples.ts';
import type { StopWhen, TimedLoop } from './interleave.ts';
import type { Schedule } from './schedule.ts';

interface PostedBatch {
  messages: number;
  ns: number;
  error: unknown;
}

/**
 * Times send and receive apart. When a message event fires, the receiver has already deserialized (Node, Deno).
 * Therefore the peer is told that a message will come, waits on shared memory until it is queued, and times receiving
 * it on its own clock: a duration, so that two clocks need not agree. The send is timed while the peer waits there: a
 * peer that the message wakes is often scheduled on the sender's core, and `postMessage` then seems to last as long as
 * the peer's whole work (seen on two busy cores: 40 µs or 155 µs for the same 256 rows). With a coarse clock it is a burst
 * of messages, which the peer receives one after the other.
 */
export class OneWayLoop implements TimedLoop {
  keeping = false;
  readonly schedule: Schedule;
  readonly #session: PeerSession;
  readonly #shared: SharedInstructions;
  readonly #variants: readonly PreparedVariant[];
  readonly #life: PeerLife;

  /** @param life waiting stops when it is over */
  constructor(
    session: PeerSession,
    shared: SharedInstructions,
    variants: readonly PreparedVariant[],
    schedule: Schedule,
    life: PeerLife,
  ) {
    this.#session = session;
    this.#shared = shared;
    this.#variants = variants;
    this.schedule = schedule;
    this.#life = life;
  }

  async run(stop: StopWhen): Promise<void> {
    while (!this.schedule.empty) {
      const index = this.schedule.current;
      const { factory, samples } = this.#variants[index]!;
      try {
        await this.#sendOne(factory, index, samples);
        this.schedule.advance();
      } catch (error) {
        samples.error ??= messageOf(error);
        this.schedule.drop(index);
      }
      if (stop(now())) return;
    }
  }

  async #sendOne(factory: MessageFactory, index: number, samples: VariantSamples): Promise<void> {
    if (factory.consumed) await factory.fill();
    const shared = this.#shared;
    const { messages } = samples.bursts;
    const failure = this.#nextFailure();
    shared.reset();
    shared.messages = messages;
    shared.post(this.#session.endpoint, RECEIVE, index);
    while (!shared.awaitReady() && !this.#life.over) await turnOfEventLoop();
    const posted = await this.#post(factory, messages);
    shared.reportPosted(posted.messages > 0);
    // Also when nothing was posted: the instructions must not change before the peer has read them.
    while (!shared.awaitReceived() && !this.#life.over) await turnOfEventLoop();
    const { duration } = shared;
    // Also when posting failed: what the peer posts must not come to the next variant.
    const reason = duration < 0 ? await failure : null;
    if (posted.error !== null) throw posted.error;
    if (reason !== null) throw new Error(reason);
    samples.bursts.took(Math.min(posted.ns, duration));
    if (!this.keeping) return;
    samples.send.add(posted.ns / messages);
    samples.receive.add(duration / messages);
  }

  /** The time in which values are built does not count. The peer waits for as many as were posted. */
  async #post(factory: MessageFactory, messages: number): Promise<PostedBatch> {
    const endpoint = this.#session.oneWay ?? this.#session.endpoint;
    const posted: PostedBatch = { messages: 0, ns: 0, error: null };
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
      this.#shared.messages = posted.messages;
    }
    return posted;
  }

  /** The reason that the peer posts when it cannot receive the message. */
  #nextFailure(): Promise<string> {
    const { endpoint, failures } = this.#session;
    return new Promise((resolve) => {
      endpoint.onMessage = (data) => resolve(failures.decode(data) ?? '');
    });
  }
}
