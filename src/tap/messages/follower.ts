/** Follows some messages on their way: of those that are timed, where none is on its way already. */
import { collect, follow, WAY } from '../../core/recording/threads/way.ts';
import type { Queue } from './channel.ts';

export class Follower {
  readonly #counters: Float64Array;
  readonly #sharesClock: boolean;

  /** @param sharesClock as in `TapPlatform` */
  constructor(counters: Float64Array, sharesClock = false) {
    this.#counters = counters;
    this.#sharesClock = sharesClock;
  }

  /** Before the call. @param bucket id of its counters @returns where the message is followed, null where it is not */
  begin(queue: Queue | null, bucket: number, from: number): Queue | null {
    if (!this.#sharesClock || queue === null || queue.way === null) return null;
    const { fields, way, sent } = queue;
    collect(fields, way, this.#counters);
    if (fields[way + WAY.number] !== 0) return null;
    follow(fields, way, fields[sent]!, bucket, from);
    return queue;
  }

  posted(queue: Queue | null, to: number): void {
    if (queue !== null) queue.fields[queue.way! + WAY.to] = to;
  }

  /** Its post threw. */
  cancel(queue: Queue | null): void {
    if (queue !== null) queue.fields[queue.way! + WAY.number] = 0;
  }
}
