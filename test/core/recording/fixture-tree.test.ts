import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixtureFromTree } from '../../../src/core/recording/fixture-tree.ts';
import { type ValueTreeOptions, valueTree } from '../../../src/core/recording/value-tree.ts';
import type { ValueTree } from '../../../src/model/recording/value-tree.ts';
import type { Flag } from '../../../src/model/rules/shape.ts';
import { typeDetection } from '../../../src/probe/type-detection/type-detection.ts';
import { built } from '../../differential/built-value.ts';
import { programAt } from '../../differential/generate.ts';
import { sourceOf } from '../../differential/render.ts';
import { isToolError } from '../../support/tool-errors.ts';
import { factoryOf, shapeOf } from './made-again.ts';

const SEED = 20_261_123;
const plain: ValueTreeOptions = { types: typeDetection, mask: false, maxBytes: 10_000_000 };

/** As a recording keeps it. */
const kept = (value: unknown, options = plain): ValueTree =>
  JSON.parse(JSON.stringify(valueTree(value, options))) as ValueTree;

const again = async (tree: ValueTree): Promise<unknown> => (await factoryOf(fixtureFromTree(tree)))();

/** Facts of the data; a tree holds neither storage nor attributes. */
const OF_DATA: ReadonlySet<Flag> = new Set<Flag>([
  ...(['lone-surrogate', 'units-over-128', 'units-from-256', 'repeated', 'cycle', 'holes'] as const),
  ...(['int32', 'double', 'nan', 'negative-zero', 'infinite', 'beyond-smi31', 'int64', 'uint64'] as const),
  ...(['null-prototype', 'class-instance', 'view-of-larger', 'node-buffer', 'pooled'] as const),
]);
/** A value with one of these has properties or a prototype that a tree does not hold. */
const NOT_HELD: readonly Flag[] = [
  ...(['accessor', 'non-enumerable', 'symbol-key', 'named-props', 'web-object', 'extra-props'] as const),
  ...(['other-realm', 'subclass', 'has-cause', 'out-of-bounds', 'altered-slot', 'shared-backing'] as const),
];
const isHeld = (value: unknown): boolean =>
  shapeOf(value).patterns.every(
    ({ kind, flags }) =>
      kind !== 'platform' &&
      !flags.some((flag) => NOT_HELD.includes(flag)) &&
      !(kind === 'array' && flags.includes('null-prototype')),
  );

function factsOf(value: unknown): Record<string, number[]> {
  const all: Record<string, number[]> = {};
  for (const { pattern, parent, kind, flags, count, size, bytes } of shapeOf(value).patterns) {
    const key = [pattern, parent, kind, ...flags.filter((flag) => OF_DATA.has(flag))].join(' ');
    const [was = 0, total = 0, backing = 0] = all[key] ?? [];
    all[key] = [was + count, total + (size?.total ?? 0), backing + (bytes?.backing ?? 0)];
  }
  return all;
}

test(`generated values: kept and made again, they have the same facts (SEED=${SEED})`, async () => {
  const VALUES = 1500;
  let compared = 0;
  for (let i = 0; i < VALUES; i++) {
    const source = sourceOf(programAt(SEED, i));
    const value = built(source);
    const module = fixtureFromTree(kept(value));
    const isWhole = module.differences.length === 0;
    const made = (await factoryOf(module))();
    if (!isWhole || !isHeld(value)) continue;
    assert.deepEqual(factsOf(made), factsOf(value), `value ${i}: ${source}\n${module.text}`);
    compared++;
  }
  assert.ok(compared > VALUES / 2, `only ${compared}`);
});

test('values of each kind come back', async () => {
  const shared = { name: 'shared' };
  const value: Record<string, unknown> = {
    ...{
      text: 'quote " and \u2028 and \ud800',
      zero: -0,
      nan: Number.NaN,
      none: undefined,
      nothing: null,
      big: -7n,
    },
    ...{
      when: new Date(5),
      pattern: /a\/b\n/giu,
      list: Object.assign(new Array(3), { 0: 1, 2: 3 }),
      many: [...'abc'],
    },
    ...{
      map: new Map<unknown, unknown>([[shared, 1]]),
      set: new Set(['x']),
      boxed: Object('s'),
      shared,
      ['__proto__']: 1,
    },
    ...{
      bytes: new Uint8Array([1, 2, 255]),
      part: new Int16Array(new ArrayBuffer(16), 4, 2),
      memory: new ArrayBuffer(3),
    },
  };
  value.self = value;
  const made = (await again(kept(value))) as typeof value;
  for (const key of Object.keys(value)) if (key !== 'self') assert.deepEqual(made[key], value[key], key);
  assert.equal(made.self, made);
  // Equal for Node's assert only when it is the same object.
  assert.equal(String(await again(kept(new Date(Number.NaN)))), 'Invalid Date');
});

test('no getter, trap or toJSON runs', () => {
  const boom = () => assert.fail('code of the program ran');
  const traps = Object.fromEntries(Reflect.ownKeys(Reflect).map((name) => [name, boom]));
  const value = {
    get a() {
      return boom();
    },
    toJSON: boom,
    proxy: new Proxy({}, traps),
    list: Object.defineProperty([1, 2], 0, { get: boom }),
    error: Object.defineProperty(new Error('e'), 'message', { get: boom }),
    pattern: Object.defineProperty(/x/, 'flags', { get: boom }),
    below: Object.create(new Proxy({}, traps)),
  };
  assert.deepEqual(valueTree(value, plain), {
    object: [
      ['a', { left: 'accessor' }],
      ['toJSON', { left: 'function' }],
      ['proxy', { left: 'proxy' }],
      ['list', { array: [null, 2] }],
      ['error', { error: ['Error', ''] }],
      ['pattern', { regexp: ['x', ''] }],
      ['below', { object: [], prototype: 'other' }],
    ],
  });
});

test('with a mask no text, byte or key that is data is kept, and all are as long', async () => {
  const SECRET = 'hunter2-\u00e9\u4e2d';
  const value = {
    name: SECRET,
    [`${SECRET}@example.com`]: 1,
    map: new Map([[SECRET, new Set([SECRET])]]),
    error: new TypeError(SECRET),
    pattern: new RegExp(SECRET),
    bytes: Buffer.from(SECRET),
    boxed: Object(SECRET),
  };
  const tree = kept(value, { ...plain, mask: true });
  const text = JSON.stringify(tree);
  for (const hidden of ['hunter', 'example', '\u4e2d', Buffer.from(SECRET).toString('base64').slice(0, 8)])
    assert.ok(!text.includes(hidden), text);
  const made = (await again(tree)) as typeof value;
  assert.equal(made.name.length, SECRET.length);
  assert.equal(made.bytes.length, value.bytes.length);
});

test('what is too large or too deep is left out, and told', async () => {
  const small = { ...plain, maxBytes: 1000 };
  assert.deepEqual(valueTree({ a: 1, text: 'x'.repeat(1000) }, small), {
    object: [
      ['a', 1],
      ['text', { left: 'too large' }],
    ],
  });
  assert.deepEqual(valueTree(new Array(1e9), small), { left: 'too large' });
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  const module = fixtureFromTree(kept(deep));
  assert.match(module.differences.join(), /too deep/);
  await factoryOf(module);
});

test('trees of a stranger: texts are texts, and what is no value is told', async () => {
  let ran = 0;
  Object.assign(globalThis, { canary: () => ran++ });
  const hostile = '"];globalThis.canary();/*${globalThis.canary()}`*/\u2028';
  const trees: ValueTree[] = [
    {
      object: [
        [hostile, hostile],
        ['__proto__', { array: [1] }],
      ],
    },
    { number: hostile },
    { bigint: hostile },
    { regexp: [hostile, hostile] },
    { regexp: ['(', 'zz'] },
    { error: [hostile, hostile] },
    { buffer: hostile },
    { view: hostile, type: hostile, backing: 1e15, offset: -7 },
    { view: 'AAAA', type: '__proto__', backing: 3, offset: 0 },
    { left: hostile },
    { left: '__proto__' },
    { same: 7 },
    { date: hostile as never },
    { bigint: '0017' },
    {
      object: [
        ['a', { same: 0 }],
        [hostile, { same: 0 }],
      ],
      prototype: 'other',
    },
  ];
  for (const tree of trees) await again(tree);
  assert.equal(ran, 0);
  assert.equal(await again({ bigint: '-0017' }), -17n);
  assert.equal(Object.hasOwn((await again(trees[0]!)) as object, '__proto__'), true);
});

test('a tree that is nested too deeply is refused', () => {
  let deep: ValueTree = 1;
  for (let i = 0; i < 100_000; i++) deep = { boxed: deep };
  assert.throws(() => fixtureFromTree(deep), isToolError('document-bad', /levels deep\. Record again/));
});
