/**
 * Faults that the tests must catch, by subject: a file of `faults` is one. A row names what is wrong with the code then,
 * and has the text that stands in src exactly once, what is put in its place, and parts of names of the test files that
 * must catch it, if they are not those of the subject. A section with a block of `diff` is a fault of several lines.
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

/** Text of a cell: code is between backticks, and a `|` in it stands behind a `\`. */
function textOf(cell: string): string {
  const text = cell.trim().replaceAll('\\|', '|');
  return /^(`+)(.*)\1$/.exec(text)?.[2]?.replace(/^ (.*) $/, '$1') ?? text;
}

function mutantOfRow(row: string): Mutant {
  const [name = '', find = '', replace = '', tests = ''] = row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map(textOf);
  return { name, find, replace, tests: tests ? tests.split(' ') : undefined };
}

function mutantOfSection(section: string): Mutant {
  const [, block = ''] = /^```diff\n([\s\S]*?)^```$/m.exec(section) ?? [];
  const linesOf = (sign: '-' | '+') => block.split('\n').filter((line) => line.startsWith(sign));
  const [find, replace] = (['-', '+'] as const).map((sign) =>
    linesOf(sign)
      .map((line) => line.slice(2))
      .join('\n'),
  );
  return { name: section.split('\n')[0]!, find: find!, replace: replace!, tests: testsIn(section) };
}

function subjectOf(text: string): Subject {
  const [head = '', ...sections] = text.split(/^## /m);
  const tests = testsIn(head);
  if (!tests) throw new Error(`there is no line of tests in:\n${head}`);
  const [, , ...rows] = head.match(/^\|.*\|$/gm) ?? [];
  const mutants = [...rows.map(mutantOfRow), ...sections.map(mutantOfSection)];
  for (const { name, find } of mutants) if (!find) throw new Error(`the fault '${name}' has no text to find`);
  return { tests, isReal: head.includes('on real runtimes too'), mutants };
}

const FAULTS = join(import.meta.dirname, 'faults');

export const SUBJECTS: Readonly<Record<string, Subject>> = Object.fromEntries(
  readdirSync(FAULTS).map((name) => [
    name.replace('.md', ''),
    subjectOf(readFileSync(join(FAULTS, name), 'utf8')),
  ]),
);
