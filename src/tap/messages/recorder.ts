/**
 * Counts every message of a thread and looks at some of them. Whatever the recorder does fails silently and is counted:
 * the program's call is made, once, with its own receiver and arguments.
 */
import { HEADER } from '../../core/recording/threads/counters.ts';
import type { TapSettings } from '../../model/recording/settings.ts';
import { apply, now } from '../realm/intrinsics.ts';
import type { TapPlatform } from '../realm/platform.ts';
import type { Bucket } from '../records/bucket.ts';
import { ThreadLog } from '../records/thread-log.ts';
import { Buckets } from './buckets.ts';
import type { CountedChannel } from './channel.ts';
import { type Looked, Looks } from './looks.ts';
import { type ThrownCall, ThrownPosts } from './thrown.ts';

/** When a call began and ended, on the clock of the platform. */
const UNTIMED = -1;
const NOT_TIMED = { from: UNTIMED, to: UNTIMED };

export type Call = (this: unknown, ...args: unknown[]) => unknown;

export class Recorder {
  readonly log: ThreadLog;
  readonly #platform: TapPlatform;
  readonly #counters: Float64Array;
  readonly #looks: Looks;
  readonly #thrown: ThrownPosts;
  readonly #buckets: Buckets;
  /** Added to the clock: milliseconds since the recording started. */
  readonly #offset: number;

  /** @param startedAt milliseconds since 1970 when the recording started @param threadAt when this thread did */
  constructor(
    platform: TapPlatform,
    counters: Float64Array,
    { salt, startedAt, doctor }: Pick<TapSettings, 'salt' | 'startedAt' | 'doctor'>,
    threadAt: number,
  ) {
    this.#platform = platform;
    this.#counters = counters;
    this.log = new ThreadLog(platform, counters, salt);
    this.#looks = new Looks(platform, this.log);
    this.#thrown = new ThrownPosts(platform, this.log, this.#looks, doctor);
    this.#offset = threadAt - startedAt - now();
    this.#buckets = new Buckets(platform.types, counters);
  }

  /** Makes the program's call and records the message. Throws what the call throws. @param patch frames above it are the program's */
  post(
    channel: CountedChannel,
    receiver: unknown,
    args: ArrayLike<unknown>,
    original: Call,
    patch: unknown,
  ): unknown {
    let begun: Begun | null = null;
    let bucket: Bucket | null = null;
    let hint = 0;
    try {
      bucket = this.#buckets.of(channel, args[0], args[1]);
      hint = this.#buckets.hint;
      // Most messages are only counted: nothing is allocated for them.
      if (bucket.isOnlyCounted(hint) && !this.log.isEnding) this.#count(channel, bucket, hint);
      else begun = this.#begin(channel, bucket, hint, args[0], args[1], patch);
    } catch {
      this.log.failed();
      bucket = null;
    }
    if (bucket === null) return apply(original, receiver, args);
    let result: unknown;
    try {
      result = apply(original, receiver, args);
    } catch (error) {
      this.#cancel(channel, bucket, hint, begun);
      this.threw({ channel, alike: bucket, value: args[0], transfer: args[1], error, patch });
      throw error;
    }
    if (begun !== null) this.#end(begun);
    return result;
  }

  /** A post that threw is a message that nobody gets. */
  threw(call: ThrownCall): void {
    try {
      this.#thrown.add(call);
    } catch {
      this.log.failed();
    }
  }

  /** What looks at a message calls structuredClone itself. */
  get isLooking(): boolean {
    return this.#looks.isRunning;
  }

  /** A message that was posted: by Node itself for the program, or where nothing tells a Proxy before. */
  tell(channel: CountedChannel, value: unknown, transfer: unknown, patch: unknown, took = NOT_TIMED): void {
    try {
      const bucket = this.#buckets.of(channel, value, transfer);
      const hint = this.#buckets.hint;
      if (bucket.isOnlyCounted(hint) && took !== NOT_TIMED) this.#count(channel, bucket, hint);
      else this.#end({ ...this.#begin(channel, bucket, hint, value, transfer, patch), ...took });
    } catch {
      this.log.failed();
    }
  }

  /** It is counted before it is posted: its receiver may terminate this thread before the call returns. */
  #begin(
    channel: CountedChannel,
    bucket: Bucket,
    hint: number,
    value: unknown,
    transfer: unknown,
    patch: unknown,
  ): Begun {
    const isDue = bucket.isDue(hint);
    const looked = isDue ? this.#looks.before(bucket, { channel, value, transfer, hint, patch }) : null;
    this.#count(channel, bucket, hint);
    const from = isDue || bucket.isTimed ? now() : UNTIMED;
    return { bucket, value, looked, from };
  }

  /** After it was posted. */
  #end({ bucket, value, looked, from, to: ended }: Begun): void {
    try {
      const isTimed = from !== UNTIMED;
      if (isTimed) {
        const to = ended ?? now();
        const took = (to - from) * bucket.timed(to - from, to + this.#offset);
        this.#looks.posted(took);
        this.#buckets.posted(took);
      }
      bucket.compare(value, isTimed);
      if (looked !== null && !looked.isFinished) this.#looks.after(looked);
      if (this.log.isEnding) this.log.flush();
    } catch {
      this.log.failed();
    }
  }

  #count({ queue }: CountedChannel, bucket: Bucket, hint: number): void {
    bucket.posted(hint, 1);
    this.#counters[HEADER.total]!++;
    this.#platform.onCounted?.();
    if (queue === null) return;
    const { fields } = queue;
    const waiting = ++fields[queue.sent]! - fields[queue.received]!;
    if (waiting > fields[queue.max]!) fields[queue.max] = waiting;
    bucket.queued(waiting);
  }

  /** It was refused. */
  #cancel({ queue }: CountedChannel, bucket: Bucket, hint: number, begun: Begun | null): void {
    if (begun?.looked?.isTold) this.log.add({ record: 'cancelled', group: begun.looked.group });
    bucket.posted(hint, -1);
    this.#counters[HEADER.total]!--;
    if (queue !== null) queue.fields[queue.sent]!--;
  }
}

/** A message that is being posted. */
interface Begun {
  bucket: Bucket;
  value: unknown;
  looked: Looked | null;
  /** When the call began, or UNTIMED; when it ended, where that is known. */
  from: number;
  to?: number;
}
