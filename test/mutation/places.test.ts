import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { globSync } from 'tinyglobby';
import { SUBJECTS } from './mutants.ts';

/** The run of the mutants takes an hour, so a redesign would move their places unseen. */
test('the place of each planted fault is in the sources exactly once', () => {
  const files = globSync('src/**/*.ts', { cwd: new URL('../..', import.meta.url).pathname, absolute: true });
  const source = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const all = Object.values(SUBJECTS).flatMap(({ mutants }) => mutants);
  const moved = all.filter(({ find }) => source.split(find).length !== 2).map(({ name }) => name);
  assert.deepEqual(moved, []);
});

test('the tests of each planted fault are there', () => {
  const tests = globSync('**/*.test.ts', { cwd: new URL('..', import.meta.url).pathname });
  const names = Object.values(SUBJECTS).flatMap(({ tests, mutants }) => [
    ...tests,
    ...mutants.flatMap(({ tests }) => tests ?? []),
  ]);
  const gone = new Set(names.filter((name) => !tests.some((file) => file.includes(name))));
  assert.deepEqual([...gone], []);
});
