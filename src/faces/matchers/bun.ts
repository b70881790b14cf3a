/** `import 'clone-prof/bun'` adds the matchers to the `expect` of bun:test, and their types. */
import { expect } from 'bun:test';
import { type CloneProfMatchers, matchers } from './index.ts';

expect.extend(matchers);

declare module 'bun:test' {
  // The type parameter must be that of bun:test.
  interface Matchers<T> extends CloneProfMatchers<void> {}
  interface AsymmetricMatchers extends CloneProfMatchers<unknown> {}
}
