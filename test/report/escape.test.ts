import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visible, visibleJson, visibleLine, visibleLines } from '../../src/report/text/escape.ts';

const SHOWN: { given: string; shown: string; ascii?: string }[] = [
  { given: 'plain $.a[3]', shown: 'plain $.a[3]' },
  {
    given: '日本 é 👍🏽',
    shown: '日本 é 👍🏽',
    ascii: '\\u65e5\\u672c \\u00e9 \\ud83d\\udc4d\\ud83c\\udffd',
  },
  { given: '\u001b[31m', shown: '\\u001b[31m' },
  { given: '\u009b2J', shown: '\\u009b2J' },
  { given: 'a\nb\r\tc', shown: 'a\\nb\\r\\tc' },
  { given: 'a\u202eb', shown: 'a\\u202eb' },
  { given: '\u2066\u2069\u200f\u061c', shown: '\\u2066\\u2069\\u200f\\u061c' },
  { given: '\u200b\ufeff\u2028', shown: '\\u200b\\ufeff\\u2028' },
  { given: '\u{e0041}', shown: '\\udb40\\udc41' },
  { given: '\ud83d.', shown: '\\ud83d.' },
  { given: '::error::x', shown: ':\\u003aerror:\\u003ax' },
  { given: 'std :: x', shown: 'std :: x' },
  { given: '##[group]', shown: '#\\u0023[group]' },
  { given: '##vso[task]', shown: '#\\u0023vso[task]' },
];

for (const { given, shown, ascii } of SHOWN) {
  test(`${JSON.stringify(given)} is shown as ${shown}`, () => {
    assert.equal(visible(given), shown);
    if (ascii !== undefined) assert.equal(visible(given, true), ascii);
  });
}

test('an escape means the same in JavaScript and JSON strings', () => {
  for (const { given } of SHOWN) {
    const literal = JSON.stringify(given);
    assert.equal(JSON.parse(visible(literal)), given);
    assert.equal(JSON.parse(visible(literal, true)), given);
    assert.equal(JSON.parse(visibleJson(literal)), given);
  }
});

test('line ends are kept', () => {
  assert.deepEqual(visibleLines('if (a) {\n\treturn;\r\n}'), ['if (a) {', '  return;', '}']);
});

test('a long line keeps its beginning and its end', () => {
  const line = `name ${'x'.repeat(2000)} the reason`;
  assert.match(visibleLine(line), /^name x+…x+ the reason$/);
  assert.equal(visibleLine(line).length, 1000);
  assert.match(visibleLine(line, 40), /^name x+…x+ the reason$/);
  assert.equal(visibleLine('short'), 'short');
});
