import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutName, cutText } from '../../src/model/cut.ts';
import { ToolError } from '../../src/model/errors.ts';

test('a text of a thousand characters stays, a longer one becomes two lines', () => {
  assert.equal(cutText('x'.repeat(1000)), 'x'.repeat(1000));
  assert.equal(cutText('x'.repeat(5e6)), `${'x'.repeat(50)}… (5,000,000 characters) …${'x'.repeat(30)}`);
});

const NAMES: [what: string, name: string, cut: string | RegExp][] = [
  ['an ordinary name', 'rows', 'rows'],
  ['the longest that stays', 'x'.repeat(100), 'x'.repeat(100)],
  ['a long name', 'x'.repeat(101), /^x{80}…~[0-9a-f]{8}$/],
  ['four marks on a character', 'a\u0301\u0310\u0352\u0357', 'a\u0301\u0310\u0352\u0357'],
  ['marks that run down the page', `a${'\u0301'.repeat(200)}b`, /^a\u0301{4}b~[0-9a-f]{8}$/],
  ['nothing but marks', '\u0301'.repeat(1e6), /^\u0301{4}~[0-9a-f]{8}$/],
];

for (const [what, name, cut] of NAMES) {
  test(`${what} as a name`, () => {
    if (typeof cut === 'string') assert.equal(cutName(name), cut);
    else assert.match(cutName(name), cut);
  });
}

test('names that differ in the part that was cut stay distinct', () => {
  const names = ['a', 'b', 'c'].map((end) => cutName('x'.repeat(1e6) + end));
  assert.equal(new Set(names).size, names.length);
});

test('every error has cut facts, the names in a list included', () => {
  const names = Array.from({ length: 30 }, (_, i) => `${i}${'n'.repeat(2000)}`);
  const error = new ToolError('export-missing', { file: 'f'.repeat(1e6), export: 'e'.repeat(1e6), names });
  assert.ok(error.message.length < 4000, `${error.message.length}`);
  assert.match(error.message, /… \(10 more\)$/);
  assert.equal(error.facts.names?.length, 21);
});
