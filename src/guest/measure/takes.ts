import { sayingOf } from '../user-code.ts';
import { now } from './clock.ts';
import type { Entrants } from './entrants.ts';
import { TAKE } from './orders.ts';
import type { Heat, Stop } from './race.ts';
import type { Schedule } from './schedule.ts';
import type { Site } from './site.ts';

/**
 * Between two looks at the event loop: the death of the peer is noticed there, and older Bun (seen to 1.3.9) delivers what was
 * broadcast only from there.
 */
const BLOCKED_MS = 2;

const END = -1;

/**
 * How long deserializing blocks the receiver. Inside a message event that work is over before the listener runs (Node,
 * Deno), so the peer waits on shared memory instead, calls `receiveMessageOnPort` and times that call on its own
 * clock: a duration, so that no two clocks have to agree.
 */
export class Takes implements Heat {
  keeping = false;
  readonly schedule: Schedule;
  readonly #site: Site;
  readonly #quiet: NonNullable<Site['quiet']>;
  readonly #entrants: Entrants;
  readonly #life: { readonly over: boolean };
  #nth = 0;

  /** Stops waiting when `life` is over: nobody is left to take anything. */
  constructor(
    site: Site,
    quiet: NonNullable<Site['quiet']>,
    entrants: Entrants,
    schedule: Schedule,
    life: { readonly over: boolean },
  ) {
    this.#site = site;
    this.#quiet = quiet;
    this.#entrants = entrants;
    this.schedule = schedule;
    this.#life = life;
  }

  async block(stop: Stop): Promise<void> {
    const over = new Promise<unknown>((resolve) => {
      this.#site.lane.onMessage = resolve;
    });
    this.#quiet.control.give(this.#site.lane, TAKE, 0);
    let failed = END;
    while (failed === END && !this.schedule.empty) {
      const index = this.schedule.current;
      if (!(await this.#take(index))) failed = index;
      else if (stop(now())) break;
    }
    this.#quiet.control.handOver(++this.#nth, END);
    const fault = this.#site.faults.read(await over);
    if (failed !== END) this.#drop(failed, fault ?? 'the receiver could not take the message');
  }

  /** False when the peer failed: the block ends there, and the peer says why. */
  async #take(index: number): Promise<boolean> {
    const { forms, tallies } = this.#entrants;
    const form = forms[index] as (typeof forms)[number];
    try {
      if (form.spent) await form.fill();
      form.post(this.#quiet.lane);
    } catch (error) {
      this.#drop(index, sayingOf(error));
      return true;
    }
    this.#quiet.control.handOver(++this.#nth, index);
    while (!this.#quiet.control.awaitTaken(this.#nth, BLOCKED_MS)) {
      await turnOfEventLoop();
      if (this.#life.over) return false;
    }
    const { duration } = this.#quiet.control;
    if (duration < 0) return false;
    if (this.keeping) tallies[index]?.receive.add(duration);
    this.schedule.advance();
    return true;
  }

  #drop(index: number, reason: string): void {
    const tally = this.#entrants.tallies[index];
    if (tally) tally.error ??= reason;
    this.schedule.drop(index);
  }
}

export function turnOfEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
