import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesIn } from '../../../src/record/threads/looked-messages.ts';
import { sizesOf } from '../../../src/record/threads/sizes.ts';

const seen = (extent: number, bytes: number | null, error?: number) =>
  ({ record: 'message', group: 0, nth: 0, extent, bytes, ...(error !== undefined && { error }) }) as const;

const rows: [why: string, given: ReturnType<typeof seen>[], sizes: number[]][] = [
  ['what was serialized is taken', [seen(10, 100), seen(10, 101), seen(5, null)], [100, 101]],
  ['an estimate too', [seen(20, 205, 0.2), seen(10, 100)], [205, 100]],
];
for (const [why, given, sizes] of rows)
  test(`sizes: ${why}`, () =>
    assert.deepEqual(
      sizesOf(given).map(({ bytes }) => bytes),
      sizes,
    ));

test('changes: the mean, and the paths that differed most often', () => {
  const compared = (equal: number, ...paths: string[]) => ({ ...seen(1, 1000), changes: { equal, paths } });
  assert.deepEqual(changesIn([seen(1, 1000)]), {});
  assert.deepEqual(changesIn([compared(1), compared(0.5, '$.a', '$.b'), compared(0.75, '$.b')]).changes, {
    compared: 3,
    same: 1,
    equal: 0.75,
    paths: [
      { path: '$.b', count: 2 },
      { path: '$.a', count: 1 },
    ],
  });
});
