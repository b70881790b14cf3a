/**
 * Matchers for vitest, jest and bun:test: `expect.extend(matchers)`. For node:test the same claims as assertions:
 * `assertFastPath(payload, { runtime: 'bun@1.4' })`.
 */
import {
  type CloneableOptions,
  type CloneWithinOptions,
  clonesWithin,
  type FastPathOptions,
  isCloneable,
  takesFastPath,
} from './claims.ts';

export { assertCloneable, assertCloneWithin, assertFastPath } from './assertions.ts';
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
  /** Posting the payload throws no DataCloneError. */
  toBeCloneable: (received: unknown, options?: CloneableOptions): MatcherResult =>
    plainResult(isCloneable(received, options)),
};

/** For `interface Matchers<T> extends CloneProfMatchers` in the types of vitest or jest. */
export interface CloneProfMatchers<R = void> {
  toTakeFastPath(options?: FastPathOptions): R;
  toCloneWithin(options: CloneWithinOptions): R;
  toBeCloneable(options?: CloneableOptions): R;
}
