import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chai, JestChaiExpect, JestExtend } from '@vitest/expect';
import { expect as jestExpect } from 'expect';
import {
  assertCloneable,
  assertCloneWithin,
  assertFastPath,
  type CloneProfMatchers,
  matchers,
} from '../../src/matchers/index.ts';

type Expect = (value: unknown) => CloneProfMatchers & { not: CloneProfMatchers };

jestExpect.extend(matchers);
chai.use(JestExtend);
chai.use(JestChaiExpect);
(chai.expect as unknown as { extend(added: typeof matchers): void }).extend(matchers);

/** The expect of jest and the one of vitest, as their suites have it. */
const EXPECTS: [string, Expect][] = [
  ['jest', jestExpect as unknown as Expect],
  ['vitest', chai.expect as unknown as Expect],
];

const BUN = { runtime: 'bun@1.4' };

for (const [name, expect] of EXPECTS) {
  test(`${name}: what holds passes, its negation throws`, () => {
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
    fix: Flatten the rows, or send the whole as one JSON text.`,
        );
        return true;
      },
    );
  });
}

const holey = () => {
  const filled = new Array<number>(2);
  filled[0] = filled[1] = 1;
  return filled;
};

const failures: [name: string, claim: () => { pass: boolean; message: () => string }, says: RegExp][] = [
  [
    'no fast path for such a payload',
    () => matchers.toTakeFastPath(new Map(), BUN),
    /^bun@1.4 has no fast path for this payload: it takes serializer \(serialized\)\. /,
  ],
  [
    'a fast path with slow parts',
    () => matchers.toTakeFastPath({ xs: holey() }, { runtime: 'node@24' }),
    /takes the fast path of node@24 with parts that slow it down: fast-object \(degraded\)\n {2}\$\.xs: holey array\n/,
  ],
  [
    'rejected',
    () => matchers.toTakeFastPath({ run() {} }, BUN),
    /cannot be cloned on bun@1.4, so that it takes no fast path\n {2}\$\.run: function\n/,
  ],
  [
    'an older version',
    () => matchers.toTakeFastPath({ a: 1 }, { runtime: 'bun@1.2.21' }),
    /\n {2}bun 1\.2\.22 and later take it by simple-object \(in-memory\)$/,
  ],
  [
    'another channel',
    () => matchers.toTakeFastPath({ a: 1 }, { ...BUN, channel: 'ipc' }),
    /of bun@1.4 over ipc/,
  ],
  [
    'not cloneable, with the kind',
    () => matchers.toBeCloneable({ jobs: [Promise.resolve()] }),
    /throws a DataCloneError\n {2}\$\.jobs\[0\]: .*[Pp]romise/,
  ],
  [
    'too many bytes',
    () => matchers.toCloneWithin({ id: 1, text: 'x'.repeat(900) }, { maxBytes: 500 }),
    /takes 9\d\d bytes, more than 500\n {2}most of it is at \$\.text$/,
  ],
  [
    'a buffer dragged along',
    () => matchers.toCloneWithin({ tile: new Uint8Array(9000).subarray(1, 3) }, { maxBytes: '1 kB' }),
    /takes 9\d\d\d bytes, more than 1000\n {2}\$\.tile: small view/,
  ],
  [
    'not cloneable within any size',
    () => matchers.toCloneWithin(() => 1, { maxBytes: '1 GB' }),
    /cannot be cloned/,
  ],
  [
    'many places',
    () =>
      matchers.toBeCloneable(
        Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((k) => [k, () => 1])),
      ),
    /\n {2}and 2 more$/,
  ],
  [
    'keys that would command a terminal or a runner',
    () => matchers.toTakeFastPath({ '\u001b[2J\u202e##[error]': {} }, BUN),
    /\$\["\\u001b\[2J\\u202e#\\u0023\[error\]"\]: object/,
  ],
];

for (const [name, claim, says] of failures) {
  test(`message: ${name}`, () => {
    const { pass, message } = claim();
    assert.equal(pass, false);
    assert.match(message(), says);
  });
}

test('getters are not run, and their payload is measured by what can be seen', () => {
  const value = {
    get secret() {
      return assert.fail('the getter ran');
    },
  };
  assert.match(matchers.toCloneWithin(value, { maxBytes: 1 }).message(), /takes about \d+ bytes/);
});

test('assertions for node:test throw what assert throws', () => {
  assertFastPath({ a: 1 }, BUN);
  assertCloneable([new Date(0)]);
  assertCloneWithin([1, 2], { maxBytes: '1 kB' });
  const thrown: [() => void, string][] = [
    [() => assertFastPath({ a: {} }, BUN), 'assertFastPath'],
    [() => assertCloneable(Symbol('s')), 'assertCloneable'],
    [() => assertCloneWithin('long text', { maxBytes: 2 }), 'assertCloneWithin'],
  ];
  for (const [call, operator] of thrown) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof assert.AssertionError);
      assert.equal(error.operator, operator);
      assert.doesNotMatch(error.stack ?? '', /src\/matchers/);
      return true;
    });
  }
});

test('a size that is none is a mistake of the test, not of the payload', () => {
  for (const maxBytes of ['64', '64 k', -1, undefined as never])
    assert.throws(
      () => matchers.toCloneWithin({}, { maxBytes }),
      /is not a size\. Write it like 65536 or "64 kB"/,
    );
});
