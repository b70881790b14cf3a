/** When messages arrive that are followed, and what this thread received before them. */
import { WAY } from '../../core/recording/threads/way.ts';
import type { Site } from '../../model/documents/recorded/call-site.ts';
import { max, now } from '../realm/intrinsics.ts';
import { recordText } from '../records/record-text.ts';
import type { ThreadLog } from '../records/thread-log.ts';

/** How many arrivals are timed between two flushes, beside those of messages that are followed. */
const MANY = 128;
const NONE = -1;
/** A program that waits for each message anew registers a listener for each. */
const MAX_LOOKS = 4;

/** The receiving end of a way between a worker and its parent. */
export interface WayEnd {
  readonly fields: Float64Array;
  readonly way: number;
  /** Who posts: "parent", or "worker" and its file. */
  readonly of: string;
  /** The only listener, as it is told; null where there are none or several. */
  listener(): { name: string | null } | null;
  /** Where a listener was registered when there was none, the last time of the first few; how often that was looked for. */
  site: Site | null;
  looks: number;
  isTold: boolean;
  /** The arrival before: when, and in which turn of the event loop. */
  at: number;
  turn: number;
  /** Message that is followed, and how long others were received since it was posted, ms. */
  followed: number;
  receivingMs: number;
}

export const wayEnd = (
  fields: Float64Array,
  way: number,
  of: string,
  listener: WayEnd['listener'],
): WayEnd => ({
  ...{ fields, way, of, listener, site: null, looks: 0, isTold: false },
  ...{ at: 0, turn: NONE, followed: 0, receivingMs: 0 },
});

export class Arrivals {
  readonly #log: ThreadLog;
  readonly #turnOfLoop: () => number;
  #left = MANY;
  #flushes = 0;

  /** @param turnOfLoop which turn of the event loop this is; -1 where that is not known */
  constructor(log: ThreadLog, turnOfLoop: () => number) {
    this.#log = log;
    this.#turnOfLoop = turnOfLoop;
  }

  /**
   * Between two messages of one way that arrive in the same turn of the loop nothing runs but the listeners of the first:
   * the runtime takes all that wait there at once.
   *
   * @param number of the message, from 1 @param isEvent false: a call took it, and anything may have run before
   */
  took(end: WayEnd, number: number, isEvent: boolean): void {
    const { fields, way } = end;
    const followed = fields[way + WAY.number]!;
    const isOpen = followed >= number && fields[way + WAY.taken] === 0;
    if (!isEvent) end.turn = NONE;
    if (!(isOpen && followed <= number + 1) && !this.#hasTime()) return;
    const at = now();
    const turn = isEvent ? this.#turnOfLoop() : NONE;
    if (isOpen) {
      if (end.followed !== followed) end.receivingMs = 0;
      end.followed = followed;
      if (turn !== NONE && turn === end.turn)
        end.receivingMs += max(0, at - max(end.at, fields[way + WAY.from]!));
      if (followed === number) {
        fields[way + WAY.receivingMs] = end.receivingMs;
        fields[way + WAY.taken] = at;
        this.#tell(end);
      }
    }
    end.at = at;
    end.turn = turn;
  }

  #hasTime(): boolean {
    const { flushes } = this.#log;
    if (flushes !== this.#flushes) this.#left = MANY;
    this.#flushes = flushes;
    return this.#left-- > 0;
  }

  /** Whether to look who makes the port refer to the loop: a listener, where there was none. */
  watches(end: WayEnd): boolean {
    return end.looks++ < MAX_LOOKS;
  }

  /** @param from when it was begun to find out where */
  registered(end: WayEnd, site: Site, from: number): void {
    const listening = end.way + WAY.listening;
    if (end.of === 'parent' && end.fields[listening] === 0) end.fields[listening] = from;
    // Of two that are told none is taken to be known.
    if (end.site === null || recordText(end.site) !== recordText(site)) end.isTold = false;
    end.site = site;
    this.#log.took(now() - from);
  }

  #tell(end: WayEnd): void {
    if (end.isTold || end.site === null) return;
    end.isTold = true;
    try {
      const listener = end.listener();
      if (listener !== null)
        this.#log.add({ record: 'listener', of: end.of, name: listener.name, site: end.site });
    } catch {
      this.#log.failed();
    }
  }
}
