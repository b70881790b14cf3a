import assert from 'node:assert/strict';
import { test } from 'node:test';
import { committed } from '../../../src/gate/command/baseline.ts';
import type { TreeNode, ValueTree } from '../../../src/model/documents/recorded/value-tree.ts';
import { valueTreeSchema } from '../../../src/model/documents/recorded/value-tree.ts';
import { FLAGS } from '../../../src/model/documents/shape.ts';
import { ToolError } from '../../../src/model/errors.ts';
import { safeParse } from '../../../src/model/schema.ts';
import { bytesModuleOf, moduleOf } from '../../../src/record/module/module-of.ts';
import { chanceFrom } from '../../../src/record/values/masks.ts';
import { Sample } from '../../../src/record/values/sampler.ts';
import { type Random, randomBelow, seeded } from '../../../src/stats/intervals/random.ts';
import { isIndexKey } from '../../../src/value/read/own-data.ts';
import { readParts } from '../../../src/value/read/spread.ts';
import { built } from '../../differential/built-value.ts';
import { programAt } from '../../differential/generate.ts';
import { sourceOf } from '../../differential/program.ts';
import { usually } from '../../support/whole.ts';
import { factoryOf, KEPT, MASKED, shapeOf, treeOf } from './made-again.ts';

const again = async (tree: ValueTree): Promise<unknown> => (await factoryOf(moduleOf(tree, 'kept')))();

test('values of each kind come back', async () => {
  const shared = { name: 'shared' };
  const value: Record<string, unknown> = {
    ...{ text: 'quote " and \u2028 and \ud800', zero: -0, nan: Number.NaN, none: undefined, nothing: null },
    ...{ big: -7n, when: new Date(5), pattern: /a\/b\n/giu, many: [...'abc'] },
    ...{ list: Object.assign(new Array(3), { 0: 1, 2: 3 }), map: new Map<unknown, unknown>([[shared, 1]]) },
    ...{ set: new Set(['x']), boxed: Object('s'), shared, ['__proto__']: 1 },
    ...{ bytes: new Uint8Array([1, 2, 255]), part: new Int16Array(new ArrayBuffer(16), 4, 2) },
    memory: new ArrayBuffer(3),
  };
  value.self = value;
  const made = (await again(treeOf(value))) as typeof value;
  for (const key of Object.keys(value)) if (key !== 'self') assert.deepEqual(made[key], value[key], key);
  assert.equal(made.self, made);
  assert.equal([...(made.map as Map<unknown, unknown>).keys()][0], made.shared);
  // Equal for Node's assert only when it is the same object.
  assert.equal(String(await again(treeOf(new Date(Number.NaN)))), 'Invalid Date');
});

test('views on one buffer stay on one, objects that items share stay shared', async () => {
  const buffer = new ArrayBuffer(64);
  const common = { rules: ['a', 'b'] };
  const own = Array.from({ length: 500 }, (_, i) => {
    const inner = { i };
    return { one: inner, two: inner, common };
  });
  const value = { a: new Uint8Array(buffer, 0, 8), b: new Float64Array(buffer, 8, 2), own };
  for (const nodes of [Number.POSITIVE_INFINITY, 300]) {
    const made = (await again(treeOf(value, { ...MASKED, nodes }))) as typeof value;
    assert.equal(made.a.buffer, made.b.buffer);
    assert.equal(made.own.length, 500);
    for (const { one, two, common: same } of made.own) {
      assert.equal(one, two);
      assert.equal(same, made.own[0]!.common);
    }
    assert.equal(new Set(made.own.map(({ one }) => one)).size, 500);
  }
});

test('the number of elements is estimated for an array with holes that is read in part', () => {
  const holey: unknown[] = new Array(4000);
  for (let i = 0; i < 4000; i += 5) holey[i] = `element ${i}`;
  const { of = 0 } = treeOf(holey, { ...MASKED, nodes: 1000 }) as { of?: number };
  assert.ok(of > 700 && of < 900, `${of}`);
});

test('whole numbers as keys of a dictionary stay such', () => {
  const keys = [5, 70, 1e5, 4_000_000_000, 4_294_967_295, 5e9];
  const entries = keys.map((key): [number, number] => [key, 1]);
  const more = Array.from({ length: 50 }, (_, i): [string, number] => [`user ${i}`, 1]);
  const tree = treeOf(Object.fromEntries([...entries, ...more]), MASKED) as { entries: [string, unknown][] };
  const masked = tree.entries.slice(0, keys.length).map(([key]) => key);
  assert.deepEqual(masked.map(isIndexKey), [true, true, true, true, false, false]);
  const actual = masked.map(({ length }) => length);
  assert.deepEqual(
    actual,
    keys.map((key) => `${key}`.length),
  );
});

test('a tree with links to parents is made again, whole or in part', async () => {
  interface Linked {
    name: string;
    parent: Linked | null;
    children: Linked[];
  }
  const linked = (name: string, parent: Linked | null, depth: number): Linked => {
    const own: Linked = { name, parent, children: [] };
    for (let i = 0; depth > 0 && i < 6; i++) own.children.push(linked(`${name}.${i}`, own, depth - 1));
    return own;
  };
  const root = linked('root', null, 3);
  const whole = (await again(treeOf(root))) as Linked;
  assert.deepEqual(whole, root);
  assert.equal(whole.children[2]!.children[1]!.parent, whole.children[2]);
  for (const nodes of [30, 100, 300]) {
    const tree = treeOf(root, { ...MASKED, nodes });
    const part = (await again(tree)) as Linked;
    assert.equal(part.children[0]!.parent, part);
    new Function(bytesModuleOf(tree).body)();
  }
});

const SECRET = 'hunter2-\u00e9\u4e2d';
const NUMBERS = [4_711_083, 83.114_207, -90_210, 31_337];
const letters = (i: number) => String.fromCharCode(97 + (i % 26), 97 + (i % 25));
/** Addresses are keys that are data, and so are keys of dictionaries, keys of one object each, and keys below keys. */
const SECRETS: unknown[] = [
  ...[SECRET, { [`${SECRET}@example.com`]: 1 }, new Map([[SECRET, new Set([SECRET])]]), Object(SECRET)],
  Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`hunter${letters(i)}${i}`, i])),
  Array.from({ length: 60 }, (_, i) => ({ [`hunter_${letters(i)}`]: i })),
  Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`id-${i}@x`, { [`hunter${letters(i)}`]: 1 }])),
  ...[new TypeError(SECRET), new RegExp(SECRET), Buffer.from(SECRET), Object.assign([1], { secret: SECRET })],
  ...[NUMBERS, { age: NUMBERS[0] }, 4_711_083_114_207n, new Date(1_234_567_890_123)],
];

test('nothing of the program is in what is masked', () => {
  const hidden = [
    ...['hunter', 'example', '\u4e2d', '1234567890123', '4711083114207'],
    ...[Buffer.from(SECRET).toString('base64').slice(0, 8), ...NUMBERS.map(String)],
  ];
  for (const value of SECRETS)
    for (const tree of [
      ...[treeOf(value, MASKED), new Sample(value, MASKED).tree],
      ...[new Sample(value, { ...MASKED, nodes: 5 }).tree, committed(treeOf(value, KEPT), chanceFrom('1'))],
    ]) {
      const text = JSON.stringify(tree) + moduleOf(tree, 'masked').text;
      for (const part of hidden) assert.ok(!text.includes(part), `${part} in ${text.slice(0, 500)}`);
    }
});

test('texts alone are masked if the user wants that: numbers and dates stay', () => {
  const text = JSON.stringify(
    treeOf({ name: SECRET, age: 41, at: new Date(1e12) }, { ...KEPT, values: 'masked' }),
  );
  assert.ok(!text.includes('hunter') && text.includes('41') && text.includes('1000000000000'), text);
});

test('a long value is read only in parts, spread from the start to the end', () => {
  const ranges: number[][] = [];
  const inParts = { most: 100, parts: 3, units: 10 };
  const note = (from: number, to: number) => ranges.push([from, to]);
  assert.equal(readParts(1000, inParts, note), 30);
  assert.deepEqual(ranges.flat(), [0, 10, 495, 505, 990, 1000]);
  assert.equal(readParts(100, inParts, note), 100);
});

test('bytes that are kept come back, however many there are', async () => {
  for (const length of [1, 2, 3, 4, 3071, 3072, 3073, 50_000]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 37) % 256);
    const tree = treeOf(bytes);
    assert.ok(typeof tree === 'object' && tree?.is === 'view');
    assert.equal(tree.content, Buffer.from(bytes).toString('base64'));
    assert.deepEqual(await again(tree), bytes, `${length}`);
  }
});

test('values nested too deeply are left out, and this is reported', async () => {
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  const module = moduleOf(treeOf(deep), 'kept');
  assert.match(module.differences.join(), /too deep/);
  await factoryOf(module);
});

const HOSTILE = [
  ...['"];globalThis.canary();//', '`;globalThis.canary();`', '${globalThis.canary()}'],
  ...['*/globalThis.canary();/*', '\n globalThis.canary() \n', '\u2028globalThis.canary()\u2029'],
  ...['__proto__', 'constructor', 'toString', 'class', 'part', '', '\ud800'],
];

/** A tree of values, some of its numbers, texts and flags replaced by others. */
function mangled(tree: ValueTree, random: Random): ValueTree {
  const one = <T>(all: readonly T[]): T => all[randomBelow(all.length, random)]!;
  const change = (value: unknown): unknown => {
    if (randomBelow(12, random) === 0) {
      if (typeof value === 'number') return one([0, 1, 7, 65, 1e9, 2 ** 31]);
      if (typeof value === 'string') return one(HOSTILE);
    }
    if (Array.isArray(value)) return value.map(change);
    if (typeof value !== 'object' || value === null) return value;
    const changed = Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, key === 'is' ? inner : change(inner)]),
    ) as TreeNode;
    const flags =
      randomBelow(6, random) === 0 && changed.is !== 'same' ? { flags: [one(FLAGS), one(FLAGS)] } : {};
    return { ...changed, ...flags };
  };
  return change(tree) as ValueTree;
}

const MANGLED = usually([200], [1000]).at(-1)!;

test(`trees of a stranger are refused or made, and nothing else runs (SEED=1)`, async () => {
  let ran = 0;
  Object.assign(globalThis, { canary: () => ran++ });
  const random = seeded(1);
  let made = 0;
  for (let i = 0; i < MANGLED; i++) {
    const tree = mangled(treeOf(built(sourceOf(programAt(1, i))), i % 2 ? KEPT : MASKED), random);
    // Only what a recording can hold is made.
    if (!safeParse(valueTreeSchema, tree).success || isHuge(tree)) continue;
    try {
      const module = moduleOf(tree, 'kept');
      await factoryOf(module);
      new Function(bytesModuleOf(tree).body);
    } catch (error) {
      assert.ok(error instanceof ToolError, `${i}: ${(error as Error).stack}\n${JSON.stringify(tree)}`);
      continue;
    }
    made++;
  }
  assert.equal(ran, 0);
  assert.ok(made > MANGLED / 4, `${made}`);
});

const isHuge = (tree: ValueTree): boolean => JSON.stringify(tree).length > 100_000;

test('texts of a stranger are texts', async () => {
  let ran = 0;
  Object.assign(globalThis, { canary: () => ran++ });
  for (const text of HOSTILE) {
    const trees: ValueTree[] = [
      {
        is: 'object',
        entries: [
          [text, text],
          ['__proto__', { is: 'array', items: [1] }],
        ],
        tag: text,
        flags: ['class-instance'],
      },
      { is: 'number', number: text },
      { is: 'bigint', bigint: text },
      { is: 'regexp', source: text, letters: text },
      { is: 'error', tag: text, message: text },
      { is: 'buffer', bytes: 3, content: text },
      { is: 'view', type: text, bytes: 4, offset: 0, on: { is: 'buffer', bytes: 8 }, content: text },
      { is: 'left', left: text },
      { is: 'text', units: 3, text },
    ];
    for (const tree of trees) await again(tree);
    new Function(bytesModuleOf(trees[0]!).body);
    assert.equal(Object.hasOwn((await again(trees[0]!)) as object, '__proto__'), true);
  }
  assert.equal(ran, 0);
  assert.equal(await again({ is: 'bigint', bigint: '-0017' }), -17n);
  assert.equal(await again({ is: 'same', id: 7 }), null);
});

test('a file that is committed is small, and of the same kinds', async () => {
  const rows = Array.from({ length: 3000 }, (_, id) => ({ id, name: `row ${id}`, tags: ['a', 'b'] }));
  const module = moduleOf(committed(treeOf(rows), chanceFrom('1')), 'masked');
  assert.ok(module.text.length < 40_000, `${module.text.length}`);
  const made = await (await factoryOf(module))();
  const actual = shapeOf(made).patterns.map(({ pattern, count }) => [pattern, count]);
  assert.deepEqual(
    actual,
    shapeOf(rows).patterns.map(({ pattern, count }) => [pattern, count]),
  );
});
