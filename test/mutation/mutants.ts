/**
 * Faults that the tests must catch, by subject: a file of `faults` is one. A section names what is wrong with the code
 * then, and has the text that stands in src exactly once (-) and what is put in its place (+).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Mutant {
  name: string;
  find: string;
  replace: string;
  /** Parts of names of test files, if they are not those of the subject. */
  tests?: readonly string[] | undefined;
}

export interface Subject {
  /** Parts of names of the test files that must catch its faults. */
  tests: readonly string[];
  /** True if tests on real runtimes run too, not only the fast ones. */
  isReal: boolean;
  mutants: readonly Mutant[];
}

const testsIn = (text: string) => /^Tests[^:\n]*: (.+)$/m.exec(text)?.[1]?.split(' ');

function mutantOf(section: string): Mutant {
  const lines = section.split('\n');
  const [, block = ''] = /^```diff\n([\s\S]*?)^```$/m.exec(section) ?? [];
  const linesOf = (sign: '-' | '+') => block.split('\n').filter((line) => line.startsWith(sign));
  const [find, replace] = (['-', '+'] as const).map((sign) =>
    linesOf(sign)
      .map((line) => line.slice(2))
      .join('\n'),
  );
  if (!find) throw new Error(`the fault '${lines[0]}' has no text to find`);
  return { name: lines[0]!, find, replace: replace!, tests: testsIn(section) };
}

function subjectOf(text: string): Subject {
  const [head = '', ...sections] = text.split(/^## /m);
  const tests = testsIn(head);
  if (!tests) throw new Error(`there is no line of tests in:\n${head}`);
  return { tests, isReal: head.includes('on real runtimes too'), mutants: sections.map(mutantOf) };
}

const FAULTS = join(import.meta.dirname, 'faults');

export const SUBJECTS: Readonly<Record<string, Subject>> = Object.fromEntries(
  readdirSync(FAULTS).map((name) => [
    name.replace('.md', ''),
    subjectOf(readFileSync(join(FAULTS, name), 'utf8')),
  ]),
);
