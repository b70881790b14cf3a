/** Beyond so many texts of one type, more say nothing new. */
const MAX_COMPARED = 2048;
const MIN_REPEATED = 32;
const REPEATS_FROM = 4;

/** How many texts of one type there are, and whether they repeat. */
export class DistinctTexts {
  count = 0;
  units = 0;
  readonly #seen = new Set<string>();
  #compared = 0;

  add(text: string): void {
    this.count++;
    this.units += text.length;
    if (this.#compared >= MAX_COMPARED) return;
    this.#compared++;
    this.#seen.add(text);
  }

  with(other: DistinctTexts): DistinctTexts {
    this.count += other.count;
    this.units += other.units;
    this.#compared += other.#compared;
    for (const text of other.#seen) this.#seen.add(text);
    return this;
  }

  get repeats(): boolean {
    return this.#compared >= MIN_REPEATED && this.#seen.size * REPEATS_FROM <= this.#compared;
  }
}
