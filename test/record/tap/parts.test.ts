import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Serializer } from 'node:v8';
import { processTypes } from '../../../src/engines/probe/process.ts';
import { changesOf, partsOf } from '../../../src/record/tap/look/look.ts';
import { classify, sizeClass } from '../../../src/record/tap/messages/buckets.ts';
import { giveEngineTypes } from '../../../src/record/tap/realm.ts';
import { Sample } from '../../../src/record/values/sampler.ts';
import { KEPT, MASKED } from '../module/made-again.ts';

giveEngineTypes(processTypes);

const changes = (before: unknown, after: unknown) => changesOf(partsOf(before)!, partsOf(after)!);

const users = Array.from({ length: 20 }, (_, id) => ({ id, name: `user ${id}`, isHere: true }));
const state = { users, session: { lastSeen: 1, token: 'x'.repeat(100) }, byId: { 'a b': 1, '17': 2 } };

const CHANGES: [what: string, after: unknown, equal: number, paths: string[]][] = [
  ['an element more', { ...state, users: [...users, users[0]] }, 0.9, ['$.users[*]']],
  ['keys of data', { ...state, byId: { 'a b': 2, '17': 3 } }, 0.9, ['$.byId.*']],
  ['a key more', { ...state, more: null }, 0.9, ['$.more']],
  ['a key less', { users, byId: state.byId }, 1, ['$']],
  ['another kind', [], 0, ['$']],
  ['what is not read', { ...state, byId: new WeakMap() }, 0.9, ['$.byId']],
];

for (const [what, after, equal, paths] of CHANGES)
  test(`changes between successive messages are found: ${what}`, () => {
    const found = changes(state, after);
    assert.deepEqual(found.paths, paths);
    assert.ok(found.equal >= equal, `${found.equal}`);
    assert.ok(equal === 1 || found.equal < 1);
  });

class Point {}

/** Equal to the one before, or changed at this place. */
const KINDS: [what: string, before: unknown, after: unknown, paths: string[]][] = [
  ['equal buffers', new Uint8Array(20_000).fill(1), new Uint8Array(20_000).fill(1), []],
  ['another buffer', new Uint8Array(20_000).fill(1), new Uint8Array(20_000).fill(2), ['$']],
  ['what a view shows', { a: Buffer.from('one') }, { a: Buffer.from('two') }, ['$.a']],
  ['equal Maps', new Map([['a', { b: 1 }]]), new Map([['a', { b: 1 }]]), []],
  ['a value of a Map', new Map([['a', { b: 1 }]]), new Map([['a', { b: 2 }]]), ['$[*].b']],
  ['a member of a Set', new Set([1, 2]), new Set([1, 3]), ['$[*]']],
  ['equal dates', new Date(5), new Date(5), []],
  ['another date', new Date(5), new Date(6), ['$']],
  [
    'a field of an object of a class',
    Object.assign(new Point(), { x: 1 }),
    Object.assign(new Point(), { x: 2 }),
    ['$.x'],
  ],
  ['one of 300 todos', todos(0), todos(299), ['$[*].done']],
  ['the state as JSON text', { state: text(1) }, { state: text(2) }, ['JSON.parse($.state).at']],
  ['a long text by a unit', 'x'.repeat(5000), 'x'.repeat(5001), ['$']],
  ['the end of a long text', `${'x'.repeat(5000)}1 `, `${'x'.repeat(5000)}2 `, ['$']],
  ['a text that is no JSON', `{${'x'.repeat(90)}`, `{${'y'.repeat(90)}`, ['$']],
];

function todos(done: number) {
  return Array.from({ length: 300 }, (_, id) => ({ id, text: `todo ${id}`, done: id === done }));
}

function text(at: number): string {
  return JSON.stringify({ todos: todos(0), at });
}

for (const [what, before, after, paths] of KINDS)
  test(`equal and changed values are distinguished: ${what}`, () => {
    const { equal, paths: found } = changes(before, after);
    assert.deepEqual(found, paths);
    assert.equal(equal === 1, paths.length === 0);
  });

test('no part of a buffer that differs counts as equal', () => {
  const message = (fill: number) => ({ name: 'a', bytes: new Uint8Array(20_000).fill(fill) });
  assert.ok(changes(message(1), message(2)).equal < 0.01);
});

test('nothing of the message runs, and what is large is read in part', () => {
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
  const large = Array.from({ length: 100_000 }, (_, i) => ({ i, value, text: 'x'.repeat(10) }));
  assert.ok(changes({ large }, { large, value }).equal < 1);
  assert.ok(classify(value).extent < 1000);
  for (const options of [KEPT, MASKED]) {
    const { tree } = new Sample(value, options);
    assert.ok(typeof tree === 'object' && tree?.is === 'object' && tree.flags?.includes('accessor'));
    const actual = tree.entries.map(([key]) => key);
    assert.deepEqual(actual, ['toJSON', 'proxy', 'list', 'error', 'pattern', 'below']);
  }
});

// The extent of a message.

/** As a post within a process writes it: of a view the whole buffer behind it. */
function bytesOf(value: unknown): number {
  const serializer = new Serializer();
  serializer.writeHeader();
  serializer.writeValue(value);
  return serializer.releaseBuffer().byteLength;
}

const record = () => ({ id: 12, name: 'a name', price: 1.5, tags: ['one', 'two'], done: true, of: null });

/** The length of a real stack depends on the folder of this file. */
const errorOf = (message: string): Error => {
  const error = new TypeError(message);
  error.stack = `TypeError: ${message}`.padEnd(600, ' at one');
  return error;
};

/** How far the extent may be from the bytes, as a factor. */
const ROWS: [string, value: unknown, most: number][] = [
  ['a text', 'x'.repeat(500), 1.02],
  ['a record', record(), 1.25],
  ['a buffer in an envelope', { id: 1, data: new Uint8Array(5000) }, 1.02],
  ['a view of a larger buffer', new Uint8Array(new ArrayBuffer(5000), 0, 10), 1.02],
  ['a field of many', { ...Array.from({ length: 11 }, (_, i) => i), payload: 'x'.repeat(900) }, 1.1],
  ['a text in an envelope', { id: 1, args: [{ type: 'RAW', value: 'x'.repeat(900) }] }, 1.1],
  ['a list of records', Array.from({ length: 100 }, record), 1.7],
  ['a list of numbers', Array.from({ length: 100 }, (_, i) => i * 1000), 1.6],
  ['a list of errors', Array.from({ length: 100 }, (_, i) => errorOf(`no ${i}`)), 1.7],
  ['a dictionary', Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, record()])), 1.7],
];
for (const [name, value, most] of ROWS)
  test(`the extent is about as large as the bytes: ${name}`, () => {
    const factor = classify(value).extent / bytesOf(value);
    assert.ok(factor <= most && factor >= 1 / most, `${factor}`);
  });

test('each order of magnitude is eight times the one before', () => {
  assert.deepEqual([1, 63, 64, 511, 512, 4096].map(sizeClass), [0, 0, 1, 1, 2, 3]);
});
