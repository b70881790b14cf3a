import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CloneProfMatchers } from '../../../src/faces/matchers/index.ts';

export type Expect = (value: unknown) => CloneProfMatchers & { not: CloneProfMatchers };

const BUN = { runtime: 'bun@1.4' };

/** The same cases for the expect of each test library. Theirs share a global table, so each has a process of its own. */
export function matcherTests(name: string, expect: Expect): void {
  test(`${name}: a matcher that holds passes, and its negation throws`, () => {
    expect({ a: 1 }).toTakeFastPath(BUN);
    expect([{ a: 1 }]).toTakeFastPath({ runtime: 'node' });
    expect({ a: { b: 1 } }).not.toTakeFastPath(BUN);
    expect([new Date(0), new Map()]).toBeCloneable();
    expect({ run() {} }).not.toBeCloneable();
    expect('x'.repeat(500)).toCloneWithin({ maxBytes: '1 kB' });
    expect('x'.repeat(2000)).not.toCloneWithin({ maxBytes: 1000 });
    assert.throws(
      () => expect({ a: 1 }).not.toTakeFastPath(BUN),
      /not to take the fast path of bun@1.4, but it takes simple-object/,
    );
    assert.throws(() => expect(1).not.toBeCloneable(), /not to be cloneable/);
    assert.throws(
      () => expect(1).not.toCloneWithin({ maxBytes: 99 }),
      /more than 99 bytes, but it takes \d+ bytes/,
    );
  });

  test(`${name}: a failure names the path, the reason and the fix`, () => {
    assert.throws(
      () => expect([{ geo: {} }, { geo: {} }]).toTakeFastPath(BUN),
      (error: Error) => {
        assert.equal(
          error.message,
          `the payload does not take the fast path of bun@1.4 (dense-array): it takes serializer (serialized)
  $[*].geo (2 values, first at $[0].geo): object inside a row
    why: Rows of an array are handed over in memory only while each is flat; one nested value sends the whole array through the serializer.
    fix: Flatten the rows, or post what they hold in a message of its own.`,
        );
        return true;
      },
    );
  });
}
