/** Looks at some messages: where they come from, what they are, how large. */
import type { Bucket } from './bucket.ts';
import type { Governor } from './governor.ts';
import { floor, min } from './intrinsics.ts';
import type { Look, TapPlatform } from './platform.ts';
import type { ThreadLog } from './thread-log.ts';

/** A message that is looked at, before its size is known. */
export interface Looked {
  group: number;
  nth: number;
  hint: number;
  found: Look | null;
}

/** Values that a first look visits; later ones what the time allows. */
const FIRST_NODES = 1000;
/** Classes of which the first message is looked at in any case: without it nothing is known of them. */
const ALWAYS_LOOKED = 12;
const MOST_NODES = 20_000;
const LEAST_NODES = 64;
/** Messages until the next chance, where there is no time: not at each, because that would read the clock. */
const NO_TIME = 8;

export class Looks {
  readonly #platform: TapPlatform;
  readonly #governor: Governor;
  readonly #log: ThreadLog;
  readonly #sites: Governor;
  #nsPerNode = 3000;
  #firsts = 0;
  isRunning = false;

  /** @param governor of looks @param sites of stacks, which are cheap: that of every site is wanted */
  constructor(platform: TapPlatform, governor: Governor, sites: Governor, log: ThreadLog) {
    this.#platform = platform;
    this.#governor = governor;
    this.#sites = sites;
    this.#log = log;
  }

  /**
   * Before the message is posted. Of the first of a class the site is always found, and all is written at once: its thread
   * may be terminated as soon as it has posted it.
   */
  before(bucket: Bucket, message: Message): Looked | null {
    const from = this.#platform.now();
    const first = bucket.count === 0;
    if (!first && this.#sites.left(from) <= 0) {
      bucket.untilLook = NO_TIME;
      return null;
    }
    const { channel, value, transfer, hint, patch } = message;
    const group = this.#log.groupOf(bucket, this.#log.siteOf(channel.api, patch), channel.to);
    this.#sites.spentMs += this.#platform.now() - from;
    // Once in a thread: not to be made up for by looking at less.
    this.#load();
    const loaded = this.#platform.now();
    const looked = { group, nth: bucket.count, hint, found: this.#found(value, transfer, first, loaded) };
    bucket.looked();
    this.#governor.spentMs += this.#platform.now() - loaded;
    if (!first) return looked;
    this.after(looked);
    this.#log.flush();
    return null;
  }

  #load(): void {
    this.isRunning = true;
    try {
      this.#platform.loadLook();
    } finally {
      this.isRunning = false;
    }
  }

  #found(value: unknown, transfer: unknown, first: boolean, from: number): Look | null {
    const left = this.#governor.left(from);
    const always = first && this.#firsts++ < ALWAYS_LOOKED;
    const nodes = always ? FIRST_NODES : floor((left * 1e6) / this.#nsPerNode);
    if (nodes < LEAST_NODES) return null;
    this.isRunning = true;
    try {
      const found = this.#platform.look(value, transfer, min(MOST_NODES, nodes));
      const spent = this.#platform.now() - from;
      if (found !== null) this.#nsPerNode = (this.#nsPerNode + (spent * 1e6) / (found.visited + 1)) / 2;
      return found;
    } catch {
      this.#log.failed();
      return null;
    } finally {
      this.isRunning = false;
    }
  }

  /** After the message was posted: to serialize it before would flatten its ropes. */
  after({ group, nth, hint, found }: Looked): void {
    const from = this.#platform.now();
    const sized = found?.sized() ?? null;
    this.#log.add({
      record: 'message',
      ...{ group, nth, hint, bytes: sized?.bytes ?? null },
      ...(found?.shape ? { shape: found.shape, transfer: found.transfer } : {}),
      ...(sized === null ? {} : { content: sized.content }),
      ...(found?.value == null ? {} : { value: found.value }),
    });
    this.#governor.spentMs += this.#platform.now() - from;
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
