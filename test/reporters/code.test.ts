import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokenCode } from '../../src/reporters/terminal/code.ts';

const LINES: { given: string; width: number; broken: string[] }[] = [
  { given: 'const a = 1;', width: 20, broken: ['const a = 1;'] },
  {
    given: "  if (typeof v !== 'object') throw new TypeError('JSON text is for objects');",
    width: 60,
    broken: ["  if (typeof v !== 'object')", "      throw new TypeError('JSON text is for objects');"],
  },
  {
    given: 'return value.map((row) => ({ ...row }));',
    width: 25,
    broken: ['return value.map((row) =>', '    ({ ...row }));'],
  },
  {
    given: "x('a \\' b c d e f g h', \"i j\")",
    width: 28,
    broken: ["x('a \\' b c d e f g h',", '    "i j")'],
  },
];

for (const { given, width, broken } of LINES) {
  test(`${given} fits ${width} cells`, () => assert.deepEqual(brokenCode(given, width), broken));
}

test('a broken line means the same', () => {
  const given = 'return [3, 1, 2].map((n) => n + 1).filter((n) => n > 2).concat(["a  b", \'c  d\', `e  f`]);';
  const meaning = (code: string) => JSON.stringify(new Function(code)());
  for (let width = 30; width < given.length; width++) {
    assert.equal(meaning(brokenCode(given, width).join('\n')), meaning(given), `at ${width}`);
  }
});

test('a string longer than the line is broken all the same', () => {
  for (const line of brokenCode(`x('${'long '.repeat(30)}')`, 30)) assert.ok(line.length <= 30);
});
