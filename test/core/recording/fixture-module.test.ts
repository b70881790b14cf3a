import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fixtureFromShape } from '../../../src/core/recording/fixture-module.ts';
import type { Flag, Shape } from '../../../src/model/rules/shape.ts';
import { built } from '../../differential/built-value.ts';
import { programAt } from '../../differential/generate.ts';
import { sourceOf } from '../../differential/render.ts';
import { row, shapeOf as shapeOfRows } from '../../support/shapes.ts';
import { isToolError } from '../../support/tool-errors.ts';
import { factoryOf, type MadeAgain, madeAgain, shapeOf, wireBytes } from './made-again.ts';

const SEED = 20_261_122;
const fixtures = fileURLToPath(new URL('../../../fixtures/', import.meta.url));

/** Bytes that a shape does not tell: the source of a regular expression, the index of the last element of a sparse array. */
const FEW = 8;

function failures({ counts, bytes, classes }: MadeAgain): string[] {
  const { was, is } = bytes;
  const near = was === null || is === null ? was === is : Math.abs(is - was) <= Math.max(FEW, was / 100);
  return [
    ...counts,
    ...(near ? [] : [`${was} bytes became ${is}`]),
    ...(classes.was === classes.is ? [] : [`${classes.was} became ${classes.is}`]),
  ];
}

test('JSON fixtures: the same counts, bytes and class', async () => {
  for (const file of readdirSync(fixtures).filter((name) => name.endsWith('.json'))) {
    const made = await madeAgain(() => JSON.parse(readFileSync(`${fixtures}${file}`, 'utf8')));
    assert.deepEqual(failures(made), [], file);
    assert.deepEqual(made.module.differences, [], file);
    assert.ok(made.module.text.length < 25_000, `${file}: ${made.module.text.length}`);
  }
});

test('payloads of the rules: the same, or it is told what differs', async () => {
  let compared = 0;
  for (const file of readdirSync(`${fixtures}payloads`)) {
    const all = (await import(`${fixtures}payloads/${file}`)) as Record<string, unknown>;
    for (const name of ['fires', 'nearMiss']) {
      const value = all[name];
      const made = await madeAgain(typeof value === 'function' ? () => value() : () => value);
      if (made.module.differences.length > 0) continue;
      assert.deepEqual(failures(made), [], `${file}#${name}\n${made.module.text}`);
      compared++;
    }
  }
  assert.ok(compared > 300, `only ${compared}`);
});

test(`generated values: the same, or it is told what differs (SEED=${SEED})`, async () => {
  const VALUES = 1500;
  const wrong: string[] = [];
  let told = 0;
  for (let i = 0; i < VALUES; i++) {
    const source = sourceOf(programAt(SEED, i));
    const made = await madeAgain(() => built(source));
    if (made.module.differences.length > 0) told++;
    else {
      const found = failures(made);
      if (found.length > 0)
        wrong.push(`value ${i}: ${source.slice(0, 200)}\n  ${found.slice(0, 3).join('\n  ')}`);
    }
  }
  // A shape does not say which keys an object with some others has, or how V8 stores a whole number.
  assert.ok(wrong.length < VALUES / 50, wrong.join('\n'));
  assert.ok(told < VALUES / 5, `${told} with differences`);
});

test('representation: ropes, holes, hash tables', async () => {
  const kinds: [Flag, () => unknown][] = [
    ['rope', () => ({ text: [...'ab'].map((unit) => unit.repeat(100)).reduce((all, one) => all + one) })],
    ['holey-kind', () => new Array(20).fill(0.5)],
    ['dictionary', () => Object.assign(Object.create(null), { a: 1 })],
    ['dictionary-elements', () => Object.assign([], { 1000000: 1 })],
    ['ascii-in-two-byte', () => Buffer.from('text '.repeat(9), 'utf16le').toString('utf16le')],
  ];
  let seen = 0;
  for (const [flag, build] of kinds) {
    const has = (shape: Shape) => shape.patterns.some(({ flags }) => flags.includes(flag));
    const was = shapeOf(build());
    // What this Node cannot tell is not in the shape.
    if (!has(was)) continue;
    seen++;
    const make = await factoryOf(fixtureFromShape(was, 1));
    assert.ok(has(shapeOf(make())), flag);
  }
  assert.ok(seen >= 3);
});

test('100,000 rows are a loop; each call makes an equal value of its own', async () => {
  const rows = Array.from({ length: 100_000 }, (_, id) => ({
    id,
    name: `row ${id}`,
    note: id % 3 ? 'x' : null,
  }));
  const module = fixtureFromShape(shapeOf(rows), 1, wireBytes(rows));
  assert.ok(module.text.length < 2500, module.text);
  assert.equal(fixtureFromShape(shapeOf(rows), 1, wireBytes(rows)).text, module.text);
  const make = await factoryOf(module);
  const [one, other] = [make(), make()] as [object[], object[]];
  assert.equal(one.length, 100_000);
  assert.notEqual(one[0], other[0]);
  assert.deepEqual(one.slice(0, 500), other.slice(0, 500));
});

test('of a message that was described in part, the rest is like that part', async () => {
  const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `row ${id}`, tags: ['a', 'b'] }));
  const part = shapeOf(rows, { children: 200 });
  assert.ok(part.truncated.items);
  const make = await factoryOf(fixtureFromShape(part, 1, wireBytes(rows)));
  const made = make() as unknown[];
  assert.equal(made.length, rows.length);
  assert.equal(shapeOf(made).nodes, shapeOf(rows).nodes);
  const [was, is] = [wireBytes(rows)!, wireBytes(made)!];
  assert.ok(Math.abs(is / was - 1) < 0.02, `${was} bytes became ${is}`);
});

test('an optional key is as frequent, a union as mixed', async () => {
  const was = Array.from({ length: 100 }, (_, i) =>
    i % 4 ? { id: i, label: 'a label' } : { id: `text ${i}` },
  );
  const make = await factoryOf(fixtureFromShape(shapeOf(was), 1));
  const made = make() as { id: unknown; label?: string }[];
  assert.equal(made.filter(({ label }) => label !== undefined).length, 75);
  assert.equal(made.filter(({ id }) => typeof id === 'string').length, 25);
  // Spread over the rows, not one after the other.
  assert.ok(made.slice(0, 20).some(({ id }) => typeof id === 'string'));
});

const sized = (total: number) => ({ size: { min: total, max: total, total } });

test('shapes that no payload has, or that would never end, are refused', () => {
  const refused: [Shape, RegExp][] = [
    [shapeOfRows('v8', row('$', 'array', [], sized(1e9))), /1000000001 values, and 20000000 can be made/],
    [shapeOfRows('v8', row('$', 'string', [], sized(2e9))), /bytes of text and memory/],
    [
      shapeOfRows('v8', row('$', 'array'), row('$[*]', 'null', [], { count: 1e15 })),
      /1000000000000002 values|values/,
    ],
    [shapeOfRows('v8', row('$', 'object', [], { count: 2 })), /exactly one root/],
    [shapeOfRows('v8', row('$', 'object', [], { count: 0.5 })), /no whole number/],
    [shapeOfRows('v8', row('$', 'object', [], { count: Number.NaN })), /no whole number/],
    [shapeOfRows('v8', row('$', 'object', [], { size: { min: 3, max: 1, total: 2 } })), /contradict/],
    [shapeOfRows('v8', row('$', 'object'), row('$;alert(1)', 'null')), /a pattern that is no path/],
    [shapeOfRows('v8', row('$', 'object'), row('$[3]', 'null')), /a pattern that is no path/],
    [shapeOfRows('v8', row(`$${'.a'.repeat(300)}`, 'null')), /a pattern that is no path/],
    [shapeOfRows('v8', ...Array.from({ length: 400 }, () => row('$', 'null'))), /too many rows/],
  ];
  for (const [shape, message] of refused)
    assert.throws(() => fixtureFromShape(shape, 1), isToolError('document-bad', message));
});

const HOSTILE = [
  '"];globalThis.canary();//',
  '`;globalThis.canary();`',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what must not run.
  '${globalThis.canary()}',
  '*/globalThis.canary();/*',
  '\n globalThis.canary() \n',
  '\u2028globalThis.canary()\u2029',
  '__proto__',
  'constructor',
  'toString',
  'class',
  '',
  '\ud800',
];

test('keys, tags and flags of a stranger are texts, never code', async () => {
  let ran = 0;
  Object.assign(globalThis, { canary: () => ran++ });
  for (const text of HOSTILE) {
    const key = `[${JSON.stringify(text)}]`;
    const shape = shapeOfRows(
      'v8',
      row('$', 'object', ['class-instance', 'proto-key', text as Flag], {
        tag: text,
        size: { min: 4, max: 4, total: 4 },
      }),
      row(`$${key}`, 'array', ['subclass'], { tag: text, ...sized(2) }),
      row(`$${key}[*]`, 'error', ['subclass'], { tag: text, count: 2 }),
      row('$.view', 'typedarray', [], { tag: text, bytes: { total: 8, max: 8, backing: 8 } }),
      row('$.made', 'platform', [], { tag: text }),
      row('$.refused', 'not-cloneable', [], { tag: text }),
    );
    const { text: code, differences } = fixtureFromShape(shape, Number.NaN);
    const value = (await factoryOf({ text: code, differences }))() as Record<string, unknown>;
    assert.ok(Object.hasOwn(value, text), code);
    assert.ok(Object.getPrototypeOf(value) !== null);
  }
  assert.equal(ran, 0);
});
