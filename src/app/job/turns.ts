import type { Account } from '../../core/account.ts';

/** What is done with each of several jobs. */
interface Turns<One> {
  account: Account;
  /**
   * ms for the next one; null if it is to take none, or if none is left.
   *
   * @param left all that are to come in this round, the next one first
   * @param again it had a turn before
   */
  shareOf(one: One, left: readonly One[], again: boolean): number | null;
  /** @returns whether more time may decide it */
  run(one: One, ms: number | null): Promise<boolean>;
  /** The order of the next turns. */
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
