import { ORIGINAL } from '../../../core/stats/variant-samples.ts';
import { ToolError } from '../../../model/errors.ts';
import { channelRow } from '../../../model/names.ts';
import type { LoadResult, RequestOf } from '../../../model/wire/wire.ts';
import { type OpenChannel, openChannel, PeerLife, spawnPeer } from '../../channel/channel.ts';
import { now } from '../../platform/common/clock.ts';
import { type Endpoint, nextMessage, type Peer } from '../../platform/common/platform.ts';
import { turnOfEventLoop } from '../../platform/event-loop.ts';
import { MessageFactory } from '../variants/message-factory.ts';
import { TimeSeries } from '../variants/prepare.ts';
import { ValueSource } from '../variants/value-source.ts';

const MS = 1e6;
/** Samples of the queue length, in even steps over the time of the load. */
const QUEUE_SAMPLES = 100;
/** Timers fire up to a millisecond late: for shorter waits the event loop is polled. */
const POLLED_NS = 2 * MS;

/**
 * Messages become due, by the clock or because an earlier one was acknowledged, and are posted as soon as this thread
 * is free. Latency counts from when a message was due: time in which the load itself kept the sender from posting must
 * not be left out ("coordinated omission", Gil Tene).
 */
class LoadGenerator {
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
    // Messages in flight are waited for no longer than the load took.
    for (const until = now() + ms * MS; this.#latency.length < this.#posted && now() < until; )
      await turnOfEventLoop();
    return this.#result();
  }

  #acknowledged(): void {
    const at = now();
    this.#last = at;
    this.#latency.add(at - this.#due.at(this.#latency.length));
    const isOver = this.#flooded || at - this.#began >= this.#request.ms * MS;
    if ('window' in this.#request.offer && !isOver) {
      this.#due.add(at);
      this.#postDue(at);
    }
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

/** Before the load, one after the other: a program under load does not see first messages. */
const WARMUP_MESSAGES = 20;
const WARMUP_NS = 100e6;

/**
 * The original under load, to a fresh worker that receives each message and acknowledges it with an empty one.
 *
 * @throws ToolError 'measure-failed' when the peer dies, 'channel-unsupported' for channels without a worker that
 *   receives, and what building or posting the payload throws
 */
export async function load(request: RequestOf<'load'>): Promise<LoadResult> {
  if (!channelRow(request.channel).toThread) {
    const detail = 'a load can only be measured with a worker thread that receives';
    throw new ToolError('channel-unsupported', { value: request.channel, detail });
  }
  const peer = await spawnPeer(request.channel, 'acknowledging-receiver');
  const life = new PeerLife(peer);
  const channel = openChannel(request.channel, peer);
  try {
    return await life.whileAlive(generateLoad(request, channel, peer));
  } finally {
    if (channel.endpoint !== peer.endpoint) channel.endpoint.close();
    await peer.end();
  }
}

async function generateLoad(
  request: RequestOf<'load'>,
  { endpoint, far, transfer }: OpenChannel,
  peer: Peer,
): Promise<LoadResult> {
  const factory = new MessageFactory(ORIGINAL, new ValueSource(request.recipe, 'alone'));
  await factory.prepare(false);
  await nextMessage(peer.endpoint, () => peer.endpoint.postWith(far, transfer));
  const began = now();
  for (let sent = 0; sent < WARMUP_MESSAGES && now() - began < WARMUP_NS; sent++) {
    await nextMessage(endpoint, () => factory.post(endpoint));
  }
  return new LoadGenerator(endpoint, factory, request).run();
}
