/** Grows by doubling, so that the loop neither allocates per message nor holds boxed doubles. */
export class Series {
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

  /** Whole nanoseconds, in the order taken: no clock here resolves less than one. */
  list(): number[] {
    return Array.from(this.#values.subarray(0, this.#length), Math.round);
  }
}

/** Samples of one variant, in ns. */
export class VariantSamples {
  readonly roundTrip = new Series();
  readonly send = new Series();
  readonly receive = new Series();
  cold: number | null = null;
  error: string | null = null;
}
