/** `import 'clone-prof/vitest'` adds the matchers to the `expect` of vitest, and their types. */
import { expect } from 'vitest';
import { type CloneProfMatchers, matchers } from './index.ts';

expect.extend(matchers);

/** Assertions of vitest 1 to 5 extend chai's assertion; vitest's type parameters differ from version to version. */
declare global {
  namespace Chai {
    interface Assertion extends CloneProfMatchers<void> {}
  }
}

declare module 'vitest' {
  interface AsymmetricMatchersContaining extends CloneProfMatchers<unknown> {}
}
