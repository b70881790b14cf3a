/**
 * Matchers for vitest, jest and bun:test: `expect.extend(matchers)`. For node:test the same claims as assertions:
 * `assertFastPath(payload, { runtime: 'bun@1.4' })`.
 */

import { AssertionError } from 'node:assert';
import {
  type CloneableOptions,
  type CloneClaim,
  type CloneWithinOptions,
  clonesWithin,
  type FastPathOptions,
  isCloneable,
  takesFastPath,
} from './claims.ts';

export type { CloneableOptions, CloneWithinOptions, FastPathOptions } from './claims.ts';

/** What a matcher of vitest, jest and bun:test gives back. */
export interface MatcherResult {
  pass: boolean;
  message: () => string;
}

const plainResult = ({ pass, message }: MatcherResult): MatcherResult => ({ pass, message });

export const matchers = {
  /** The payload takes a fast path of that runtime (default: the running one), by rules. */
  toTakeFastPath: (received: unknown, options?: FastPathOptions): MatcherResult =>
    plainResult(takesFastPath(received, options)),
  /** Posting the payload copies at most `maxBytes`. */
  toCloneWithin: (received: unknown, options: CloneWithinOptions): MatcherResult =>
    plainResult(clonesWithin(received, options)),
  /** Posting the payload throws no DataCloneError, and it arrives as it was sent: nothing is lost. */
  toBeCloneable: (received: unknown, options?: CloneableOptions): MatcherResult =>
    plainResult(isCloneable(received, options)),
};

/** For `interface Matchers<T> extends CloneProfMatchers` in the types of vitest or jest. */
export interface CloneProfMatchers<R = void> {
  toTakeFastPath(options?: FastPathOptions): R;
  toCloneWithin(options: CloneWithinOptions): R;
  toBeCloneable(options?: CloneableOptions): R;
}

function hold(claim: CloneClaim, assertion: (...args: never[]) => void): void {
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

/** @throws AssertionError that names each value that cannot be cloned, or is not the same on arrival */
export function assertCloneable(value: unknown, options?: CloneableOptions): void {
  hold(isCloneable(value, options), assertCloneable);
}

/** @throws AssertionError that names where most bytes are */
export function assertCloneWithin(value: unknown, options: CloneWithinOptions): void {
  hold(clonesWithin(value, options), assertCloneWithin);
}
