/** The size of patches: what has changed, and never more than the whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patchModule } from '../../../src/codec/patch/patch.ts';

const { applyPatch, createSender, toPatch } = patchModule();

/** Values and keys that a clone writes. */
function weight(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const inside = Object.values(value).reduce((sum: number, inner) => sum + weight(inner), 1);
  return Array.isArray(value) ? inside : inside + Object.keys(value).length;
}

/** A patch of a small payload has its own names of keys and a few steps besides. */
const most = (payload: unknown) => 1.1 * weight(payload) + 8;

const numbers = (count: number, add: number) => Array.from({ length: count }, (_, at) => at + add);
const record = (id: number, add: number) => ({ id, name: `n${id}`, x: id + add, y: id - add });
const records = (count: number, add: number) => Array.from({ length: count }, (_, id) => record(id, add));

/** Without a limit: the patch is the whole. */
const CHANGED: [name: string, previous: unknown, next: unknown, limit?: number][] = [
  ['every number of a list', numbers(50, 0), numbers(50, 1)],
  ['every value of an object', { a: 1, b: 2, c: 3, d: 4 }, { a: 2, b: 3, c: 4, d: 5 }],
  ['half of each record', records(40, 0), records(40, 1)],
  ['one number of a list', numbers(50, 0), Object.assign(numbers(50, 0), { 7: -1 }), 8],
  ['one value of one record', records(50, 0), records(50, 0).with(7, { ...record(7, 0), x: -1 }), 12],
  ['nothing', records(50, 0), records(50, 0), 4],
];

for (const [name, previous, next, limit = most(next)] of CHANGED)
  test(`${name} has changed: the patch holds little else`, () => {
    const patch = toPatch(previous, next);
    assert.deepEqual(applyPatch(structuredClone(previous), structuredClone(patch)), next);
    assert.ok(weight(patch) <= limit, `${weight(patch)} values of ${weight(next)}`);
  });

test('the payload is sent whole at regular intervals, for receivers that join later', () => {
  const sender = createSender({ wholeEvery: 5 });
  const isWhole = Array.from({ length: 16 }, (_, add) => {
    const payload = { add, records: records(20, 0) };
    return 'whole' in sender.toMessage(payload);
  });
  assert.deepEqual(
    isWhole.flatMap((whole, at) => (whole ? at : [])),
    [0, 5, 10, 15],
  );
});
