import type { LoadResult } from '../../../model/wire/load.ts';
import type { RequestOf } from '../../../model/wire/wire.ts';
import { now } from '../../platform/common/clock.ts';
import type { Endpoint } from '../../platform/common/endpoint.ts';
import { turnOfEventLoop } from '../../platform/event-loop.ts';
import type { MessageFactory } from '../variants/message-factory.ts';
import { TimeSeries } from '../variants/samples.ts';

const MS = 1e6;
/** Samples of the queue length, in even steps over the time of the load. */
const QUEUE_SAMPLES = 100;
/** Longest wait for messages in flight at the end of the load, as a multiple of its length. */
const DRAIN_SHARE = 1;
/** Timers fire up to a millisecond late: for shorter waits the event loop is polled. */
const POLLED_NS = 2 * MS;

/**
 * Messages become due, by the clock or because an earlier one was acknowledged, and are posted as soon as this thread
 * is free. Latency counts from when a message was due: time in which the load itself kept the sender from posting must
 * not be left out ("coordinated omission", Gil Tene).
 */
export class LoadGenerator {
  readonly #endpoint: Endpoint;
  readonly #factory: MessageFactory;
  readonly #request: RequestOf<'load'>;
  /** When each message was due, ns. */
  readonly #due = new TimeSeries();
  readonly #latency = new TimeSeries();
  readonly #waiting: number[] = [];
  #posted = 0;
  #began = 0;
  /** Time of the last acknowledgement. */
  #last = 0;
  #flooded = false;

  constructor(endpoint: Endpoint, factory: MessageFactory, request: RequestOf<'load'>) {
    this.#endpoint = endpoint;
    this.#factory = factory;
    this.#request = request;
  }

  async run(): Promise<LoadResult> {
    const { ms, offer } = this.#request;
    this.#endpoint.onMessage = () => this.#acknowledged();
    this.#began = now();
    this.#last = this.#began;
    const end = this.#began + ms * MS;
    if ('window' in offer) for (let i = 0; i < offer.window; i++) this.#due.add(this.#began);
    for (let at = this.#began; at < end && !this.#flooded; at = now()) {
      this.#postDue(at);
      this.#sampleQueue(at);
      await this.#pause(end);
    }
    // Messages that became due while this thread was busy count too.
    if (!this.#flooded) this.#addDue(end);
    this.#sampleQueue(end);
    await this.#drain(now() + DRAIN_SHARE * ms * MS);
    return this.#result();
  }

  #acknowledged(): void {
    const at = now();
    this.#last = at;
    this.#latency.add(at - this.#due.at(this.#latency.length));
    if ('window' in this.#request.offer && this.#running(at)) {
      this.#due.add(at);
      this.#postDue(at);
    }
  }

  #running(at: number): boolean {
    return !this.#flooded && at - this.#began < this.#request.ms * MS;
  }

  /** Posts the messages that are due, in the order in which they became due. */
  #postDue(at: number): void {
    this.#addDue(at);
    while (this.#posted < this.#due.length && !this.#flooded) {
      this.#posted++;
      this.#factory.post(this.#endpoint);
      this.#flooded = this.#due.length - this.#latency.length > this.#request.mostWaiting;
      // Posting may take longer than the gap: acknowledgements and the clock need a turn in between.
      if (now() - at > POLLED_NS) return;
    }
  }

  #addDue(at: number): void {
    if (!('perSecond' in this.#request.offer)) return;
    const gap = 1e9 / this.#request.offer.perSecond;
    for (let due = this.#began + this.#due.length * gap; due < at; due += gap) this.#due.add(due);
  }

  /** A load that ended early has fewer samples. */
  #sampleQueue(at: number): void {
    if (this.#flooded && this.#waiting.length > 0) return;
    const steps = Math.floor(((at - this.#began) / (this.#request.ms * MS)) * QUEUE_SAMPLES);
    while (this.#waiting.length < Math.min(QUEUE_SAMPLES, steps + 1))
      this.#waiting.push(this.#due.length - this.#latency.length);
  }

  /** Waits until a message may be due. The event loop delivers acknowledgements meanwhile. */
  async #pause(end: number): Promise<void> {
    const { offer, ms } = this.#request;
    const next =
      'perSecond' in offer
        ? this.#began + (this.#due.length * 1e9) / offer.perSecond
        : now() + (ms * MS) / QUEUE_SAMPLES;
    const left = Math.min(next, end) - now();
    if (left > POLLED_NS) await new Promise((resolve) => setTimeout(resolve, (left - POLLED_NS) / MS));
    else await turnOfEventLoop();
  }

  async #drain(until: number): Promise<void> {
    while (this.#latency.length < this.#posted && now() < until) await turnOfEventLoop();
  }

  /** A message without acknowledgement counts with the time that it has waited so far. */
  #result(): LoadResult {
    const at = now();
    const messages = this.#latency.length;
    const latency = this.#latency.list();
    for (let index = messages; index < this.#due.length; index++)
      latency.push(Math.round(at - this.#due.at(index)));
    return {
      type: 'load-result',
      latency,
      messages,
      elapsed: this.#last - this.#began,
      waiting: this.#waiting,
      flooded: this.#flooded,
    };
  }
}
