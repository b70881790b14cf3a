import { sayingOf } from '../../user-code/user-code.ts';
import type { ControlBlock } from '../peer/instructions.ts';
import { TAKE } from '../peer/instructions.ts';
import type { Site } from '../peer/peer-session.ts';
import { now } from './clock.ts';
import type { Heat, Stop } from './interleave.ts';
import type { Form } from './message-factory.ts';
import type { Tally } from './samples.ts';
import type { Schedule } from './schedule.ts';
import type { Entrants } from './variants.ts';

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
export class Takes implements Heat {
  keeping = false;
  readonly schedule: Schedule;
  readonly #site: Site;
  readonly #control: ControlBlock;
  readonly #entrants: Entrants;
  readonly #life: { readonly over: boolean };

  /** Stops waiting when `life` is over: nobody is left to take anything. */
  constructor(
    site: Site,
    control: ControlBlock,
    entrants: Entrants,
    schedule: Schedule,
    life: { readonly over: boolean },
  ) {
    this.#site = site;
    this.#control = control;
    this.#entrants = entrants;
    this.schedule = schedule;
    this.#life = life;
  }

  async block(stop: Stop): Promise<void> {
    while (!this.schedule.empty) {
      const index = this.schedule.current;
      const tally = this.#entrants.tallies[index] as Tally;
      try {
        await this.#take(this.#entrants.forms[index] as Form, index, tally);
        this.schedule.advance();
      } catch (error) {
        tally.error ??= sayingOf(error);
        this.schedule.drop(index);
      }
      if (stop(now())) return;
    }
  }

  async #take(form: Form, index: number, tally: Tally): Promise<void> {
    if (form.spent) await form.fill();
    const control = this.#control;
    const fault = this.#fault();
    control.clear();
    control.give(this.#site.lane, TAKE, index);
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

  #post(form: Form): { ns: number; error: unknown } {
    try {
      const began = now();
      form.post(this.#site.quiet ?? this.#site.lane);
      return { ns: now() - began, error: null };
    } catch (error) {
      return { ns: 0, error: error ?? new Error('undefined was thrown') };
    }
  }

  /** What the peer says when it cannot take the message. */
  #fault(): Promise<string> {
    const { lane, faults } = this.#site;
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
