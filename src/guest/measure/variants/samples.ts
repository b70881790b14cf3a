import { BlockLength } from '../../../core/measure/block-length.ts';
import { clockStep } from '../../platform/common/clock.ts';

/** Messages that are sent before the first of them is received. */
const MAX_IN_FLIGHT = 512;

/** A list of times. Grows by doubling, so that the loop neither allocates for each message nor keeps boxed doubles. */
export class TimeSeries {
  #values = new Float64Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(ns: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = ns;
  }

  at(index: number): number {
    return this.#values[index] as number;
  }

  /** In the order taken, rounded to ns: no clock here has a finer resolution. */
  list(): number[] {
    return Array.from(this.#values.subarray(0, this.#length), Math.round);
  }
}

/** Samples of one variant, in ns a message. */
export class VariantSamples {
  readonly roundTrip = new TimeSeries();
  readonly send = new TimeSeries();
  readonly receive = new TimeSeries();
  /** Messages of a round trip sample, and of one of send or receive. */
  readonly trips = new BlockLength(clockStep());
  readonly bursts = new BlockLength(clockStep(), MAX_IN_FLIGHT);
  /** Fastest of all round trips, those of the warm-up included. */
  fastest = Number.POSITIVE_INFINITY;
  cold: number | null = null;
  error: string | null = null;
}
