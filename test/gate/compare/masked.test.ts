import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../../../src/stats/intervals/random.ts';
import { isKeyName, masked, withoutDataKeys } from '../../../src/value/shape/masking.ts';
import { row, shapeOf } from '../../make.ts';
import { jsonValue } from '../../support/random-json.ts';

const ROWS: [what: string, json: unknown, shown: unknown][] = [
  ['text', 'hello', 'xxxxx'],
  [
    'one-byte and two-byte text',
    ['caf\u00e9', '\u0416', '\u4f60', '\ud83d\ude80'],
    ['xxx\u00e9', '\u0100', '\u4e00', '\ud83d\ude00'],
  ],
  [
    'the first and the last character of each width',
    ['\u007f\u0080\u00ff', '\u0100\u07ff', '\u0800\u08ff\ud7ff\ue000\uffff'],
    ['x\u00e9\u00e9', '\u0100\u0100', '\u4e00'.repeat(5)],
  ],
  ['what JSON escapes stays', 'a"\\\n', 'x"\\\n'],
  ['numbers, booleans and null stay', [1, -2.5, true, null], [1, -2.5, true, null]],
  ['keys that are names stay', { id: 1, 'content-type': 'a' }, { id: 1, 'content-type': 'x' }],
  ['keys that are data', { 'a@b.example': 1, '2024-01-01': 2 }, { xxxxxxxxxx0: 1, xxxxxxxxx1: 2 }],
  ['keys that are whole numbers stay such', { 4711: 'a', 4712: 'b' }, { 1000: 'x', 1001: 'x' }],
];

for (const [what, json, shown] of ROWS) {
  test(`masked: ${what}`, () => assert.deepEqual(masked(json), shown));
}

test('the keys of a map count as data even if they look like names', () => {
  const users = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`user${'x'.repeat(i % 7)}${i}`, i]));
  const shown = Object.keys(masked(users) as object);
  assert.equal(shown.length, 65);
  assert.ok(!shown.some((key) => key.includes('user')));
});

test('masking keeps the number of bytes', () => {
  const seed = 20_261_127;
  const random = seeded(seed);
  const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;
  for (let i = 0; i < 200; i++) {
    const values = JSON.parse(JSON.stringify([jsonValue(random, 0), jsonValue(random, 0)])) as unknown;
    assert.equal(bytes(masked(values)), bytes(values), `seed ${seed}`);
  }
  for (let code = 1; code <= 0xffff; code++) {
    const text = String.fromCharCode(code);
    assert.equal(bytes(masked(text)), bytes(text), code.toString(16));
  }
});

test('keys that are names, and keys that are data', () => {
  const names = ['id', 'content-type', '$ref', 'md5', 'x2y2z2'];
  const data = ['', 'a b', 'a@b.example', '2024', 'a1b2c3d4', 'x'.repeat(33), '::error::'];
  assert.deepEqual([...names, ...data].filter(isKeyName), names);
});

const PATHS: [what: string, rows: string[], path: string, shown: string][] = [
  ['names stay', ['$.a'], '$.a.b[*].c', '$.a.b[*].c'],
  ['data does not', [], '$["a@b.example"].x', '$.*.x'],
  ['nor does a key of a map', ['$.users.*'], '$.users.alice.age', '$.users.*.age'],
  ['a map in each row', ['$[*].by.*'], '$[3].by.alice', '$[3].by.*'],
  ['other steps stay', ['$.*'], '$.a{value:1}[2]', '$.*{value:1}[2]'],
  ['a path that was cut', [], '$.a\u2026.b', '$.a\u2026.b'],
];

for (const [what, rows, path, shown] of PATHS) {
  test(`paths in a baseline: ${what}`, () => {
    const shape = shapeOf('v8', row('$', 'object'), ...rows.map((pattern) => row(pattern, 'object')));
    assert.equal(withoutDataKeys(shape)(path), shown);
  });
}
