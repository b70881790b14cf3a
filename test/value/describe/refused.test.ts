import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rejected } from '../../../src/engines/standard/rejected.ts';
import { REFUSED, type RefusalOptions, refusedIn } from '../../../src/value/describe/refused.ts';
import { typeDetection } from '../../support/probe.ts';

const OPTIONS: RefusalOptions = {
  ...{ types: typeDetection, nodes: 10_000, as: 'clone', listed: [], stopsAtGetter: false },
};

const told = (value: unknown, options: Partial<RefusalOptions> = {}): string | null => {
  const found = refusedIn(value, { ...OPTIONS, ...options });
  return found && `${found.path} is ${found.what}`;
};

class User {
  save = () => 0;
}

const circle: { a: unknown[] } = { a: [] };
circle.a.push(circle);
const { port1 } = new MessageChannel();
port1.close();
const detached = new ArrayBuffer(8);
const view = new Uint8Array(detached);
structuredClone(detached, { transfer: [detached] });
const throwing = {
  get a(): never {
    throw new Error('it was called');
  },
};
const b = { value: () => 0, enumerable: true };
const beyond = Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(throwing), b });
let traps = 0;
const trapping = new Proxy(
  {},
  {
    ownKeys() {
      traps++;
      return [];
    },
  },
);
const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`name${i}`, i]));

const ROWS: [name: string, found: string | null, value: unknown, options?: Partial<RefusalOptions>][] = [
  ['the value itself', '$ is a function', () => 0],
  ['a field of a class', '$.ctx.user.save is a function', { ctx: { list: [1], user: new User() } }],
  ['the last of a list', '$[5000] is a symbol', [...new Array(5000).fill(0), Symbol('a')]],
  [
    'a value of a Map',
    '$.m{value:1} is a Promise',
    { m: new Map([[1, 2] as [unknown, unknown], [3, Promise.resolve()]]) },
  ],
  ['a member of a Set', '$.s{member:0} is a WeakMap', { s: new Set([new WeakMap()]) }],
  ['a Proxy, without its traps', '$.p is a Proxy', { p: trapping }],
  ['the first of two', '$.a is a function', { a: () => 0, b: Symbol('b') }],
  ['a key that is data', '$.* is a function', { 'a@b.c': () => 0 }],
  ['a property of a list', '$.m.f is a function', { m: Object.assign([1], { f() {} }), later: Symbol('x') }],
  ['a cause', '$.e.cause is a function', { e: new Error('x', { cause: () => 0 }), later: Symbol('x') }],
  ['a BigInt', '$.id is a BigInt', { cache: new Map([[1, 2n]]), at: new Date(0), id: 5n }, { as: 'json' }],
  ['what has a toJSON', '$.id is a BigInt', { own: { toJSON: () => 1, big: 2n }, id: 5n }, { as: 'json' }],
  ['a map-like object', '$.* is a function', { ...many, last: () => 0 }],
  ['a getter is not called', '$.a is a getter, whose value is not known', throwing],
  ['what comes after a getter', '$.b is a function', beyond],
  ['nothing after a getter', '$.a is a getter, whose value is not known', beyond, { stopsAtGetter: true }],
  ['a port that is not listed', '$.port is a MessagePort that is not in the transfer list', { port: port1 }],
  ['a port that is listed', null, { port: port1 }, { listed: [port1] }],
  ['a detached buffer', '$[0] is a detached buffer', [view]],
  ['what is not enumerable', null, Object.defineProperty({}, 'a', { value: () => 0 })],
  ['a symbol key', null, { [Symbol('a')]: () => 0 }],
  ['a circle', null, circle],
  ['a circle as JSON text', '$.a[0] is a circular reference', circle, { as: 'json' }],
  ['a BigInt beside a Proxy as JSON text', '$.n is a BigInt', { p: trapping, n: 1n }, { as: 'json' }],
  ['a BigInt as JSON text', '$.n is a BigInt', { f: () => 0, n: 1n }, { as: 'json' }],
  ['beyond the limit', null, [1, 2, 3, () => 0], { nodes: 2 }],
  ['nothing', null, { a: [1, 'text', null, undefined, new Date(0), /x/] }],
];

for (const [name, found, value, options] of ROWS)
  test(`the value that made a post throw is found: ${name}`, () => {
    assert.equal(told(value, options), found);
    assert.equal(traps, 0);
  });

test('every kind that a rule rejects by itself is found', () => {
  const kinds = rejected.flatMap(({ when, scope }) => {
    const isAlone = Object.keys(when).join() === 'kind' && scope?.channels === undefined;
    return isAlone && 'kind' in when ? [when.kind ?? []].flat() : [];
  });
  assert.ok(kinds.length > 9);
  assert.deepEqual(
    kinds.filter((kind) => !REFUSED.has(kind)),
    [],
  );
});

test('the path for the program itself includes keys that are data', () => {
  assert.equal(refusedIn({ 'a@b.c': [() => 0] }, OPTIONS)?.whole, '$["a@b.c"][0]');
});
