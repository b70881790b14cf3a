import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { branchCosts, branchesOf, branchVariants } from '../../../src/core/branches/branches.ts';
import { without } from '../../../src/core/branches/without.ts';
import type { Measured } from '../../../src/model/wire.ts';
import { killAll } from '../../../src/runtimes/process/process-group.ts';
import { Workshop } from '../../runtimes/workshop.ts';
import { runtime } from '../../support/runtimes.ts';
import { measureOf } from '../measure/requests.ts';

const work = new Workshop();
after(() => work.remove());
afterEach(killAll);

/** Nine tenths of the values lie in `heavy`, in rows whose `deep` is most of each. */
const PAYLOAD = work.module(
  'branches.mjs',
  `const row = (i) => ({ id: i, deep: { a: [i, i + 1, i + 2], b: 'text ' + i, c: { d: i / 3 } } });
   export const value = () => ({
     heavy: Array.from({ length: 900 }, (_, i) => row(i)),
     light: Array.from({ length: 100 }, (_, i) => row(i)),
   });`,
);

for (const spec of ['node', 'bun@1.4.5', 'deno@2.9.6']) {
  test(`${spec}: the heavy branch costs what it weighs`, async () => {
    const guest = await work.start(await runtime(spec));
    const described = { type: 'describe', recipe: PAYLOAD, channel: 'worker', confirm: false } as const;
    const { shape } = await guest.ask(described);
    const paths = branchesOf(shape);
    for (const path of ['$.heavy', '$.heavy[*].deep', '$.light'])
      assert.ok(paths.includes(path), paths.join());
    const bytes = await guest.ask({ type: 'branch-bytes', recipe: PAYLOAD, paths });
    const variants = branchVariants(paths);
    const results: Measured[] = [];
    for (const seed of [2, 3]) {
      results.push(await guest.ask(measureOf(PAYLOAD, { variants, sliceMs: 300, seed })));
    }
    await guest.close();
    const costs = new Map(branchCosts(paths, results, bytes, 1).map((cost) => [cost.path, cost]));
    const [heavy, deep, light] = ['$.heavy', '$.heavy[*].deep', '$.light'].map((path) => costs.get(path));
    const between = (value: number | null | undefined, low: number, high: number) =>
      assert.ok(typeof value === 'number' && value > low && value < high, `${low} < ${value} < ${high}`);
    between(heavy?.bytesShare, 0.88, 0.92);
    between(light?.bytesShare, 0.08, 0.12);
    between(heavy?.send?.share, 0.8, 0.96);
    between(light?.send?.share, 0, 0.25);
    between(deep?.send?.share, 0.5, heavy?.send?.share ?? 0);
  });
}

setFlagsFromString('--allow-natives-syntax');
const hasFastProperties = new Function('o', 'return %HasFastProperties(o)') as (o: unknown) => boolean;

for (const count of [3, 25, 120, 200, 1000]) {
  test(`V8 stores a parsed object of ${count} keys and its rest in the same way`, () => {
    const keys = Array.from({ length: count }, (_, i) => `"key${i}":${i}`);
    const value = JSON.parse(`{${keys.join()},"deep":{${keys.join()}}}`) as { deep: object };
    const rest = without(value, '$.deep.key1') as typeof value;
    assert.equal(Object.keys(rest.deep).length, count - 1);
    assert.equal(hasFastProperties(rest.deep), hasFastProperties(value.deep));
    assert.equal(hasFastProperties(rest), hasFastProperties(value));
  });
}
