/**
 * Counts every message of a thread and looks at some of them. The caller counts errors thrown here as failures: the
 * program's call is made, once, with its own receiver and arguments.
 */
import { HEADER } from '../../core/recording/threads/counters.ts';
import * as kept from '../realm/intrinsics.ts';
import { counters, platform, settings } from '../realm/platform.ts';
import { type Bucket, Buckets } from '../records/bucket.ts';
import { log } from '../records/thread-log.ts';
import type { CountedChannel, Message, Queue } from './channel.ts';
import { type Looked, Looks, looker } from './looks.ts';
import { ThrownPosts } from './thrown.ts';

/** Times on the clock of the platform. */
const UNTIMED = -1;
const NO_MESSAGE = {};

/** A message that is being posted. */
export interface Posted extends Message {
  /** null until it is classified. */
  bucket: Bucket | null;
  extent: number;
  /** Neither timed nor compared nor looked at. */
  isOnlyCounted: boolean;
  looked: Looked | null;
  /** When the call began, or UNTIMED. */
  from: number;
  /** The message whose post this one is made in. */
  outer: unknown;
}

class Recorder {
  readonly #looks = new Looks();
  readonly #thrown = new ThrownPosts();
  readonly #buckets = new Buckets();
  /** Time of the clock plus this is milliseconds since the recording started. */
  #offset = 0;
  /** The message that is being posted. */
  #current: unknown = NO_MESSAGE;

  /** @param at milliseconds since 1970 when this thread did */
  startedAt(at: number): void {
    this.#offset = at - settings.startedAt - kept.now();
  }

  /**
   * True for a message that is not the program's: a look clones, and in some runtimes one posting function calls the
   * next, so only the outermost counts.
   */
  isWithin(value: unknown): boolean {
    return looker.isRunning || this.#current === value;
  }

  /** Before it is posted: it is counted then, as its receiver may terminate this thread before the call returns. */
  begin(channel: CountedChannel, value: unknown, transfer: unknown, patch: unknown): Posted {
    const posted = this.#posted(channel, value, transfer, patch);
    if (platform.looksAfter || this.#count(posted)) posted.from = kept.now();
    this.#current = value;
    return posted;
  }

  /** After it was posted. Never throws. */
  end(posted: Posted): void {
    this.#current = posted.outer;
    if (posted.isOnlyCounted) return;
    try {
      const to = posted.from === UNTIMED ? UNTIMED : kept.now();
      if (posted.bucket === null) this.#count(posted);
      if (!posted.isOnlyCounted) this.#finish(posted, posted.bucket!, to);
    } catch {
      log.failed();
    }
  }

  /** A post that threw is a message that does not arrive. Never throws. */
  threw(posted: Posted, error: unknown): void {
    this.#current = posted.outer;
    const { bucket, channel, extent, looked } = posted;
    if (bucket !== null) {
      if (looked?.isTold) log.add({ record: 'cancelled', group: looked.group });
      bucket.posted(extent, -1);
      counters[HEADER.total]!--;
      if (channel.queue !== null) channel.queue.fields[channel.queue.sent]!--;
    }
    try {
      this.refused(posted, error, bucket ?? channel);
    } catch {
      log.failed();
    }
  }

  /** A post that throws, or would. @param alike the same for messages of one class, if that is known */
  refused(message: Message, error: unknown, alike: object = message.channel): void {
    this.#thrown.add({ ...message, error, alike });
    platform.onCounted?.();
  }

  /** A message that the runtime has posted for the program. */
  tell({ channel, value, transfer, patch }: Message): void {
    const posted = this.#posted(channel, value, transfer, patch);
    this.#count(posted);
    this.#finish(posted, posted.bucket!, UNTIMED);
  }

  #posted(channel: CountedChannel, value: unknown, transfer: unknown, patch: unknown): Posted {
    return {
      channel,
      value,
      transfer,
      patch,
      bucket: null,
      extent: 0,
      isOnlyCounted: false,
      looked: null,
      from: UNTIMED,
      outer: this.#current,
    };
  }

  /** @returns true if its call is timed */
  #count(posted: Posted): boolean {
    const { channel, value, transfer } = posted;
    const bucket = this.#buckets.of(channel.buckets, value, transfer);
    const { extent } = this.#buckets;
    posted.bucket = bucket;
    posted.extent = extent;
    posted.isOnlyCounted = bucket.isOnlyCounted(extent) && !log.isEnding;
    const isDue = !posted.isOnlyCounted && bucket.isDue(extent);
    if (isDue) posted.looked = this.#looks.before(bucket, posted);
    bucket.posted(extent, 1);
    counters[HEADER.total]!++;
    platform.onCounted?.();
    if (channel.queue !== null) queued(channel.queue, bucket);
    return !posted.isOnlyCounted && (isDue || bucket.isTimed);
  }

  #finish({ value, looked, from }: Posted, bucket: Bucket, to: number): void {
    const isTimed = from !== UNTIMED;
    if (isTimed) {
      const took = (to - from) * bucket.timed(to - from, to + this.#offset);
      this.#looks.posted(took);
      this.#buckets.posted(took);
    }
    bucket.compare(value, isTimed);
    if (looked !== null && !looked.isFinished) this.#looks.after(looked);
    if (log.isEnding) log.flush();
  }
}

export const recorder = new Recorder();

function queued({ fields, sent, received, max }: Queue, bucket: Bucket): void {
  fields[sent]!++;
  if (max === null) return;
  const waiting = fields[sent]! - fields[received]!;
  if (waiting > fields[max]!) fields[max] = waiting;
  bucket.queued(waiting);
}
