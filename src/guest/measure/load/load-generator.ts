import type { LoadResult } from '../../../model/wire.ts';
import { now } from '../loop/clock.ts';
import type { MessageFactory } from '../loop/message-factory.ts';
import { turnOfEventLoop } from '../loop/one-way-loop.ts';
import { Series } from '../loop/samples.ts';
import type { Endpoint } from '../peer/endpoint.ts';
import type { LoadAsk } from './load.ts';

const MS = 1e6;
/** Looks at the queue, in even steps of the time of the load. */
const LOOKS = 100;
/** What is still on the way when the load ends may take this many times its length to arrive. */
const PATIENCE = 1;
/** Timers fire a millisecond late; what is due sooner is waited for from turn to turn of the event loop. */
const NEAR = 2 * MS;

/**
 * Messages become due, by the clock or because one before has arrived, and are posted as soon as this thread gets to
 * it. Latency counts from when a message was due: a sender that is kept from sending by the load itself must not look
 * as if nothing had been wanted in that time ("coordinated omission", Gil Tene).
 */
export class LoadGenerator {
  readonly #lane: Endpoint;
  readonly #form: MessageFactory;
  readonly #ask: LoadAsk;
  /** When each message was due, ns. */
  readonly #due = new Series();
  readonly #latency = new Series();
  readonly #waiting: number[] = [];
  #posted = 0;
  #began = 0;
  #last = 0;
  #flooded = false;

  constructor(lane: Endpoint, form: MessageFactory, ask: LoadAsk) {
    this.#lane = lane;
    this.#form = form;
    this.#ask = ask;
  }

  async run(): Promise<LoadResult> {
    this.#lane.onMessage = () => this.#acknowledged();
    this.#began = now();
    this.#last = this.#began;
    const end = this.#began + this.#ask.ms * MS;
    if ('window' in this.#ask.offer)
      for (let at = 0; at < this.#ask.offer.window; at++) this.#due.add(this.#began);
    for (let at = this.#began; at < end && !this.#flooded; at = now()) {
      this.#post(at);
      this.#look(at);
      await this.#pause(end);
    }
    // What became due while this thread was kept from looking counts too.
    if (!this.#flooded) this.#becomeDue(end);
    this.#look(end);
    await this.#drain(now() + PATIENCE * this.#ask.ms * MS);
    return this.#result();
  }

  #acknowledged(): void {
    const at = now();
    this.#last = at;
    this.#latency.add(at - this.#due.at(this.#latency.length));
    if ('window' in this.#ask.offer && this.#running(at)) {
      this.#due.add(at);
      this.#post(at);
    }
  }

  #running(at: number): boolean {
    return !this.#flooded && at - this.#began < this.#ask.ms * MS;
  }

  /** Posts what is due by now, in the order in which it became due. */
  #post(at: number): void {
    this.#becomeDue(at);
    while (this.#posted < this.#due.length && !this.#flooded) {
      this.#posted++;
      this.#form.post(this.#lane);
      this.#flooded = this.#due.length - this.#latency.length > this.#ask.mostWaiting;
      // One post may take longer than the gap: the acknowledgements have to be seen, and the clock.
      if (now() - at > NEAR) return;
    }
  }

  #becomeDue(at: number): void {
    if (!('perSecond' in this.#ask.offer)) return;
    const gap = 1e9 / this.#ask.offer.perSecond;
    for (let due = this.#began + this.#due.length * gap; due < at; due += gap) this.#due.add(due);
  }

  /** A load that ended early has fewer looks. */
  #look(at: number): void {
    if (this.#flooded && this.#waiting.length > 0) return;
    const steps = Math.floor(((at - this.#began) / (this.#ask.ms * MS)) * LOOKS);
    while (this.#waiting.length < Math.min(LOOKS, steps + 1))
      this.#waiting.push(this.#due.length - this.#latency.length);
  }

  /** Until something may be due: the event loop brings the acknowledgements meanwhile. */
  async #pause(end: number): Promise<void> {
    const next =
      'perSecond' in this.#ask.offer
        ? this.#began + (this.#due.length * 1e9) / this.#ask.offer.perSecond
        : now() + (this.#ask.ms * MS) / LOOKS;
    const left = Math.min(next, end) - now();
    if (left > NEAR) await new Promise((resolve) => setTimeout(resolve, (left - NEAR) / MS));
    else await turnOfEventLoop();
  }

  /** What never arrives within the patience counts with the time that it has waited by then. */
  async #drain(until: number): Promise<void> {
    while (this.#latency.length < this.#posted && now() < until) await turnOfEventLoop();
  }

  #result(): LoadResult {
    const at = now();
    const messages = this.#latency.length;
    const latency = this.#latency.list();
    for (let index = messages; index < this.#due.length; index++)
      latency.push(Math.round(at - this.#due.at(index)));
    return {
      type: 'loaded',
      latency,
      messages,
      elapsed: this.#last - this.#began,
      waiting: this.#waiting,
      flooded: this.#flooded,
    };
  }
}
