/** Looks at some messages: their sites, contents and sizes. */

import type { ChangesSeen } from '../../model/documents/recorded/thread-file.ts';
import type { Look, LookTools } from '../look/look.ts';
import { builtInsAreIntact } from '../realm/intact.ts';
import * as kept from '../realm/intrinsics.ts';
import { platform, settings } from '../realm/platform.ts';
import type { Bucket } from '../records/bucket.ts';
import { SMALL_EXTENT } from '../records/message.ts';
import { log } from '../records/thread-log.ts';
import type { Message } from './channel.ts';
import { governor } from './governor.ts';

/** Loads the code for looks with the first message: it calls built-ins by name, which the program may replace later. */
class Looker {
  #tools: LookTools | null = null;
  isRunning = false;
  /** The entry of each runtime gives its own, before anything is recorded. */
  loadTools!: () => LookTools;

  load(): void {
    if (this.#tools === null && builtInsAreIntact())
      this.#tools = this.running(() => platform.alone(this.loadTools));
  }

  /** null if the value cannot be looked at without running the program's code. */
  with<T>(run: (tools: LookTools) => T): T | null {
    this.load();
    const tools = this.#tools;
    if (tools === null || !builtInsAreIntact()) return null;
    return this.running(() => platform.alone(() => run(tools)));
  }

  /** Runs it unrecorded: it may clone. */
  running<T>(run: () => T): T {
    this.isRunning = true;
    try {
      return run();
    } finally {
      this.isRunning = false;
    }
  }
}

export const looker = new Looker();

/** A message that is looked at. */
export interface Looked {
  bucket: Bucket;
  group: number;
  nth: number;
  extent: number;
  found: Look | null;
  /** It was written before the message was posted. */
  isTold: boolean;
  /** All of it. */
  isFinished: boolean;
  /** That time is not made up for: under the governor a slow start would leave none for any other look. */
  free: boolean;
}

/** Values that a first look visits; later ones what the time allows. */
const FIRST_NODES = 1000;
/**
 * Classes whose first message is looked at in any case, and the next ones if they are small: else nothing would be
 * known of the messages and of how their sizes vary.
 */
const KNOWN_CLASSES = 20;
const KNOWN_MESSAGES = 4;
/** Messages whose stacks are taken in any case. */
const ALWAYS_SITED = 64;
const MAX_NODES = 20_000;
/** Fewer say little of the others. */
const LEAST_NODES = 256;
/** Share of what posting itself takes, for looking at what is posted. */
const POSTING_SHARE = 1 / 200;
/** A look that took longer was interrupted. */
const LONGEST_MS = 0.3;
const LONGEST_MS_PER_NODE = 0.006;
/** Fixed cost of a look, in nodes. */
const LOOK_NODES = 100;
/** Messages until the next chance if time is used up. Checking at each message would read the clock too often. */
const NO_TIME = 8;

/** What comparing two messages may take before there is time for it: pairs are few, and later looks make up for it. */
const PAIR_MS = 3;

const NOT_DESCRIBED = 'messages not described: the program has replaced built-ins';

export class Looks {
  readonly #governor = governor(kept.now(), 6, 0.0025);
  /** Governor of stacks, which are cheap: that of every site is wanted. */
  readonly #sites = governor(kept.now(), 1, 0.0005);
  #nsPerNode = 3000;
  #seen = 0;

  /**
   * Called before the message is posted. The site of the first message of a class is always found, and is written at
   * once: its thread may be terminated right after the post.
   */
  before(bucket: Bucket, message: Message & { extent: number }): Looked | null {
    const from = kept.now();
    const first = bucket.count === 0 && !bucket.threw;
    const isFree = this.#seen++ < ALWAYS_SITED;
    const hasTime = first || isFree || bucket.awaitsNext || this.#sites.left(from) > 0;
    const only = hasTime ? null : bucket.onlyGroup;
    if (!hasTime && only === null) {
      bucket.untilLook = NO_TIME;
      return null;
    }
    const { channel, extent, patch } = message;
    const group = only ?? log.groupOf(bucket, log.siteOf(channel.api, patch), channel);
    if (!isFree && only === null) this.#sites.spentMs += kept.now() - from;
    // Loading happens once in a thread, so later looks do not have to make up for its time.
    looker.load();
    const loaded = kept.now();
    // If posts throw, no message is ever counted: each would be among the first.
    const isKnown = bucket.id >= KNOWN_CLASSES || bucket.threw;
    const always = !isKnown && (first || (bucket.count < KNOWN_MESSAGES && extent < SMALL_EXTENT));
    const found = this.#found(message, always, loaded, bucket);
    const free = always && !bucket.isFurther;
    const isFinished = first && !bucket.isFurther && extent < SMALL_EXTENT;
    const nth = bucket.count;
    const looked: Looked = { bucket, group, nth, extent, found, free, isTold: first, isFinished };
    bucket.looked(extent);
    if (!free) this.#charge(kept.now() - loaded, found?.visited ?? 0);
    log.took(kept.now() - from);
    if (first) this.#tell(looked);
    return looked;
  }

  /** A large one is written again: its texts are read after it was posted. */
  #tell(looked: Looked): void {
    if (looked.isFinished) this.after(looked, false);
    else this.#add(looked, null);
    log.flush();
  }

  /** Credits a timed call: if messages take long to post, there is time to look at more. */
  posted(ms: number): void {
    this.#governor.spentMs -= ms * POSTING_SHARE;
  }

  /** A look that took far longer was interrupted by other programs. */
  #charge(ms: number, visited: number): void {
    this.#governor.spentMs += kept.min(ms, LONGEST_MS + visited * LONGEST_MS_PER_NODE);
  }

  #found({ channel, value, transfer }: Message, always: boolean, from: number, bucket: Bucket): Look | null {
    const left = this.#governor.left(from);
    if (!always && left <= (bucket.awaitsNext ? -2 * PAIR_MS : 0)) return null;
    // Part of the time is left for later messages: visiting many in part says more than visiting one whole.
    const affordable = kept.floor((left * 1e6) / this.#nsPerNode / 4);
    const nodes = kept.min(MAX_NODES, kept.max(always ? FIRST_NODES : LEAST_NODES, affordable));
    const { keepsNext } = bucket;
    const values = keepsNext ? settings.values : 'none';
    const request = { nodes, values, serialization: channel.serialization };
    try {
      const found = looker.with(({ look }) => look(value, transfer, request));
      if (found === null) log.gapOnce(NOT_DESCRIBED);
      else if (keepsNext) bucket.wasKept();
      const spent = kept.now() - from;
      // The first ones say what a cold engine takes, and every look has a part that no node makes.
      if (found !== null && !always)
        this.#nsPerNode = (this.#nsPerNode + (spent * 1e6) / (found.visited + LOOK_NODES)) / 2;
      return found;
    } catch {
      log.failed();
      return null;
    }
  }

  /** @param isPosted false: before the message is posted */
  after(looked: Looked, isPosted = true): void {
    const from = kept.now();
    const { found } = looked;
    looker.running(() => found?.finish(isPosted));
    const hasTime = this.#governor.left(from) > -2 * PAIR_MS;
    const changes = hasTime ? looker.running(() => looked.bucket.changesIn(looked)) : null;
    this.#add(looked, changes);
    const spent = kept.now() - from;
    if (!looked.free) this.#charge(spent, found?.visited ?? 0);
    log.took(spent);
    if (platform.endsUnseen) log.flush();
  }

  #add({ group, nth, extent, found }: Looked, changes: ChangesSeen | null): void {
    const bytes = found?.bytes ?? null;
    log.add({
      record: 'message',
      ...{ group, nth, extent },
      ...(found === null ? {} : { tree: found.tree, transfer: found.transfer }),
      ...(bytes === null ? {} : { bytes }),
      ...(changes === null ? {} : { changes }),
    });
  }
}
