/** Time of several jobs, one after the other, in ms: `--total` of all runs, and the budget of all sizes of a sweep. */

/** Less time would decide nothing: three processes start in it. */
const LEAST_MS = 500;

/** Equal costs, for jobs about which nothing else is known. */
export const alike = (jobs: number): number[] => new Array<number>(Math.max(1, jobs)).fill(LEAST_MS);

export class Account {
  readonly #now: () => number;
  readonly #endMs: number;
  /** What jobs took beyond their shares: proofs, starts, closing. */
  #overdrawnMs = 0;
  #jobs = 0;

  /** @param now a clock, ms @param totalMs from now on; null: no limit */
  constructor(now: () => number, totalMs: number | null) {
    this.#now = now;
    this.#endMs = totalMs === null ? Number.POSITIVE_INFINITY : now() + totalMs;
  }

  get isLimited(): boolean {
    return this.#endMs < Number.POSITIVE_INFINITY;
  }

  get leftMs(): number {
    return this.isLimited ? this.#endMs - this.#now() : this.#endMs;
  }

  /**
   * The share of the next job, in the ratio of what jobs cost, without what each will take beyond its share. On a slow
   * machine few jobs that are decided serve better than many that only started: no share is less than what a job takes
   * beside, and if not all can be paid, the cheaper ones are.
   *
   * @param costs what each of the jobs to come takes at least, the next one first
   * @returns null if what is left does not pay for it
   */
  next(costs: readonly number[], mostMs = Number.POSITIVE_INFINITY): number | null {
    if (!this.isLimited) return mostMs;
    const [cost = LEAST_MS] = costs;
    const leftMs = this.leftMs;
    const overheadMs = this.#overdrawnMs / Math.max(1, this.#jobs);
    const roomMs = leftMs - overheadMs * costs.length;
    const payableMs = payable(costs, roomMs);
    const cheaperMs = sum(costs.filter((one) => one <= cost));
    const isCheapest = costs.every((one) => one >= cost);
    if (cheaperMs > payableMs && !(isCheapest && cost <= leftMs)) return null;
    const shareMs = cheaperMs > payableMs ? cost : (roomMs * cost) / payableMs;
    return Math.min(mostMs, leftMs, Math.max(shareMs, overheadMs));
  }

  /** Notes what the job takes beyond its share. */
  async spend<T>(shareMs: number, job: () => Promise<T>): Promise<T> {
    if (!this.isLimited) return job();
    const began = this.#now();
    try {
      return await job();
    } finally {
      this.#overdrawnMs += Math.max(0, this.#now() - began - shareMs);
      this.#jobs += 1;
    }
  }
}

const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);

/** What the cheapest jobs cost that `roomMs` pays for. */
function payable(costs: readonly number[], roomMs: number): number {
  let paid = 0;
  for (const cost of [...costs].sort((a, b) => a - b)) {
    if (paid + cost > roomMs) break;
    paid += cost;
  }
  return paid;
}
