/**
 * Counts every message of a thread and looks at some of them. Whatever the recorder does fails silently and is counted:
 * the program's call is made, once, with its own receiver and arguments.
 */
import { HEADER, MOST_GROUPS } from '../core/recording/counters.ts';
import type { PostingApi } from '../model/recording/recording.ts';
import type { ThreadRecord } from '../model/recording/thread-file.ts';
import { Bucket } from './bucket.ts';
import { Governor } from './governor.ts';
import { hashText } from './hash.ts';
import { Hints } from './hint.ts';
import { apply, create, floor, min } from './intrinsics.ts';
import { Classifier } from './message-class.ts';
import type { Look, TapPlatform } from './platform.ts';
import { recordText } from './record-text.ts';
import { siteOf } from './sites.ts';

/** What messages are posted to. */
export interface Channel {
  api: PostingApi;
  to: string | null;
  /** Counters of the other thread's part, where the channel leads to a thread: what is sent and received, the longest queue. */
  queue: { fields: Float64Array; sent: number; received: number; max: number } | null;
  buckets: Bucket[];
}

export interface RecorderOptions {
  platform: TapPlatform;
  counters: Float64Array;
  salt: string;
  /** Milliseconds since 1970 when the recording started, and when this thread did. */
  startedAt: number;
  threadAt: number;
}

/** Values that a first look visits; later ones what the time allows. */
const FIRST_NODES = 1000;
const MOST_NODES = 20_000;
const LEAST_NODES = 64;
/** Classes of one channel before further ones are counted together. */
const CHANNEL_CLASSES = 12;

export type Call = (this: unknown, ...args: unknown[]) => unknown;

export class Recorder {
  readonly #platform: TapPlatform;
  readonly #counters: Float64Array;
  readonly #salt: string;
  readonly #governor: Governor;
  readonly #classifier: Classifier;
  readonly #hints: Hints;
  readonly #sites = create(null) as Record<string, number>;
  readonly #offset: number;
  #siteCount = 0;
  #groupCount = 0;
  #bucketCount = 0;
  #overflow: Bucket | null = null;
  #nsPerNode = 3000;
  /** Records that are not written yet. */
  #lines = '';

  constructor({ platform, counters, salt, startedAt, threadAt }: RecorderOptions) {
    this.#platform = platform;
    this.#counters = counters;
    this.#salt = salt;
    const now = platform.now();
    this.#governor = new Governor(now);
    this.#offset = threadAt - startedAt - now;
    this.#classifier = new Classifier(platform.types);
    this.#hints = new Hints(platform.types);
  }

  record(record: ThreadRecord): void {
    this.#lines += `${recordText(record)}\n`;
  }

  failed(): void {
    this.#counters[HEADER.failures]!++;
  }

  /** Writes what is not written yet. Never throws. */
  flush(): void {
    const from = this.#platform.now();
    this.#counters[HEADER.overheadMs] = this.#governor.spentMs;
    try {
      if (this.#lines !== '') this.#platform.append(this.#lines);
      this.#lines = '';
      this.#platform.writeCounters();
    } catch {
      this.failed();
    }
    this.#governor.spentMs += this.#platform.now() - from;
  }

  /**
   * Makes the program's call and records the message. Throws what the call throws.
   *
   * @param patch the function that the program called: frames above it are the program's
   */
  post(
    channel: Channel,
    receiver: unknown,
    args: ArrayLike<unknown>,
    original: Call,
    patch: unknown,
  ): unknown {
    const begun = this.begin(channel, args[0], args[1], patch);
    const result = apply(original, receiver, args);
    if (begun !== null) this.end(begun);
    return result;
  }

  /** Before a message is posted. null where it cannot be told anything about: it is not counted. */
  begin(channel: Channel, value: unknown, transfer: unknown, patch: unknown): Begun | null {
    try {
      const bucket = this.#bucketOf(channel, value);
      const hint = this.#hints.of(value, bucket.plan);
      bucket.untilLook--;
      const due = bucket.untilLook <= 0 || bucket.isOutlier(hint);
      const look = due ? this.#look(channel, bucket, value, transfer, patch) : null;
      const timed = look !== null || bucket.isTimed();
      return { channel, bucket, value, hint, look, from: timed ? this.#platform.now() : UNTIMED };
    } catch {
      this.failed();
      return null;
    }
  }

  /** After it was posted. */
  end({ channel, bucket, value, hint, look, from }: Begun): void {
    try {
      const timed = from !== UNTIMED;
      const to = timed ? this.#platform.now() : 0;
      this.#count(channel, bucket, hint);
      if (timed) bucket.timed(to - from, to + this.#offset);
      bucket.compare(value, timed);
      if (look !== null) this.#seen(channel, bucket, hint, look);
    } catch {
      this.failed();
    }
  }

  #count({ queue }: Channel, bucket: Bucket, hint: number): void {
    bucket.posted(hint);
    this.#counters[HEADER.total]!++;
    if (queue === null) return;
    const { fields } = queue;
    const waiting = ++fields[queue.sent]! - fields[queue.received]!;
    if (waiting > fields[queue.max]!) fields[queue.max] = waiting;
  }

  #bucketOf(channel: Channel, value: unknown): Bucket {
    const classifier = this.#classifier;
    classifier.of(value);
    const { buckets } = channel;
    for (let i = 0; i < buckets.length; i++) if (classifier.is(buckets[i]!)) return buckets[i]!;
    return this.#newBucket(channel, value);
  }

  #newBucket({ buckets }: Channel, value: unknown): Bucket {
    if (this.#bucketCount >= MOST_GROUPS - 1 || buckets.length >= CHANNEL_CLASSES) {
      this.#overflow ??= new Bucket(
        { kind: 'other', size: 0, first: '', last: '' },
        MOST_GROUPS - 1,
        [],
        this.#counters,
      );
      return this.#overflow;
    }
    const fresh = new Bucket(this.#classifier, this.#bucketCount++, this.#hints.plan(value), this.#counters);
    buckets[buckets.length] = fresh;
    return fresh;
  }

  /** The site always for the first of a class; the value when there is time. */
  #look(
    channel: Channel,
    bucket: Bucket,
    value: unknown,
    transfer: unknown,
    patch: unknown,
  ): PendingLook | null {
    const from = this.#platform.now();
    const left = this.#governor.left(from);
    if (left <= 0 && bucket.count > 0) {
      // The next chance is soon, but not at each message: that would read the clock.
      bucket.untilLook = 8;
      return null;
    }
    const site = this.#siteOf(channel.api, patch);
    const nodes = bucket.count === 0 ? FIRST_NODES : floor((left * 1e6) / this.#nsPerNode);
    const look =
      left <= 0 || nodes < LEAST_NODES ? null : this.#platform.look(value, transfer, min(MOST_NODES, nodes));
    const spent = this.#platform.now() - from;
    if (look?.shape) this.#nsPerNode = (this.#nsPerNode + (spent * 1e6) / (look.shape.nodes + 1)) / 2;
    this.#governor.spentMs += spent;
    return { site, look };
  }

  #groupOf(channel: Channel, bucket: Bucket, site: number): number {
    const known = bucket.groups[site];
    if (known !== undefined) return known;
    const id = this.#groupCount++;
    bucket.groups[site] = id;
    const { kind, size, first, last } = bucket;
    const text = `${kind}|${size}|${first}|${last}`;
    this.record({
      record: 'group',
      id,
      site,
      class: hashText(text, this.#salt),
      to: channel.to,
      counter: bucket.id,
    });
    return id;
  }

  #siteOf(api: PostingApi, patch: unknown): number {
    const site = siteOf(this.#platform.frames(patch), (folder) => this.#platform.packageVersion(folder));
    const key = `${api}|${recordText(site)}`;
    const known = this.#sites[key];
    if (known !== undefined) return known;
    const id = this.#siteCount++;
    this.#sites[key] = id;
    this.record({ record: 'site', id, api, site });
    return id;
  }

  #seen(channel: Channel, bucket: Bucket, hint: number, { site, look }: PendingLook): void {
    const from = this.#platform.now();
    const group = this.#groupOf(channel, bucket, site);
    const sized = look?.sized() ?? null;
    this.record({
      record: 'message',
      group,
      nth: bucket.count - 1,
      hint,
      bytes: sized?.bytes ?? null,
      ...(look?.shape ? { shape: look.shape, transfer: look.transfer } : {}),
      ...(sized === null ? {} : { content: sized.content }),
      ...(look?.value ? { value: look.value } : {}),
    });
    const first = bucket.count === 1;
    bucket.looked();
    this.#governor.spentMs += this.#platform.now() - from;
    if (first) this.flush();
  }
}

interface PendingLook {
  site: number;
  look: Look | null;
}

const UNTIMED = -1;

/** A message that is being posted. */
interface Begun {
  channel: Channel;
  bucket: Bucket;
  value: unknown;
  hint: number;
  look: PendingLook | null;
  /** When the call began, or UNTIMED. */
  from: number;
}
