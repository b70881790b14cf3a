import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findJsonError } from '../../../src/guest/payload/files/read-file.ts';
import '../../support/guest-platform.ts';

const MALFORMED: [text: string, line: number, column: number, detail: RegExp][] = [
  ['{', 1, 2, /ends where '}' was expected/],
  ['{"a"', 1, 5, /':' expected/],
  ['{"a":', 1, 6, /a value expected/],
  ['[1', 1, 3, /ends where ']' was expected/],
  ['[1,]', 1, 4, /a value expected/],
  ['{"a":1,}', 1, 8, /a property name in double quotes expected/],
  ["{'a':1}", 1, 2, /unexpected token/],
  ['{"a":1]', 1, 7, /',' or a closing bracket expected/],
  ['1 2', 1, 3, /more text after the end/],
  ['NaN', 1, 1, /unexpected token/],
  ['01', 1, 2, /more text/],
  ['1.', 1, 1, /number/],
  ['"abc', 1, 1, /string has no end/],
  ['"\\x41"', 1, 1, /unknown escape/],
  ['"\\u12"', 1, 1, /unknown unicode escape/],
  ['"a\u0001b"', 1, 1, /control character/],
  ['// no', 1, 1, /comments are not allowed/],
  ['{\n  "a": 1,\r\n  "b": x\n}', 3, 8, /unexpected token/],
];

for (const [text, line, column, detail] of MALFORMED) {
  test(`the place where ${JSON.stringify(text)} stops being JSON is found`, () => {
    assert.throws(() => JSON.parse(text));
    const found = findJsonError(text);
    assert.deepEqual({ line: found?.line, column: found?.column }, { line, column });
    assert.match(found?.detail ?? '', detail);
  });
}

test('valid JSON gives no error, and JSON nested too deeply for the parser does not crash it', () => {
  assert.equal(findJsonError('{"a":[1,-2.5e+3,true,null,"x\\u00e9\\n"],"":"\\""}'), null);
  assert.equal(findJsonError('['.repeat(1_000_000)), null);
});
