/** A sample of so many steps of the clock is known to within 5 %. */
const LEAST_STEPS = 20;
/** What a too short block is made longer by, at least. */
const GROWTH = 1.25;
const MOST_MESSAGES = 16_384;

/**
 * How many messages of one variant make a sample: one, unless the clock is too coarse for it (pages). It grows until a
 * sample has enough steps of the clock, which is in the warm-up.
 */
export class BlockLength {
  messages = 1;
  readonly #stepNs: number;
  readonly #most: number;

  /**
   * @param stepNs of the clock; 0 where it is fine
   * @param most where all messages of a block are in flight together
   */
  constructor(stepNs: number, most = MOST_MESSAGES) {
    this.#stepNs = stepNs;
    this.#most = most;
  }

  /** To be called with the time of each block, ns. */
  took(ns: number): void {
    const least = LEAST_STEPS * this.#stepNs;
    if (ns >= least) return;
    const factor = Math.max(GROWTH, least / Math.max(ns, this.#stepNs));
    this.messages = Math.min(this.#most, Math.ceil(this.messages * factor));
  }
}
