/** `import 'clone-prof/jest'` adds the matchers to the `expect` of jest, and their types, with globals or without. */
import { expect } from '@jest/globals';
import { type CloneProfMatchers, matchers } from './index.ts';

expect.extend(matchers);

// The type parameters must be the same as in `expect` and @types/jest.
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T> extends CloneProfMatchers<R> {}
  interface AsymmetricMatchers extends CloneProfMatchers<unknown> {}
}

declare global {
  namespace jest {
    interface Matchers<R, T> extends CloneProfMatchers<R> {}
  }
}
