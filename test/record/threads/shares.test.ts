import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sharesOf } from '../../../src/record/threads/looked-messages.ts';

describe('messages of one class from several sites', () => {
  const seen = (group: number, nth: number, extent = 10) =>
    ({ record: 'message', group, nth, extent, bytes: 12 }) as const;

  test('counts are exact if each message was looked at', () => {
    const shares = sharesOf([seen(0, 0), seen(1, 1), seen(0, 2)], 3, 30);
    assert.deepEqual(shares, [
      { group: 0, count: 2, extent: 20, estimated: false, countError: 0 },
      { group: 1, count: 1, extent: 10, estimated: false, countError: 0 },
    ]);
  });

  test('else each that was looked at stands for those since the one before it', () => {
    const shares = sharesOf([seen(0, 0), seen(1, 9), seen(0, 19)], 200, 2000);
    assert.deepEqual(
      shares.map(({ count }) => count),
      [110, 90],
    );
    assert.equal(shares[0]?.estimated, true);
    assert.ok(shares[0].countError > 0.5 && shares[1]!.countError > shares[0].countError);
  });
});
