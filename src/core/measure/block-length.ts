/** A sample of so many steps of the clock is known to within 5 %. */
const MIN_STEPS = 20;
/** What a too short block is made longer by, at least. */
const GROWTH = 1.25;
const MAX_MESSAGES = 16_384;

/**
 * How many messages of one variant make a sample: one, unless the clock is too coarse for it (pages). It grows until a
 * sample has enough steps of the clock.
 */
export class BlockLength {
  messages = 1;
  readonly #stepNs: number;
  readonly #most: number;

  /**
   * @param stepNs of the clock; 0 where it is fine
   * @param most where all messages of a block are in flight together
   */
  constructor(stepNs: number, most = MAX_MESSAGES) {
    this.#stepNs = stepNs;
    this.#most = most;
  }

  /** A time of so many ns is known to within 5 %. */
  isLongEnough(ns: number): boolean {
    return ns >= MIN_STEPS * this.#stepNs;
  }

  /**
   * A block that took so little, ns, must go on, or it might take no step of the clock: it is longer now. Below half of what
   * the next blocks get, so that its own time seldom decides where it ends.
   */
  mustGoOn(ns: number): boolean {
    if (this.messages >= this.#most || this.isLongEnough(2 * ns)) return false;
    this.took(ns);
    return true;
  }

  /** To be called with the time of each block, ns. */
  took(ns: number): void {
    if (this.isLongEnough(ns)) return;
    const factor = Math.max(GROWTH, (MIN_STEPS * this.#stepNs) / Math.max(ns, this.#stepNs));
    this.messages = Math.min(this.#most, Math.ceil(this.messages * factor));
  }
}
