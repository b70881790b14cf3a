/** Faults that the tests must catch, by subject: a text that stands in src exactly once, and what is put in its place. */

export interface Mutant {
  /** What is wrong with the code then. */
  name: string;
  find: string;
  replace: string;
  /** Parts of names of test files, if they are not those of the subject. */
  tests?: readonly string[];
}

export interface Subject {
  /** Parts of names of the test files that must catch its faults. */
  tests: readonly string[];
  /** True if tests on real runtimes run too, not only the fast ones. */
  isReal?: boolean | undefined;
  mutants: readonly Mutant[];
}

export const mutant = (name: string, find: string, replace: string, tests?: readonly string[]): Mutant => ({
  ...{ name, find, replace },
  ...(tests && { tests }),
});
