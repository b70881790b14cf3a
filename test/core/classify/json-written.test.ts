/** What JSON does not write refuses nothing: the verdict over JSON is what JSON.stringify does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify } from '../../../src/core/classify/classify.ts';
import { describe } from '../../../src/core/describe/describe.ts';
import { ENGINES, STANDARD } from '../../../src/engines/index.ts';
import { throws } from '../../../src/model/or-else.ts';
import { probeFor } from '../../support/probe.ts';

class Decimal {
  units = 5n;
  toJSON() {
    return String(this.units);
  }
}
class Tree {
  kids: Tree[] = [];
  constructor(readonly parent: Tree | null) {}
  toJSON() {
    return { kids: this.kids };
  }
}
const tree = () => {
  const root = new Tree(null);
  root.kids.push(new Tree(root));
  return root;
};
const withSelf = () => {
  const list: unknown[] = [1];
  return Object.assign(list, { self: list });
};
const cycle = () => {
  const one: Record<string, unknown> = {};
  one.inside = { one };
  return one;
};

const VALUES: [name: string, make: () => unknown][] = [
  ['a BigInt', () => ({ a: 5n })],
  ['... in an array', () => [[5n]]],
  ['... beside the elements of an array', () => Object.assign([1], { tag: 5n })],
  ['... behind toJSON', () => ({ price: new Decimal() })],
  ['... behind toJSON of some of them', () => [new Decimal(), { units: 5n }]],
  ['... in a Map', () => ({ map: new Map([[1, 5n]]) })],
  ['... in an object in a Set', () => new Set([{ a: 5n }])],
  ['... as the cause of an error', () => ({ error: new Error('x', { cause: 5n }) })],
  ['a cycle', cycle],
  ['... beside the elements of an array', withSelf],
  ['... behind toJSON', tree],
];

const probe = await probeFor();

for (const [name, make] of VALUES)
  test(`${name}: refused if JSON.stringify throws`, () => {
    const runtime = { name: 'node', version: '24.21.0', engine: 'v8' } as const;
    const where = { runtime, channel: 'ipc-json' } as const;
    const { verdict } = classify(describe(make(), probe), ENGINES.v8, STANDARD, where);
    assert.equal(
      verdict.path === 'rejected',
      throws(() => JSON.stringify(make())),
    );
  });

const told = (value: unknown) => {
  const runtime = { name: 'node', version: '24.21.0', engine: 'v8' } as const;
  const where = { runtime, channel: 'ipc-json' } as const;
  const { verdict, findings } = classify(describe(value, probe), ENGINES.v8, STANDARD, where);
  return [verdict.path, ...findings.map(({ rule, path }) => `${rule} ${path}`)];
};

test('a BigInt whose prototype has a toJSON: its result arrives', () => {
  Object.defineProperty(BigInt.prototype, 'toJSON', { configurable: true, value: () => 'five' });
  try {
    assert.deepEqual(told({ a: 5n }), ['json', 'spec/json-to-json $.a']);
    assert.deepEqual(told({ a: Object(5n) }), ['json', 'spec/json-boxed $.a']);
    assert.deepEqual(told({ a: new BigInt64Array(1) }), ['json', 'spec/json-bytes $.a']);
  } finally {
    Reflect.deleteProperty(BigInt.prototype, 'toJSON');
  }
  assert.equal(told({ a: Object(5n) })[0], 'rejected');
  assert.equal(told({ a: new BigInt64Array(1) })[0], 'rejected');
});

test('a toJSON of a built-in: its result arrives, not {} or what the program has set on it', () => {
  class HttpError extends Error {
    toJSON() {
      return { status: 500 };
    }
  }
  const toJSON = () => 'text';
  assert.deepEqual(told({ a: new HttpError('x') }), ['json', 'spec/json-to-json $.a']);
  assert.deepEqual(told({ a: Object.assign(new Map(), { toJSON }) }), ['json', 'spec/json-to-json $.a']);
  assert.equal(told({ a: Object.assign(Object(5n), { toJSON }) })[0], 'json');
  assert.equal(told({ a: Object.assign(new BigInt64Array(1), { toJSON }) })[0], 'json');
});

test('the cause of an error and named properties of arrays, which contextBridge does not send, refuse nothing there', () => {
  const runtime = { name: 'electron', version: '33.2.1', engine: 'v8' } as const;
  const where = { runtime, channel: 'electron-bridge' } as const;
  const refused = (value: unknown) =>
    classify(describe(value, probe), ENGINES.v8, STANDARD, where).verdict.path === 'rejected';
  const symbols = new Set([Symbol('s')]);
  assert.ok(refused({ inside: { symbols } }));
  assert.ok(!refused({ error: new Error('e', { cause: { symbols } }) }));
  const named = Object.assign([1], { symbols });
  assert.ok(!refused({ named }));
  assert.ok(refused(new Set([named])), 'the serializer of V8 sends them');
});
