import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  changesIn,
  groupBytes,
  magnitudesOf,
  sharesOf,
  sizesOf,
} from '../../../src/record/threads/looked-messages.ts';

const seen = (
  nth: number,
  extent: number,
  bytes: number | null,
  more: { group?: number; error?: number } = {},
) => ({ record: 'message', group: 0, nth, extent, bytes, ...more }) as const;

const rows: [why: string, given: ReturnType<typeof seen>[], sizes: number[]][] = [
  ['what was serialized is taken', [seen(0, 10, 100), seen(0, 10, 101), seen(0, 5, null)], [100, 101]],
  ['an estimate too', [seen(0, 20, 205, { error: 0.2 }), seen(0, 10, 100)], [205, 100]],
];
const bytesOf = ({ bytes }: { bytes: number }) => bytes;
for (const [why, given, sizes] of rows)
  test(`sizes: ${why}`, () => assert.deepEqual(sizesOf(given).map(bytesOf), sizes));

test('changes: the mean, and the paths that differed most often', () => {
  const compared = (equal: number, ...paths: string[]) => ({
    ...seen(0, 1, 1000),
    changes: { equal, paths },
  });
  assert.deepEqual(changesIn([seen(0, 1, 1000)]), {});
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

describe('messages of one class from several sites', () => {
  const of = (group: number, nth: number) => seen(nth, 10, 12, { group });

  test('counts are exact if each message was looked at', () => {
    const shares = sharesOf([of(0, 0), of(1, 1), of(0, 2)], 3, 30);
    assert.deepEqual(shares, [
      { group: 0, count: 2, extent: 20, estimated: false, countError: 0 },
      { group: 1, count: 1, extent: 10, estimated: false, countError: 0 },
    ]);
  });

  test('else each that was looked at stands for those since the one before it', () => {
    const shares = sharesOf([of(0, 0), of(1, 9), of(0, 19)], 200, 2000);
    const actual = shares.map(({ count }) => count);
    assert.deepEqual(actual, [110, 90]);
    assert.equal(shares[0]?.estimated, true);
    assert.ok(shares[0].countError > 0.5 && shares[1]!.countError > shares[0].countError);
  });
});

const part = (sizeClass: number, count: number, each: number) => ({
  ...{ sizeClass, count, extent: count * each, countError: 0 },
});

const ROWS: [string, ReturnType<typeof part>[], number[][]][] = [
  ['small and large messages are apart', [part(0, 40, 30), part(4, 5, 1e6)], [[0], [4]]],
  ['sizes of each magnitude are one', [part(2, 9, 6e3), part(0, 90, 150), part(1, 30, 900)], [[0, 1, 2]]],
  ['a gap within them parts them', [part(0, 9, 100), part(1, 9, 900), part(5, 1, 3e6)], [[0, 1], [5]]],
];
const classes = (group: ReturnType<typeof part>[]) => group.map(({ sizeClass }) => sizeClass);
for (const [name, parts, wanted] of ROWS)
  test(name, () => assert.deepEqual(magnitudesOf(parts).map(classes), wanted));

test('the bytes of a group are the sum over its magnitudes', () => {
  const small = { ...part(0, 40, 30), seen: [seen(0, 30, 100), seen(1, 30, 100)], alike: [] };
  const large = { ...part(4, 2, 1e6), seen: [seen(0, 1e6, 1e6), seen(1, 1e6, 1e6)], alike: [] };
  assert.equal(groupBytes([small, large])?.total, 2_004_000);
});

test('bytes are estimated from messages of the same class if none of the messages was sized', () => {
  const small = { ...part(0, 10, 50), seen: [], alike: [seen(0, 50, 60)] };
  const large = { ...part(2, 2, 5000), seen: [], alike: [] };
  assert.equal(groupBytes([small, large])?.total, 12_600);
});

test('an uncertain number of messages makes their bytes uncertain', () => {
  const all = [seen(0, 50, 60), seen(1, 50, 60)];
  const { total, ci } = groupBytes([{ ...part(0, 2, 50), countError: 0.5, seen: all, alike: [] }])!;
  assert.deepEqual([total, ci], [120, [60, 180]]);
});

test('messages that came later stand for more others', () => {
  const looked = [0, 1, 2, 3, 100].map((nth) => seen(nth, 7, nth < 100 ? 4 : 6));
  const { total } = groupBytes([{ ...part(0, 1000, 7), seen: looked, alike: [] }])!;
  assert.ok(total > 5500, `${total}`);
});
