import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoadedModule } from '../../../src/guest/payload/module.ts';
import { evaluationWith } from '../../../src/guest/payload/module.ts';
import '../../support/guest-platform.ts';

const names = (count: number) => Array.from({ length: count }, (_, at) => `rows_${at}`);

/** Counts evaluations; each gives objects of its own. */
function moduleOf(count: number) {
  let evaluations = 0;
  const evaluate = async (): Promise<LoadedModule> => {
    evaluations += 1;
    const values = new Map(names(count).map((name) => [name, {}]));
    const full = new Map(names(count).map((name) => [name, name]));
    return { names: full, read: (name) => values.get(name), kind: 'esm' };
  };
  return { evaluate, evaluations: () => evaluations };
}

for (const [count, expected] of [
  [4000, 3],
  [3, 9],
] as const) {
  test(`three values of each of ${count} exports: ${expected} evaluations, and no value twice`, async () => {
    const { evaluate, evaluations } = moduleOf(count);
    const values = new Set<unknown>();
    for (const name of names(count))
      for (let time = 0; time < 3; time++)
        values.add((await evaluationWith(name, `${count}.mjs`, evaluate)).read(name));
    assert.equal(values.size, 3 * count);
    assert.equal(evaluations(), expected);
  });
}
