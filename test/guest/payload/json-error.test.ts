import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findJsonFault, placeOf } from '../../../src/guest/payload/json-error.ts';

const FAULTS: [text: string, offset: number, saying: RegExp][] = [
  ['', 0, /ends where a value was expected/],
  ['  ', 2, /ends where a value was expected/],
  ['{', 1, /ends where a property name in double quotes or '}' was expected/],
  ['{"a"', 4, /ends where ':' was expected/],
  ['{"a":', 5, /ends where a value/],
  ['{"a":1', 6, /ends where ',' or '}'/],
  ['[1', 2, /ends where ',' or ']'/],
  ['[1,', 3, /ends where a value/],
  ['[1,]', 3, /^a value expected/],
  ['[,1]', 1, /^a value or ']' expected/],
  ['{"a":1,}', 7, /^a property name in double quotes expected/],
  ["{'a':1}", 1, /^a property name in double quotes or '}' expected/],
  ['{a:1}', 1, /property name/],
  ['{"a" 1}', 5, /^':' expected/],
  ['{"a":1]', 6, /^',' or '}' expected/],
  ['[1}', 2, /^',' or ']' expected/],
  ['[1 2]', 3, /^',' or ']' expected/],
  ['1 2', 2, /more text after the end/],
  ['{}{}', 2, /more text after the end/],
  ['NaN', 0, /a value expected/],
  ['undefined', 0, /a value expected/],
  ['tru', 0, /a value expected/],
  ['truex', 4, /more text/],
  ['01', 1, /more text/],
  ['+1', 0, /a value expected/],
  ['1.', 1, /more text/],
  ['-', 0, /a value expected/],
  ['"abc', 4, /ends inside a string/],
  ['"a\nb"', 2, /control character/],
  ['"\\x41"', 1, /unknown escape/],
  ['"\\u12"', 1, /unknown escape/],
  ['// no', 0, /a value expected/],
  ['\ufeff{}', 0, /a value expected/],
  ['[1] //', 4, /more text/],
];

for (const [text, offset, saying] of FAULTS) {
  test(`fault of ${JSON.stringify(text)}`, () => {
    assert.throws(() => JSON.parse(text));
    const fault = findJsonFault(text);
    assert.equal(fault?.offset, offset);
    assert.match(fault?.saying ?? '', saying);
  });
}

test('agrees with JSON.parse on texts with one unit changed', () => {
  const seed = 20_251_121;
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
  const whole = '{"a":[1,-2.5e+3,true,null,"x\\u00e9\\n"],"b":{"c":{}, "d":[]},"":"\\""}';
  const units = '{}[]",:0123456789.-+eE\\ntruefalsnu \n\u0001é';
  for (let i = 0; i < 20_000; i++) {
    const at = next(whole.length);
    const text = whole.slice(0, at) + (units[next(units.length)] ?? '') + whole.slice(at + next(2));
    let valid = true;
    try {
      JSON.parse(text);
    } catch {
      valid = false;
    }
    assert.equal(findJsonFault(text) === null, valid, `seed ${seed}: ${text}`);
  }
});

test('nesting has no limit', () => {
  const deep = 1_000_000;
  assert.equal(findJsonFault('['.repeat(deep) + ']'.repeat(deep)), null);
  assert.equal(findJsonFault(`${'['.repeat(deep)}}`)?.offset, deep);
});

test('a place is a line and a column from 1', () => {
  assert.deepEqual(placeOf('abc', 0), { line: 1, column: 1 });
  assert.deepEqual(placeOf('a\nbc\n', 3), { line: 2, column: 2 });
  assert.deepEqual(placeOf('a\nbc\n', 5), { line: 3, column: 1 });
  assert.deepEqual(placeOf('a\r\nb', 3), { line: 2, column: 1 });
  assert.deepEqual(placeOf('a\nb', 1), { line: 1, column: 2 });
});
