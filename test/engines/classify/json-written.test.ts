/** What JSON does not write refuses nothing: the verdict over JSON is what JSON.stringify does. */
import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Channel, ENGINE_OF } from '../../../src/model/names.ts';
import { throws } from '../../../src/model/or-else.ts';
import { describe } from '../../../src/value/describe/describe.ts';
import { assumedStorage } from '../../../src/value/describe/inspect/storage.ts';
import { probeFor } from '../../support/probe.ts';
import { classified } from './classified.ts';

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
const withItself = (one: object) => Object.assign(one, { part: { one } });
const cycle = () => {
  const one: Record<string, unknown> = {};
  one.inside = { one };
  return one;
};

const VALUES: [name: string, make: () => unknown][] = [
  ['a BigInt', () => ({ a: 5n })],
  ['... beside the elements of an array', () => Object.assign([1], { tag: 5n })],
  ['... behind toJSON', () => ({ price: new Decimal() })],
  ['... behind toJSON of some of them', () => [new Decimal(), { units: 5n }]],
  ['... in a Map', () => ({ map: new Map([[1, 5n]]) })],
  ['... as the cause of an error', () => ({ error: new Error('x', { cause: 5n }) })],
  ['... in a property of a Blob', () => Object.assign(new Blob([]), { part: { size: 5n } })],
  ['... in a property of a WeakMap', () => [Object.assign(new WeakMap(), { part: 5n })]],
  ['a cycle', cycle],
  ['... through a Blob', () => withItself(new Blob([]))],
  ['... beside the elements of an array', withSelf],
  ['... behind toJSON', tree],
];

const probe = await probeFor();

for (const [name, make] of VALUES)
  test(`${name}: refused if JSON.stringify throws`, () => {
    assert.equal(
      told(make())[0] === 'rejected',
      throws(() => JSON.stringify(make())),
    );
  });

function told(value: unknown): string[] {
  const shape = describe(value, probe, { channel: 'ipc-json' });
  const { verdict, findings } = classified('node@24.21.0 ipc-json', shape);
  return [verdict.path, ...findings.map(({ rule, path }) => `${rule} ${path}`)];
}

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
  const bytes = [
    new Uint8Array(1),
    Buffer.alloc(1),
    new BigInt64Array(1),
    new (class extends Uint8Array {})(1),
  ];
  for (const one of bytes)
    assert.ok(told({ a: Object.assign(one, { toJSON }) }).includes('spec/json-to-json $.a'));
  for (const one of [new ArrayBuffer(1), new DataView(new ArrayBuffer(1))])
    assert.deepEqual(told({ a: Object.assign(one, { toJSON }) }), ['json', 'spec/json-to-json $.a']);
});

const blobWith = (own: object) => ({ a: Object.assign(new Blob([]), own) });

test('own properties of an object of the platform arrive, without what JSON cannot write', () => {
  const list = [1];
  const fixed = Object.defineProperty(new Blob([]), 'b', { value: 1, enumerable: true });
  const at = 'spec/json-emptied $.a';
  const rows: [value: unknown, ...findings: string[]][] = [
    [blobWith({}), 'spec/json-emptied $.a'],
    [blobWith({ b: [1] }), at],
    [blobWith({ b: { c: -0 } }), at, 'spec/json-number $.a.b.c'],
    [blobWith({ b: undefined }), at, 'spec/json-undefined $.a.b'],
    [blobWith({ b: list, c: { list } }), at, 'spec/shared-reference $.a.c.list'],
    [{ ...blobWith({ list }), list }, at, 'spec/shared-reference $.list'],
    [{ a: fixed }, at, 'spec/read-only $.a'],
    [
      { a: Object.freeze(Object.assign(new WeakSet(), { b: NaN })) },
      at,
      'spec/json-number $.a.b',
      'spec/frozen $.a',
    ],
  ];
  for (const [value, ...findings] of rows) assert.deepEqual(told(value).slice(1).sort(), findings.sort());
});

test('a file that is open: the properties of its EventEmitter arrive', async () => {
  const handle = await open(fileURLToPath(import.meta.url));
  const written = Object.keys(JSON.parse(JSON.stringify(handle)) as object);
  const findings = told({ a: handle });
  await handle.close();
  assert.ok(written.length > 0 && findings.includes('spec/json-emptied $.a'), findings.join());
});

test('own properties of a Blob arrive from v8.serialize, and are lost where Blobs are cloned, in Bun too', () => {
  const value = blobWith({ b: { c: () => 1 } });
  const { a: blob } = value;
  const refused = (name: 'node' | 'bun', channel: Channel, described = channel) => {
    const storage = assumedStorage(ENGINE_OF[name]);
    const shape = describe(value, { ...probe, storage }, { channel: described });
    const where = `${name}@${name === 'bun' ? '1.4.5' : '24.21.0'} ${channel}`;
    return classified(where, shape).verdict.path === 'rejected';
  };
  assert.ok(refused('node', 'ipc-advanced') && refused('node', 'storage'));
  assert.ok(!refused('node', 'ipc-json') && !refused('node', 'worker'));
  assert.ok(!refused('bun', 'ipc-advanced') && !refused('bun', 'storage'));
  // There a DOMException is written as an Error, with its cause.
  value.a = Object.assign(new DOMException('m'), { cause: () => 1 }) as never;
  assert.ok(refused('node', 'ipc-advanced') && refused('node', 'storage'));
  value.a = blob;
  // The other serialization is judged by the shape of the one that was asked about.
  assert.ok(refused('node', 'ipc-advanced', 'ipc-json') && !refused('bun', 'ipc-advanced', 'ipc-json'));
});

test('the cause of an error and named properties of arrays, which contextBridge does not send, refuse nothing there', () => {
  const refused = (value: unknown) =>
    classified('electron@33.2.1 electron-bridge', describe(value, probe)).verdict.path === 'rejected';
  const symbols = new Set([Symbol('s')]);
  assert.ok(refused({ inside: { symbols } }));
  assert.ok(!refused({ error: new Error('e', { cause: { symbols } }) }));
  const named = Object.assign([1], { symbols });
  assert.ok(!refused({ named }));
  assert.ok(refused(new Set([named])), 'the serializer of V8 sends them');
});
