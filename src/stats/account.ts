/** Time budget, ms, of several jobs that run one after the other: `--total` for all runs, or all sizes of a sweep. */
import { sumOf } from '../model/sums.ts';

/** Minimum share of a job: starting its three processes takes that long, so less time could not decide anything. */
const LEAST_MS = 500;

export const alike = (jobs: number): number[] => new Array<number>(Math.max(1, jobs)).fill(LEAST_MS);

export class Account {
  readonly #now: () => number;
  readonly #endMs: number;
  /** Sum of the time that jobs took beyond their shares: proofs, process starts, closing. */
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
    return this.#endMs - this.#now();
  }

  /**
   * The time left without the usual overruns, divided in the ratio of the costs. A few decided jobs are more useful
   * than many that only started, so no share is less than the usual overrun, and cheaper jobs come first.
   *
   * @param costs minimum cost of each remaining job, the next job first
   * @returns null if the time left is not enough for the next job
   */
  next(costs: readonly number[], mostMs = Number.POSITIVE_INFINITY): number | null {
    if (!this.isLimited) return mostMs;
    const [cost = LEAST_MS] = costs;
    const leftMs = this.leftMs;
    const overheadMs = this.#overdrawnMs / Math.max(1, this.#jobs);
    const roomMs = leftMs - overheadMs * costs.length;
    const payableMs = payable(costs, roomMs);
    const cheaperMs = sumOf(costs, (one) => (one <= cost ? one : 0));
    const isCheapest = costs.every((one) => one >= cost);
    if (cheaperMs > payableMs && !(isCheapest && cost <= leftMs)) return null;
    const shareMs = cheaperMs > payableMs ? cost : (roomMs * cost) / payableMs;
    return Math.min(mostMs, leftMs, Math.max(shareMs, overheadMs));
  }

  async spend<T>(shareMs: number, job: () => Promise<T>): Promise<T> {
    const began = this.#now();
    try {
      return await job();
    } finally {
      this.#overdrawnMs += Math.max(0, this.#now() - began - shareMs);
      this.#jobs += 1;
    }
  }

  /** Runs jobs one after the other, each for its share of the time, and the undecided ones again until none is left. */
  async inTurns<One>(jobs: readonly One[], { shareOf, run, compare = () => 0 }: Turns<One>): Promise<void> {
    let open = jobs;
    for (let again = false; open.length > 0; again = true) {
      const undecided: One[] = [];
      for (const [i, one] of open.entries()) {
        const ms = shareOf(one, open.slice(i), again);
        const isUndecided = ms === null ? await run(one, ms) : await this.spend(ms, () => run(one, ms));
        if (isUndecided) undecided.push(one);
      }
      open = undecided.sort(compare);
    }
  }
}

interface Turns<One> {
  /** Returns ms, or null if none is left. @param left jobs of this round, the next first @param again it had a turn */
  shareOf(one: One, left: readonly One[], again: boolean): number | null;
  /** @returns true if more time may decide it */
  run(one: One, ms: number | null): Promise<boolean>;
  compare?(a: One, b: One): number;
}

function payable(costs: readonly number[], roomMs: number): number {
  let paid = 0;
  for (const cost of [...costs].sort((a, b) => a - b)) {
    if (paid + cost > roomMs) break;
    paid += cost;
  }
  return paid;
}
