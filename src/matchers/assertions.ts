/** The claims as plain assertions, for node:test and anything else without `expect`. */
import { AssertionError } from 'node:assert';
import {
  type Claim,
  type CloneableOptions,
  type CloneWithinOptions,
  clonesWithin,
  type FastPathOptions,
  isCloneable,
  takesFastPath,
} from './claims.ts';

function hold(claim: Claim, assertion: (...args: never[]) => void): void {
  if (claim.pass) return;
  const { actual, expected } = claim;
  const operator = assertion.name;
  // The stack begins where the assertion was called.
  throw new AssertionError({ message: claim.message(), actual, expected, operator, stackStartFn: assertion });
}

/** @throws AssertionError that names what keeps the payload off the fast path, where, and what to do */
export function assertFastPath(value: unknown, options?: FastPathOptions): void {
  hold(takesFastPath(value, options), assertFastPath);
}

/** @throws AssertionError that names each value that cannot be cloned */
export function assertCloneable(value: unknown, options?: CloneableOptions): void {
  hold(isCloneable(value, options), assertCloneable);
}

/** @throws AssertionError that names where most bytes are */
export function assertCloneWithin(value: unknown, options: CloneWithinOptions): void {
  hold(clonesWithin(value, options), assertCloneWithin);
}
