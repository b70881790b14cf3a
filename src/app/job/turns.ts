import type { Account } from '../../core/account.ts';

/** Steps that `inTurns` takes with each job. */
interface Turns<One> {
  account: Account;
  /**
   * Time for the next job in ms; null if it gets no time, or if none is left.
   *
   * @param left all jobs still to come in this round, the next one first
   * @param again true if the job had a turn before
   */
  shareOf(one: One, left: readonly One[], again: boolean): number | null;
  /** @returns true if more time may decide it */
  run(one: One, ms: number | null): Promise<boolean>;
  /** Order of the jobs in the next round. */
  compare?(a: One, b: One): number;
}

/** Runs jobs one after the other, each for its share of the time, and the undecided ones again until none is left. */
export async function inTurns<One>(
  jobs: readonly One[],
  { account, shareOf, run, compare = () => 0 }: Turns<One>,
): Promise<void> {
  let open = jobs;
  for (let again = false; open.length > 0; again = true) {
    const undecided: One[] = [];
    for (const [i, one] of open.entries()) {
      const ms = shareOf(one, open.slice(i), again);
      const isUndecided = ms === null ? await run(one, ms) : await account.spend(ms, () => run(one, ms));
      if (isUndecided) undecided.push(one);
    }
    open = undecided.sort(compare);
  }
}
