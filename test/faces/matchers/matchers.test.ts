import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertCloneable,
  assertCloneWithin,
  assertFastPath,
  matchers,
} from '../../../src/faces/matchers/index.ts';

const BUN = { runtime: 'bun@1.4' };

const holey = () => {
  const filled = new Array<number>(2);
  filled[0] = filled[1] = 1;
  return filled;
};

class Customer {
  id = 1;
}

const GETTER = {
  get label() {
    return assert.fail('the getter ran');
  },
};

const failures: [name: string, claim: () => { pass: boolean; message: () => string }, pattern: RegExp][] = [
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
    () => matchers.toTakeFastPath({ a: 1 }, { ...BUN, channel: 'ipc-advanced' }),
    /of bun@1.4 over ipc/,
  ],
  [
    'not cloneable, with the kind',
    () => matchers.toBeCloneable({ jobs: [Promise.resolve()] }),
    /throws a DataCloneError\n {2}\$\.jobs\[0\]: .*[Pp]romise/,
  ],
  [
    'lost on arrival: a class, a getter, a property of a Map',
    () => {
      const map = Object.assign(new Map(), { total: 1 });
      return matchers.toBeCloneable({ customer: new Customer(), getter: GETTER, map });
    },
    /^the payload does not arrive on node@\S+ as it was sent \(mayLose: true allows that\)\n(?=[\s\S]*\$\.customer)(?=[\s\S]*\$\.map)/,
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

for (const [name, claim, pattern] of failures) {
  test(`message: ${name}`, () => {
    const { pass, message } = claim();
    assert.equal(pass, false);
    assert.match(message(), pattern);
  });
}

test('losses may be meant', () => {
  assert.equal(matchers.toBeCloneable(new Customer()).pass, false);
  assert.equal(matchers.toBeCloneable(new Customer(), { mayLose: true }).pass, true);
  assert.equal(matchers.toBeCloneable({ run() {} }, { mayLose: true }).pass, false);
  assert.equal(matchers.toCloneWithin(new Customer(), { maxBytes: '1 kB' }).pass, true);
});

test('getters are not run, and the size of their payload is estimated', () => {
  assert.match(matchers.toCloneWithin(GETTER, { maxBytes: 1 }).message(), /takes about \d+ bytes/);
});

test('assertions for node:test throw an AssertionError', () => {
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

test('a malformed size limit is an error, not a failed assertion', () => {
  for (const maxBytes of ['64', '64 k', -1, undefined as never])
    assert.throws(
      () => matchers.toCloneWithin({}, { maxBytes }),
      /is not a size\. Write it like 65536 or "64 kB"/,
    );
});
