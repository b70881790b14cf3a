import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { killAll } from '../../../src/runtimes/process/supervisor.ts';
import { branchCosts, branchesOf, branchVariants, without } from '../../../src/stats/branches/branches.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import type { RuntimeSpec } from '../../support/runtimes.ts';
import { usually } from '../../support/whole.ts';
import { measureRequest } from '../measure/requests.ts';

const folder = new PayloadFolder();
afterEach(killAll);

/** Nine tenths of the values lie in `heavy`, in rows whose `deep` is most of each. */
const PAYLOAD = folder.module(
  'branches.mjs',
  `const row = (i) => ({ id: i, deep: { a: [i, i + 1, i + 2], b: 'text ' + i, c: { d: i / 3 } } });
   export const value = () => ({
     heavy: Array.from({ length: 900 }, (_, i) => row(i)),
     light: Array.from({ length: 100 }, (_, i) => row(i)),
   });`,
);

const SPECS = usually<RuntimeSpec>(['node', 'bun@1.4.5'], ['deno@2.9.6']);
folder.testInGuests('each branch has its bytes and its time', SPECS, async (guest) => {
  const described = { type: 'describe', recipe: PAYLOAD, channel: 'worker', confirm: false } as const;
  const { shape } = await guest.ask(described);
  const paths = branchesOf(shape);
  for (const path of ['$.heavy', '$.heavy[*].deep', '$.light']) assert.ok(paths.includes(path), paths.join());
  const bytes = await guest.ask({ type: 'branch-bytes', recipe: PAYLOAD, paths });
  const variants = branchVariants(paths);
  const measured = await guest.ask(measureRequest(PAYLOAD, { variants }));
  for (const { variant, error } of measured.sets) assert.equal(error, null, variant);
  const costs = new Map(branchCosts(paths, [measured], bytes, 1).map((cost) => [cost.path, cost]));
  assert.deepEqual([...costs.keys()].sort(), [...paths].sort());
  for (const { path, send } of costs.values()) assert.equal(typeof send?.share, 'number', path);
  const between = (path: string, low: number, high: number) => {
    const share = costs.get(path)?.bytesShare;
    assert.ok(typeof share === 'number' && share > low && share < high, `${low} < ${share} < ${high}`);
  };
  between('$.heavy', 0.88, 0.92);
  between('$.light', 0.08, 0.12);
});

setFlagsFromString('--allow-natives-syntax');
const hasFastProperties = new Function('o', 'return %HasFastProperties(o)') as (o: unknown) => boolean;

for (const count of [3, 25, 120, 200, 1000]) {
  test(`V8 stores a parsed object of ${count} keys and the object without a branch alike`, () => {
    const keys = Array.from({ length: count }, (_, i) => `"key${i}":${i}`);
    const value = JSON.parse(`{${keys.join()},"deep":{${keys.join()}}}`) as { deep: object };
    const rest = without(value, '$.deep.key1') as typeof value;
    assert.equal(Object.keys(rest.deep).length, count - 1);
    assert.equal(hasFastProperties(rest.deep), hasFastProperties(value.deep));
    assert.equal(hasFastProperties(rest), hasFastProperties(value));
  });
}
