import assert from 'node:assert/strict';
import { test } from 'node:test';
import { types } from 'node:util';
import { Serializer } from 'node:v8';
import { described } from '../../src/tap/look/look.ts';
import { sized } from '../../src/tap/look/sized.ts';
import { nodeEngine } from '../../src/tap/look/v8.ts';
import { counted, trusted } from '../../src/tap/size/counted.ts';
import type { SizeEngine } from '../../src/tap/size/scalars.ts';
import '../support/probe.ts';

const ENGINE: SizeEngine = { types, smallBits: 31 };
const ALL = Number.POSITIVE_INFINITY;

const shared = { a: 1 };
function serialize(value: unknown): Buffer {
  const serializer = new Serializer();
  serializer.writeHeader();
  serializer.writeValue(value);
  return serializer.releaseBuffer();
}

function deep(levels: number): object {
  let value = {};
  for (let i = 0; i < levels; i++) value = { value };
  return value;
}

class Point {
  x = 1;
  y = 2.5;
}

/** Integers of 31 bits: in browsers V8 keeps others as doubles. */
const VALUES: Readonly<Record<string, unknown>> = {
  undefined: undefined,
  null: null,
  booleans: [true, false],
  integers: [0, 1, -1, 63, 64, -64, -65, 2 ** 30 - 1, -(2 ** 30)],
  doubles: [0.5, 1, 2, -0],
  'a double': 1.5,
  mixed: [1, 0.5, 'text', null],
  text: 'text',
  'latin text': 'é'.repeat(200),
  'wide text': { odd: 'x', wide: '€'.repeat(200), more: ['€', 'x€'] },
  'long keys': { [`key ${'x'.repeat(300)}`]: 1 },
  indices: { 1: 'a', 200: 'b', c: 'c' },
  nested: {
    list: [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
    ],
    empty: {},
    none: [],
  },
  'the same twice': [shared, shared, { shared }],
  map: new Map<unknown, unknown>([
    ['a', 1],
    [{ key: 1 }, [2]],
  ]),
  set: new Set(['a', 'b', shared]),
  buffer: new ArrayBuffer(300),
  views: [new Uint8Array(10), new Float64Array([1, 2]), new DataView(new ArrayBuffer(8), 2, 4)],
  'views of one buffer': (() => {
    const { buffer } = new Uint8Array(400);
    return [new Uint8Array(buffer, 200, 150), new Uint16Array(buffer)];
  })(),
  'without prototype': Object.assign(Object.create(null), { a: 1 }),
  'a class': new Point(),
  holes: Object.assign([1], { 2: 3 }),
  'dates and numbers of other kinds': [new Date(5), 5n, -(10n ** 40n), Object(5), Object('text'), /a/],
  'much text': 'x'.repeat(2 ** 19),
  deep: deep(3000),
  'much text with one wide character': `x${'\u4e2d'}${'x'.repeat(2 ** 19)}`,
};

for (const [name, value] of Object.entries(VALUES)) {
  test(`size: ${name}`, () => {
    const { bytes, isWhole, isSafe } = counted(value, ENGINE, ALL, 'salt')!;
    assert.deepEqual([bytes, isWhole, isSafe], [serialize(value).length, true, true]);
  });
}

const UNKNOWN: Readonly<Record<string, unknown>> = {
  'an accessor': {
    get a() {
      return assert.fail('run');
    },
  },
  'an accessor in a list': Object.defineProperty([1], 0, { get: () => assert.fail('run'), enumerable: true }),
  'an array with a name': Object.assign([1], { name: 3 }),
  'a Proxy': { proxy: new Proxy({}, { ownKeys: () => assert.fail('run') }) },
  'a function': { a: () => 1 },
};

for (const [name, value] of Object.entries(UNKNOWN)) {
  test(`no size: ${name}`, () => assert.equal(counted(value, ENGINE, ALL, null), null));
}

test('equal content has one hash, other content another', () => {
  const hash = (value: unknown, salt = 'a') => counted(value, ENGINE, ALL, salt)!.content;
  assert.equal(hash({ a: [1, 'x'] }), hash({ a: [1, 'x'] }));
  const others = [{ a: [1, 'y'] }, { a: [2, 'x'] }, { b: [1, 'x'] }, { a: [1, ['x']] }, [1, 'x']];
  assert.equal(new Set([{ a: [1, 'x'] }, ...others].map((one) => hash(one))).size, 1 + others.length);
  assert.notEqual(hash('x', 'a'), hash('x', 'b'));
  assert.equal(hash('x'.repeat(2 ** 19)), null, 'not all of it is in the hash');
});

/** What a look may cost is known by it. */
test('what was visited is told, all of it, and a large message is not read twice', () => {
  const rows = (n: number) => Array.from({ length: n }, (_, id) => ({ id }));
  const visited = (value: unknown) => {
    const shape = nodeEngine.withStorage((storage) => described(value, storage, 1e6));
    return Math.round(sized(value, shape, 0, ALL, { types, salt: 'a', engine: nodeEngine })!.visited);
  };
  const once = (value: unknown) => Math.round(counted(value, ENGINE, ALL, null)!.visited);
  for (const n of [10, 400]) assert.equal(visited(rows(n)), once(rows(n)));
  // Whose stack may not be formatted: its storage is asked in a second reading.
  const failed = [new Error('a')];
  assert.equal(visited(failed), 2 * once(failed));
  const none = { bytes: 1, error: 2, visited: 1000 };
  assert.equal(trusted((nodes) => ({ ...none, error: nodes > 1000 ? 0 : 2 }), 1000)!.visited, 2000);
  assert.equal(
    trusted(() => none, 10),
    null,
  );
});

test('no trap of a prototype runs', () => {
  let traps = 0;
  const prototype = new Proxy(
    {},
    {
      getPrototypeOf() {
        traps++;
        return null;
      },
    },
  );
  assert.equal(counted(Object.create(prototype), ENGINE, ALL, null)!.bytes, serialize({}).length);
  assert.equal(traps, 0);
});
