import { messageOf } from '../../user-code/user-code.ts';
import type { SharedInstructions } from '../peer/instructions.ts';
import { RECEIVE } from '../peer/instructions.ts';
import type { PeerSession } from '../peer/peer-session.ts';
import { now } from './clock.ts';
import type { StopWhen, TimedLoop } from './interleave.ts';
import type { MessageFactory } from './message-factory.ts';
import type { VariantSamples } from './samples.ts';
import type { Schedule } from './schedule.ts';
import type { PreparedVariants } from './variants.ts';

/**
 * Between two looks at the event loop: the death of the peer is noticed there, and older Bun (seen to 1.3.9) delivers
 * what was broadcast only from there.
 */
const BLOCKED_MS = 2;

/**
 * What a message costs each side alone. When a message event comes the receiver's part is over (Node, Deno), so the
 * peer is told that a message will come, waits on shared memory until it is queued, and times taking it on its own
 * clock: a duration, so that no two clocks have to agree. The sender's part is timed while the peer waits there: a
 * peer that the message wakes is often put on the sender's own core, and then `postMessage` seems to last as long as
 * the peer's whole work (seen on two busy cores: 40 us or 155 us for the same 256 rows).
 */
export class OneWayLoop implements TimedLoop {
  keeping = false;
  readonly schedule: Schedule;
  readonly #site: PeerSession;
  readonly #control: SharedInstructions;
  readonly #variants: PreparedVariants;
  readonly #life: { readonly over: boolean };

  /** Stops waiting when `life` is over: nobody is left to take anything. */
  constructor(
    site: PeerSession,
    control: SharedInstructions,
    variants: PreparedVariants,
    schedule: Schedule,
    life: { readonly over: boolean },
  ) {
    this.#site = site;
    this.#control = control;
    this.#variants = variants;
    this.schedule = schedule;
    this.#life = life;
  }

  async run(stop: StopWhen): Promise<void> {
    while (!this.schedule.empty) {
      const index = this.schedule.current;
      const tally = this.#variants.samples[index] as VariantSamples;
      try {
        await this.#take(this.#variants.factories[index] as MessageFactory, index, tally);
        this.schedule.advance();
      } catch (error) {
        tally.error ??= messageOf(error);
        this.schedule.drop(index);
      }
      if (stop(now())) return;
    }
  }

  async #take(form: MessageFactory, index: number, tally: VariantSamples): Promise<void> {
    if (form.consumed) await form.fill();
    const control = this.#control;
    const fault = this.#fault();
    control.clear();
    control.post(this.#site.endpoint, RECEIVE, index);
    while (!control.awaitReady(BLOCKED_MS) && !this.#life.over) await turnOfEventLoop();
    const posted = this.#post(form);
    control.handOver(posted.error === null);
    // Also when there is nothing to take: the words must not change before the peer has read them.
    while (!control.awaitTaken(BLOCKED_MS) && !this.#life.over) await turnOfEventLoop();
    if (posted.error !== null) throw posted.error;
    const { duration } = control;
    if (duration < 0) throw new Error(await fault);
    if (!this.keeping) return;
    tally.send.add(posted.ns);
    tally.receive.add(duration);
  }

  #post(form: MessageFactory): { ns: number; error: unknown } {
    try {
      const began = now();
      form.post(this.#site.oneWay ?? this.#site.endpoint);
      return { ns: now() - began, error: null };
    } catch (error) {
      return { ns: 0, error: error ?? new Error('undefined was thrown') };
    }
  }

  /** What the peer says when it cannot take the message. */
  #fault(): Promise<string> {
    const { endpoint: lane, failures: faults } = this.#site;
    return new Promise((resolve) => {
      lane.onMessage = (data) => resolve(faults.read(data) ?? '');
    });
  }
}

export function turnOfEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
