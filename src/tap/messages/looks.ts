/** Looks at some messages: where they come from, what they are, how large. */

import { floor, min, now } from '../realm/intrinsics.ts';
import type { Look, TapPlatform } from '../realm/platform.ts';
import type { Bucket } from '../records/bucket.ts';
import type { ThreadLog } from '../records/thread-log.ts';

/** Bounds what a part of the recorder takes: some milliseconds at once, and a share of the time since the thread started. */
export const governor = (startedAt: number, atOnceMs: number, share: number) => ({
  spentMs: 0,
  /** How much may be spent now, ms; 0 or less: nothing. */
  left(now: number): number {
    return atOnceMs + share * (now - startedAt) - this.spentMs;
  },
});

/** A message that is looked at, before its size is known. */
export interface Looked {
  group: number;
  nth: number;
  hint: number;
  found: Look | null;
  /** It was written before the message was posted. */
  isTold: boolean;
}

/** Values that a first look visits; later ones what the time allows. */
const FIRST_NODES = 1000;
/**
 * Classes whose first message is looked at in any case, and the next ones where they are small: without them nothing
 * is known of the messages and of how their sizes vary.
 */
const KNOWN_CLASSES = 12;
const KNOWN_MESSAGES = 4;
const SMALL_HINT = 4096;
/** Messages whose stacks are taken in any case. */
const ALWAYS_SITED = 64;
const MAX_NODES = 20_000;
const MIN_NODES = 64;
/** What a look takes beside its nodes, in nodes. */
const LOOK_NODES = 100;
/** Messages until the next chance, where there is no time: not at each, because that would read the clock. */
const NO_TIME = 8;

const NOT_DESCRIBED = 'messages not described: the program has replaced built-ins';

export class Looks {
  readonly #platform: TapPlatform;
  readonly #log: ThreadLog;
  readonly #governor = governor(now(), 3, 0.002);
  /** Governor of stacks, which are cheap: that of every site is wanted. */
  readonly #sites = governor(now(), 1, 0.0005);
  #nsPerNode = 3000;
  #seen = 0;
  isRunning = false;

  constructor(platform: TapPlatform, log: ThreadLog) {
    this.#platform = platform;
    this.#log = log;
  }

  /**
   * Before the message is posted. Of the first of a class the site is always found, and all is written at once: its thread
   * may be terminated as soon as it has posted it.
   */
  before(bucket: Bucket, message: Message): Looked | null {
    const from = now();
    const first = bucket.count === 0 && !bucket.threw;
    const isFree = this.#seen++ < ALWAYS_SITED;
    if (!first && !isFree && this.#sites.left(from) <= 0) {
      bucket.untilLook = NO_TIME;
      return null;
    }
    const { channel, hint, patch } = message;
    const group = this.#log.groupOf(bucket, this.#log.siteOf(channel.api, patch), channel.to);
    if (!isFree) this.#sites.spentMs += now() - from;
    // Once in a thread: not to be made up for by looking at less.
    this.running(() => this.#platform.loadLook());
    const loaded = now();
    const always =
      bucket.id < KNOWN_CLASSES && (first || (bucket.count < KNOWN_MESSAGES && hint < SMALL_HINT));
    const found = this.#found(message, always, loaded, bucket.storesShape);
    const looked = { group, nth: bucket.count, hint, found, isTold: first };
    if (found?.shape) bucket.shapeStored();
    bucket.looked(hint);
    // Bounded by their number: under the governor a slow start would leave no time for any other look.
    if (!always) this.#charge(now() - loaded, found);
    this.#log.took(now() - from);
    if (first) {
      this.after(looked);
      this.#log.flush();
    }
    return looked;
  }

  /** A look that took far longer was interrupted by other programs. */
  #charge(ms: number, found: Look | null): void {
    this.#governor.spentMs += min(ms, 1 + (found?.visited ?? 0) * 0.01);
  }

  #found({ value, transfer }: Message, always: boolean, from: number, stored: boolean): Look | null {
    const left = this.#governor.left(from);
    const nodes = always ? FIRST_NODES : floor((left * 1e6) / this.#nsPerNode);
    if (nodes < MIN_NODES) return null;
    try {
      const found = this.running(() => this.#platform.look(value, transfer, min(MAX_NODES, nodes), stored));
      if (found === null) this.#log.gapOnce(NOT_DESCRIBED);
      const spent = now() - from;
      // The first ones say what a cold engine takes, and every look has a part that no node makes.
      if (found !== null && !always)
        this.#nsPerNode = (this.#nsPerNode + (spent * 1e6) / (found.visited + LOOK_NODES)) / 2;
      return found;
    } catch {
      this.#log.failed();
      return null;
    }
  }

  /** What runs is not recorded: it may clone. */
  running<T>(run: () => T): T {
    this.isRunning = true;
    try {
      return run();
    } finally {
      this.isRunning = false;
    }
  }

  /** After the message was posted: to serialize it before would flatten its ropes. */
  after({ group, nth, hint, found }: Looked): void {
    const from = now();
    const sized = found?.sized() ?? null;
    this.#log.add({
      record: 'message',
      ...{ group, nth, hint, bytes: null, ...sized },
      ...(found?.shape ? { shape: found.shape } : {}),
      ...(found === null ? {} : { transfer: found.transfer }),
      ...(found?.value == null ? {} : { value: found.value }),
    });
    const spent = now() - from;
    this.#charge(spent, found);
    this.#log.took(spent);
    if (this.#platform.endsUnseen) this.#log.flush();
  }
}

interface Message {
  channel: { api: Parameters<ThreadLog['siteOf']>[0]; to: string | null };
  value: unknown;
  transfer: unknown;
  hint: number;
  patch: unknown;
}
