import assert from 'node:assert/strict';

/** Each of these was timed: the clock has moved on. How long it took belongs in bench/, and is not compared. */
export function assertTimed(times: Readonly<Record<string, number | null | undefined>>): void {
  for (const [what, ns] of Object.entries(times))
    assert.equal(Math.sign(ns ?? Number.NaN), 1, `${what} was not timed: ${ns}`);
}
