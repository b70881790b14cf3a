import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBelow, seeded } from '../../../src/stats/intervals/random.ts';
import { compare } from '../../../src/value/compare/compare.ts';

const TREE = { a: [1, -0, 'text', null, [true, {}]], b: { c: [], d: { e: 'é' } } };
const copy = () => structuredClone(TREE);
const changed = (change: (tree: typeof TREE) => void) => {
  const tree = copy();
  change(tree);
  return tree;
};
const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

const ROWS: [name: string, tree: unknown, other: unknown, isSame: boolean][] = [
  ['a copy', TREE, copy(), true],
  ['other order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
  ['a number', TREE, changed((tree) => Object.assign(tree.a, { 0: 2 })), false],
  ['minus zero', TREE, changed((tree) => Object.assign(tree.a, { 1: 0 })), false],
  ['a further key', TREE, changed((tree) => Object.assign(tree.b, { f: 1 })), false],
  ['a hidden key', TREE, changed((tree) => Object.defineProperty(tree.b, 'f', { value: 1 })), false],
  ['a symbol', TREE, changed((tree) => Object.assign(tree.b, { [Symbol('f')]: 1 })), false],
  ['a missing key', TREE, changed((tree) => Reflect.deleteProperty(tree.b, 'c')), false],
  ['undefined for a missing key', { a: 1 }, { b: 1 }, false],
  ['a hole', [1, null], Object.assign([1], { length: 2 }), false],
  ['undefined in both', [undefined], [undefined], true],
  ['a longer list', TREE, changed((tree) => tree.a.push(1)), false],
  ['frozen', TREE, changed((tree) => Object.freeze(tree.b)), false],
  ['no prototype', {}, Object.create(null), false],
  ['a list for an object', {}, [], false],
  ['a typed array for a list', [1], Float64Array.of(1), false],
  ['a Date', { a: 0 }, { a: new Date(0) }, false],
  ['shared', { a: {}, b: {} }, (({ a }) => ({ a, b: a }))({ a: {} }), false],
  ['deep', deep(10_000), deep(10_000), true],
  ['deep, and changed there', deep(10_000), deep(10_001), false],
];

for (const [name, tree, other, isSame] of ROWS) {
  test(`trees: ${name}`, () => assert.equal(compare(tree, other).length === 0, isSame));
}

/** JSON of a few levels. */
function value(random: () => number, levels: number): unknown {
  const kind = randomBelow(levels > 0 ? 6 : 4, random);
  if (kind < 4) return [null, true, randomBelow(100, random) / 8, `t${randomBelow(9, random)}`][kind];
  const items = Array.from({ length: randomBelow(4, random) }, () => value(random, levels - 1));
  return kind === 4 ? items : Object.fromEntries(items.map((item, at) => [`k${at}`, item]));
}

test('trees are the same exactly if their JSON text is', (t) => {
  const seed = 20;
  t.diagnostic(`seed ${seed}`);
  const random = seeded(seed);
  let same = 0;
  for (let nth = 0; nth < 2000; nth++) {
    const [tree, other] = [value(random, 3), value(random, 3)];
    const [text, otherText] = [JSON.stringify(tree), JSON.stringify(other)];
    assert.deepEqual(compare(tree, JSON.parse(text)), [], text);
    const isSame = text === otherText;
    assert.equal(compare(tree, other).length === 0, isSame, `${text} ${otherText}`);
    if (isSame) same += 1;
  }
  assert.ok(same > 0 && same < 2000, `${same}`);
});
