/** Minimal types of the test suites. The user installs the suite itself; the entries need its `expect` alone. */
interface Expect {
  extend(added: Record<string, unknown>): void;
}

declare module 'vitest' {
  export const expect: Expect;
  export interface AsymmetricMatchersContaining {}
}

declare module '@jest/globals' {
  export const expect: Expect;
}

declare module 'expect' {
  export const expect: Expect;
  export interface Matchers<R extends void | Promise<void>, T> {}
  export interface AsymmetricMatchers {}
}

declare module 'bun:test' {
  export const expect: Expect;
  export interface Matchers<T> {}
  export interface AsymmetricMatchers {}
}
